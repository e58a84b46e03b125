#!/bin/bash
# SPDX-License-Identifier: MIT
# kill -9 of tierd around each of its commands, and restart: the same end (main job, item 8)
# TIERD_KILLS=all: behind each command, too, which is much the same as before the next
# boot: -d 2G -t 5000
# shards: 2
# weight: 270
. "$GUEST/lib.sh"

# attach WHEN N: one plug-in from a blank disk; with WHEN tierd is killed there and started again.
attach() {
  policy writeback
  forget_commands
  start_tierd
  wait_convergence waiting
  [[ -z ${1-} ]] || kill_at "$1" "$2"
  plug_ssd >/run/ssd
  if [[ ${1-} ]]; then
    wait_for 120 killed
    start_tierd
  fi
  wait_for 120 is_cached
  wait_convergence converged
}
killed() { ! tierd_runs && [[ ! -e "$COMMANDS/kill" ]]; }

clean() {
  make_volume
  attach
  state_of_lvm >/run/state
  commands >/run/commands.clean
  tier_is_whole "$(cat /run/ssd)" writeback
  (($(wc -l </run/commands.clean) >= 5)) || fail "only $(wc -l </run/commands.clean) commands"
  cat /run/commands.clean
  take_down
}
must "a clean run, its commands and its end" clean

point() { # WHEN N
  attach "$1" "$2"
  echo x >>/run/tried
  diff /run/state <(state_of_lvm) || fail "another end"
  tier_is_whole "$(cat /run/ssd)" writeback
  files_hold
  # Nothing left to do, and nobody's orphan.
  local before
  before=$(command_count)
  another_pass
  same "changing commands of a further pass" "$before" "$(command_count)"
}
touch /run/tried
: "${TIERD_SHARD:=1}" "${TIERD_SHARDS:=1}"
boundary=0 mine=0 commands=$(wc -l </run/commands.clean)
while read -r number command; do
  for when in before during after; do
    [[ $when != after || ${TIERD_KILLS-} == all || $number == "$commands" ]] || continue
    boundary=$((boundary + 1))
    ((boundary % TIERD_SHARDS == TIERD_SHARD - 1)) || continue
    mine=$((mine + 1))
    try "killed $when command $number, $(cut -d' ' -f1-2 <<<"$command" | sed 's/--.*//')" point "$when" "$number"
    (
      set -e
      take_down
    )
  done
done </run/commands.clean

all_tried() {
  if [[ ${TIERD_KILLS-} == all ]]; then same "boundaries" $((3 * commands)) "$boundary"; else same "boundaries" $((2 * commands + 1)) "$boundary"; fi
  same "tried of this shard's boundaries" "$mine" "$(wc -l </run/tried)"
}
try "every boundary of the log was tried" all_tried
finish
