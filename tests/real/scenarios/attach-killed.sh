#!/bin/bash
# SPDX-License-Identifier: MIT
# lvm is killed, and tierd with it, while it makes a cache or puts it in front of the volume: tierd goes on, or its advice does
# boot: -d 2G -t 900
# weight: 200
. "$GUEST/lib.sh"
. "$GUEST/dirty.sh"
. "$GUEST/killed.sh"

must "the slow volume" make_volume /dev/ubda 200M
slow_down 0

off() {
  absent
  tierctl reload
  wait_for 120 is_off
}
# killed WORD WHICH: of the lvm command with that word; WHICH gives the number of the thing it is killed before, of what it changes.
measured() {
  cut_at "$1" 0
  present
  tierctl reload
  wait_for 120 is_on
  cp "$COMMANDS/points" /run/points
  cat /run/points
  off
}
killed() {
  cut_at "$1" "$2"
  present
  tierctl reload
  wait_for 120 died
  dmsetup info -c --noheadings -o name,suspended
  goes_on
  wait_for 120 is_on
  lacks "$(dmsetup info -c --noheadings -o name,suspended)" ':Suspended'
  make_dirty 2
  off
  nothing_left
  dirt_holds
  rm -rf "${DATA:?}/dirt"
  files_hold
  nothing_forced
}
unwanted() {
  cut_at "$1" "$2"
  present
  tierctl reload
  wait_for 120 died
  dmsetup table --inactive "$VG-$LV" | grep cache
  absent
  start_tierd
  wait_for 120 is_off
  nothing_left
  same "tables loaded beside" "" "$(dmsetup table --inactive "$VG-$LV")"
  files_hold
}
with() {
  "$@"
  start_tierd
  off
}
again() {
  "$@"
  absent
  tierctl reload
}

plug_ssd >/run/ssd
must "nothing is cached" with policy writeback
must "what lvconvert --cachepool changes" measured --cachepool
try "killed behind its commit: the volume, which it left suspended, goes on with its cache" killed --cachepool "$(last resume)"
try "killed before its commit: what it loaded is dropped, and it is attached" killed --cachepool "$(nth suspend 1)"
try "killed before its commit, and not wanted any more: everything goes" unwanted --cachepool "$(nth suspend 1)"
export KIND=writecache
again policy writeback
must "what lvconvert --cachevol changes" measured --cachevol
try "killed behind its commit: the volume goes on with its writecache" killed --cachevol "$(last resume)"
try "killed before its commit: what it loaded is dropped, and the writecache attached" killed --cachevol "$(nth suspend 1)"
unset KIND
plug_ssd >/run/ssd.2
again policy_over_two raid1
must "what lvcreate of a raid1 part changes" measured lvcreate
for at in 3 12; do
  try "killed with the raid1 volume begun, before $at: what is left of it goes as a whole" killed lvcreate $at
done
finish
