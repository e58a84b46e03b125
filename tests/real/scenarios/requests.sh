#!/bin/bash
# SPDX-License-Identifier: MIT
# What persons ask for by a verb: flush, set-mode, detach and its end; a cache of another shape; the volume grows under its cache
# boot: -d 2G -t 1500
# weight: 250
. "$GUEST/lib.sh"
. "$GUEST/dirty.sh"

must "the slow volume" make_volume
must "it is cached, writeback, and written to" begin writeback
start_writer /run/written

flush() {
  slow_down 40
  make_dirty 24
  wait_for 20 is_dirty 1
  slow_down 8
  tierctl flush --limit=10min "$VG/$LV" >/run/said
  holds "$(cat /run/said)" 'job [0-9]+: done in'
  wait_convergence converged
  same "cache policy" smq "$(lv_field "$VG/$LV" cache_policy)"
  same mode writeback "$(lv_field "$VG/$LV" cache_mode)"
  dirt_holds
  same tags "" "$(lv_field "$VG/$LV" lv_tags)"
}
try "flush: what was dirty is written back under a writer, and the cache is as before" flush

mode() {
  tierctl set-mode "$VG/$LV" writethrough
  wait_for 60 mode_is writethrough
  kill_tierd
  start_tierd
  wait_convergence converged
  mode_is writethrough || fail "the mode was forgotten by another daemon"
  holds "$(tierctl status)" 'mode writethrough is asked for by a person'
  tierctl set-mode --cancel media
  wait_for 60 mode_is writeback
  wait_convergence converged
  dirt_holds
}
try "set-mode: holds against the policy, in another daemon too, until it is called off" mode

detach() {
  make_dirty 24
  # So slow that it is called off in its middle, however slow the machine is.
  slow_down 1000
  tierctl detach --no-block "$VG/$LV"
  wait_for 60 policy_is cleaner
  holds "$(lv_field "$VG/$LV" lv_tags)" 'tierd\.detach'
  kill_tierd
  start_tierd
  tierctl detach --cancel "$VG/$LV"
  wait_for 60 policy_is smq
  wait_convergence converged
  is_cached || fail "the cache is gone"
  same tags "" "$(lv_field "$VG/$LV" lv_tags)"
  slow_down 8
  tierctl detach "$VG/$LV"
  ! is_cached || fail "it is cached still"
  given_back "$(cat /run/ssd)"
  dirt_holds
  stays 3 not_cached
  holds "$(tierctl status)" 'detach is asked for by a person'
  tierctl detach --cancel "$VG/$LV"
  wait_for 120 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
}
try "detach: called off in the middle, then done; no cache comes until that is called off" detach

shape() {
  make_dirty 8
  echo "    size: 128MiB" >>/etc/tierd/10-media.yaml
  tierctl reload
  wait_for 30 convergence_is drift
  holds "$(tierctl plan)" 'LVM changes that of no cache that stands' 'needs a person|tierctl apply'
  stays 2 is_cached
  tierctl apply --no-block
  wait_for 60 tags_are tierd.remake
  kill_tierd
  start_tierd
  wait_for 120 pool_is $((128 << 20))
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
  same tags "" "$(lv_field "$VG/$LV" lv_tags)"
  dirt_holds
}
tags_are() { [[ $(lv_field "$VG/$LV" lv_tags) == "$1" ]]; }
pool_is() { [[ $(lvs -a --noheadings --nosuffix --units b -o lv_size -S "lv_name=~_cpool\$" "$VG" | tr -d ' ') == "$1" ]]; }
try "another size: a person agrees, tierd is killed, and the pool is made anew under the writer" shape

grow() {
  local before
  before=$(lv_field "$VG/$LV" lv_size)
  lvextend -q -L +64M "$VG/$LV"
  resize2fs -p "/dev/$VG/$LV" >/dev/null 2>&1
  same size $((before + (64 << 20))) "$(lv_field "$VG/$LV" lv_size)"
  wait_convergence converged
  all_on "$(cat /run/ssd)"
  make_dirty 8
  tierctl flush "$VG/$LV"
  dirt_holds
}
try "lvextend by hand under the cache: the volume grows, on its own disk, and the cache works on" grow

all_holds() {
  stop_writer
  written_holds /run/written
  rm -rf "$DATA/dirt"
  files_hold
  nothing_forced
}
try "every file of the volume holds, and nothing was forced" all_holds
finish
