#!/bin/bash
# SPDX-License-Identifier: MIT
# A cache is changed and taken away while its volume is mounted and written to (issue kinds: mode, policy, settings, state: absent)
# TIERD_DRAIN_KILLS (8), TIERD_DRAIN_BLOCKS (768): how often a drain is killed, and how many blocks of 64 KiB are dirty before
# boot: -d 2G -t 1500
# weight: 310
. "$GUEST/lib.sh"
. "$GUEST/dirty.sh"

separately() {
  try "$@"
  (
    set -e
    take_down
    rm -rf "${DATA:?}"/written "$DATA"/dirt /run/written
  )
}
# change SED: the policy is edited, and taken over.
change() {
  sed -i "$1" /etc/tierd/10-media.yaml
  tierctl reload
}
must "the slow volume" make_volume

modes() {
  begin writeback
  start_writer /run/written
  make_dirty 16
  change 's/mode: .*/mode: writethrough/'
  wait_for 120 mode_is writethrough
  wait_convergence converged
  same "cache policy" smq "$(lv_field "$VG/$LV" cache_policy)"
  dirt_holds
  change 's/mode: .*/mode: passthrough/'
  wait_for 120 mode_is passthrough
  wait_convergence converged
  change 's/mode: .*/mode: writeback/'
  wait_for 120 mode_is writeback
  wait_convergence converged
  stop_writer
  written_holds /run/written
  dirt_holds
  tier_is_whole "$(cat /run/ssd)" writeback
  nothing_forced
}
separately "writeback, writethrough, passthrough and back, under a writer: each file holds" modes

settings() {
  begin writeback
  change 's/mode: .*/mode: writeback\n    settings: {migration_threshold: 8192}/'
  wait_for 60 setting_is migration_threshold=8192
  wait_convergence converged
  holds "$(dmsetup status "$VG-$LV")" 'migration_threshold 8192'
}
setting_is() { [[ $(lv_field "$VG/$LV" cache_settings) == "$1" ]]; }
separately "settings are changed while it runs" settings

absent() {
  begin writeback
  start_writer /run/written
  make_dirty 24
  change 's/mode: .*/mode: writeback\n    state: absent/'
  wait_for 240 not_cached
  wait_convergence converged
  stop_writer
  written_holds /run/written
  dirt_holds
  wait_for 60 no_pv "$(cat /run/ssd)"
  given_back "$(cat /run/ssd)"
  nothing_forced
  # And it comes again.
  change '/state: absent/d'
  wait_for 180 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
}
no_pv() { ! pvs "$1" >/dev/null 2>&1; }
separately "state: absent drains under a writer, takes the cache off, and gives the disk back; present takes it again" absent

# By the kernel: a daemon that has just begun does not know it yet.
dirty_blocks() { dmsetup status --noflush "$VG-$LV" | awk '{print $14}'; }
# kill -9 in the middle of the drain, again and again.
killed() {
  local i kills=${TIERD_DRAIN_KILLS:-8} blocks=${TIERD_DRAIN_BLOCKS:-768} left=0
  begin writeback
  # So slow that it is not over by itself before the last kill. What smq writes back meanwhile is made dirty, too.
  ((kills <= 8)) || slow_down 1000
  make_dirty $((kills <= 8 ? blocks / 16 : blocks / 12))
  ((kills <= 8)) || wait_for 30 is_dirty $((blocks * 65536))
  change 's/mode: .*/mode: writeback\n    state: absent/'
  for ((i = 0; i < kills; i++)); do
    sleep "0.$((RANDOM % 90 + 10))"
    if is_cached && (($(dirty_blocks) > 0)); then left=$((left + 1)); fi
    kill_tierd
    start_tierd
  done
  echo "killed $kills times, $left of them with dirty blocks left of $blocks" | tee -a "$OUT/figures"
  ((kills <= 8)) || slow_down 8
  wait_for 240 not_cached
  wait_convergence converged
  dirt_holds
  wait_for 60 no_pv "$(cat /run/ssd)"
  given_back "$(cat /run/ssd)"
}
separately "killed ${TIERD_DRAIN_KILLS:-8} times while it drains and detaches: the same end" killed

unwanted() {
  begin writeback
  make_dirty 48
  slow_down 1000
  change 's/mode: .*/mode: writeback\n    state: absent/'
  wait_for 60 policy_is cleaner
  change '/state: absent/d'
  wait_for 60 policy_is smq
  slow_down 8
  wait_convergence converged
  is_cached || fail "the cache is gone"
  dirt_holds
}
separately "a detach that is not wanted any more: the cache has its policy back" unwanted
try "every file of the volume holds" files_hold
finish
