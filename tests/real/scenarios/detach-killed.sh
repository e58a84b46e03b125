#!/bin/bash
# SPDX-License-Identifier: MIT
# lvconvert is killed, and tierd with it, while it takes the cache off: in each of its states the data holds, and tierd or its advice goes on
# TIERD_KILLS (): "all" tries every point instead of one of each kind that ends in another way
# boot: -d 2G -t 4000
# weight: 320
. "$GUEST/lib.sh"
. "$GUEST/dirty.sh"
. "$GUEST/killed.sh"

must "the slow volume" make_volume /dev/ubda 200M
slow_down 0

measured() {
  cut_at --uncache 0
  absent
  tierctl reload
  wait_for 60 is_off
  cp "$COMMANDS/points" /run/points
  cat /run/points
  files_hold
}

# point N present|absent: killed there, and what the policy says by the time that tierd is there again.
point() {
  if not_cached; then
    present
    tierctl reload
    wait_for 120 is_on
  fi
  make_dirty 2
  cut_at --uncache "$1"
  absent
  tierctl reload
  wait_for 120 died
  dmsetup table | cut -c1-100
  [[ $2 == absent ]] || present
  goes_on
  if [[ $2 == present && $(lv_field "$VG/$LV" segtype) == "${KIND:-cache}" ]]; then
    wait_for 120 is_on
  else
    wait_for 120 waits_or_off
    absent
    tierctl reload
    wait_for 120 is_off
    nothing_left
  fi
  lacks "$(dmsetup info -c --noheadings -o name,suspended)" ':Suspended'
  dirt_holds
  # Behind a cache that was left out what is written now would be gone with the next activation.
  make_dirty 2
  dirt_holds
  rm -rf "$DATA/dirt"
  files_hold
  nothing_forced
}

# in_turn WHAT: every point, where all are asked for.
in_turn() {
  local i state
  [[ ${TIERD_KILLS-} == all ]] || return 1
  for ((i = 1; i <= $(wc -l </run/points); i++)); do
    if (((i + TIERD_SEED) % 2)); then state=present; else state=absent; fi
    try "$1: killed before $i, $(sed -n "${i}p" /run/points); then $state" point "$i" $state
  done
}
# another_kind: where nothing is cached, by the policy.
another_kind() {
  policy writeback
  tierctl reload
  wait_for 180 is_on
}

must "it is cached, writeback" begin writeback
must "what lvconvert --uncache changes, step by step" measured
if ! in_turn pool; then
  loaded=$(last load)
  try "killed with its tables loaded, and wanted again: the next command does not put them in force" point $((loaded + 1)) present
  try "killed with the volume suspended: the advice brings it back as it was" point $((loaded + 2)) present
  try "killed behind its commit, the volume suspended: tierd resumes it and goes on" point "$(nth resume 1 "$loaded")" absent
fi
export KIND=writecache
must "it has a writecache" another_kind
must "what that changes of a writecache" measured
if ! in_turn writecache; then
  try "killed with the volume suspended: the advice brings the writecache back as it was" point "$(nth suspend 3)" present
  try "killed behind its commit: the advice takes away what is left of the writecache" point "$(nth resume 1)" absent
fi
unset KIND
export STORE=volume
must "it has a cachevol" another_kind
must "what that changes of a cachevol" measured
in_turn cachevol || try "killed behind its commit: tierd goes on with the cachevol" point "$(nth resume 1 "$(last load)")" absent
unset STORE
on_two_ssds() {
  plug_ssd >/run/ssd.2
  policy_over_two raid1
  tierctl reload
  wait_for 180 is_on
}
must "it has a cache on two SSDs" on_two_ssds
must "what that changes of a pool whose parts are raid1" measured
if ! in_turn raid1; then
  loaded=$(last load)
  try "killed with its tables loaded, and wanted again: no leg is put on errors" point $((loaded + 1)) present
  try "killed with the volume suspended: the advice brings back both legs, too" point $((loaded + 2)) present
fi
finish
