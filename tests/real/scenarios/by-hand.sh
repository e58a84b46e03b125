#!/bin/bash
# SPDX-License-Identifier: MIT
# What people do by hand to what tierd made, and meanwhile: seen, said, and never undone behind their backs (promises 1, 3 and 6)
# boot: -d 2G -t 1200
# weight: 210
. "$GUEST/lib.sh"

separately() {
  try "$@"
  (
    set -e
    take_down
  )
}
alert_codes() { tierctl --json=short status | jq -r '.alerts[].code' | sort -u; }
alert_is_up() { alert_codes | grep -qx "$1"; }
no_alert() { [[ -z $(alert_codes) ]]; }
cached_by_tierd() {
  policy writeback
  start_tierd
  plug_ssd >/run/ssd
  wait_for 180 is_cached
  wait_convergence converged
}
must "the slow volume" make_volume

uncached() {
  cached_by_tierd
  local before
  before=$(command_count)
  lvconvert -qq -y --uncache "$VG/$LV"
  wait_for 60 alert_is_up foreign-change
  wait_for 60 is_idle
  another_pass
  not_cached || fail "it was cached again behind the person's back"
  same "changing commands" "$before" "$(command_count)"
  holds "$(tierctl plan)" "by hand" "tierctl apply"
  tierctl apply
  wait_for 120 is_cached
  wait_convergence converged
  wait_for 60 no_alert
  tier_is_whole "$(cat /run/ssd)" writeback
  files_hold
}
separately "a cache removed by hand (lvconvert --uncache) stays removed until somebody says apply" uncached

split_off() {
  cached_by_tierd
  local before
  before=$(command_count)
  lvconvert -qq -y --splitcache "$VG/$LV"
  wait_for 60 alert_is_up foreign-change
  another_pass
  not_cached || fail "it was cached again behind the person's back"
  same "changing commands" "$before" "$(command_count)"
  tierctl apply
  wait_for 120 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
  files_hold
}
separately "a pool split off by hand stays off until somebody says apply" split_off

suspended() {
  cached_by_tierd
  dmsetup suspend "$VG-$LV"
  wait_for 60 alert_is_up half-made
  # The advice, as it stands there.
  tierctl --json=short status | jq -r '.alerts[].details.message' | grep -oE "'(dmsetup|lvchange) [^']*'" | tr -d "'" >/run/advised
  same "what is advised" "lvchange --refresh $VG/$LV" "$(tail -n 1 /run/advised)"
  while read -r line; do eval "$line"; done </run/advised
  wait_for 60 no_alert
  wait_convergence converged
  files_hold
}
separately "a volume that was left suspended is said to be, with the way out" suspended

# A06
alone() {
  cached_by_tierd
  umount "$DATA"
  lvchange -an "$VG/$LV"
  lvchange -qq -y -ay "$VG/media_cpool_cdata"
  ! lvchange -ay "$VG/$LV" || fail "LVM activates it all the same"
  wait_for 60 alert_is_up half-made
  tierctl --json=short status | jq -r '.alerts[].details.message' | grep -oE "'lvchange [^']*'" | tr -d "'" >/run/advised
  same "what is advised" "lvchange -an $VG/media_cpool_cdata" "$(cat /run/advised)"
  eval "$(cat /run/advised)"
  lvchange -ay "$VG/$LV"
  mount "/dev/$VG/$LV" "$DATA"
  wait_for 60 no_alert
  wait_convergence converged
  files_hold
}
separately "a volume that LVM does not activate, since a part of its cache is active on its own: said, with the way out" alone

moved() {
  local other
  other=$(plug_ssd)
  pvcreate -qq "$other"
  vgextend -qq "$VG" "$other"
  lvcreate -qq -y -n moving -L 32M "$VG" /dev/mapper/slow
  # In the background, and slow: the move of the volume itself holds its allocation locked.
  lvextend -qq -L +64M "$VG/$LV" "$other"
  pvmove -qq -b -i 1 -n "$LV" "$other" /dev/mapper/slow
  policy writeback
  start_tierd
  plug_ssd >/run/ssd
  wait_for 240 is_cached
  wait_convergence converged
  lacks "$(grep -v '^start' "$COMMANDS/log" || true)" '^end [0-9]+ [^0]'
  all_on "$(cat /run/ssd)"
  files_hold
  lvremove -qq -y "$VG/moving"
}
separately "a volume on the move (pvmove) is cached when it has arrived, without a failed command" moved

# Promise 1: between pvcreate and vgextend the disk becomes another one's.
relabelled() {
  policy writeback
  start_tierd
  wait_convergence waiting
  # shellcheck disable=SC2016
  hook_before vgextend 'dd if=/dev/zero of=$(cat /run/ssd) bs=4k count=1 conv=notrunc,fsync status=none; pvcreate -qq $(cat /run/ssd); pvs --noheadings -o pv_uuid $(cat /run/ssd) >/run/their-uuid'
  plug_ssd >/run/ssd
  wait_for 60 test -s /run/their-uuid
  wait_for 60 is_idle
  another_pass
  not_cached || fail "cached on a disk that had become another one's"
  same "the disk's group" "" "$(pvs --noheadings -o vg_name "$(cat /run/ssd)" | tr -d ' ')"
  same "the label" "$(tr -d ' ' </run/their-uuid)" "$(pvs --noheadings -o pv_uuid "$(cat /run/ssd)" | tr -d ' ')"
}
separately "a disk that gets another label between pvcreate and vgextend is not taken into the group" relabelled

canceled() {
  policy writeback
  start_tierd
  wait_convergence waiting
  # shellcheck disable=SC2016
  hook_before lvcreate 'busctl call org.tierd1 "$(busctl --json=short get-property org.tierd1 /org/tierd1 org.tierd1.Manager Jobs | jq -r ".data[0]")" org.tierd1.Job Cancel "a{sv}" 0; exit 0'
  plug_ssd >/run/ssd
  wait_for 90 canceled_job
  wait_for 60 fenced "$(cat /run/ssd)"
  stays 3 not_cached
  tierctl thaw media
  wait_for 120 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
}
canceled_job() { tierctl --json=short status | jq -e '.frozen | length > 0'; }
fenced() { [[ $(pvs --noheadings -o pv_attr "$1") != *a* ]]; }
separately "a job canceled in the middle leaves the SSD closed to others, and a thaw goes on" canceled
try "every file of the volume holds" files_hold
finish
