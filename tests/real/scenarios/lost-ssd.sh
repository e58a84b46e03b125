#!/bin/bash
# SPDX-License-Identifier: MIT
# The SSD dies: pulled under a writer, in front of write-through and of write-back; and comes back
# TIERD_PULLS (0): how often a write-through SSD is pulled under a writer, to count the filesystems that stay writable
# boot: -d 2G -t 1500
# weight: 100
. "$GUEST/lib.sh"

begin() {
  policy "$@"
  start_tierd
  plug_ssd >/run/ssd
  wait_for 180 is_cached
  wait_convergence converged
}
nothing_forced() { lacks "$(commands)" ' (-f|-ff|--force)( |$)'; }
is_whole() { [[ $(vgs --noheadings -o vg_missing_pv_count $VG 2>/dev/null | tr -d ' ') == 0 ]]; }
is_writable() { mkdir -p "$DATA/written" && touch "$DATA/written/yes" && sync "$DATA/written/yes"; }
# A filesystem that had to give up is well again once it was checked: what it had promised is on the disk.
mount_again() {
  umount "$DATA"
  fsck.ext4 -p "/dev/$VG/$LV" >/dev/null || (($? < 4)) || fail "the filesystem is damaged"
  mount "/dev/$VG/$LV" "$DATA"
}
forget_ssd() {
  (
    set -e
    stop_writer 2>/dev/null || true
    take_down
    rm -rf "${DATA:?}"/written
  )
}
must "the slow volume" make_volume

# Nobody wrote in between: nobody noticed.
pulled() {
  begin writethrough
  checksums >/dev/null
  checksums >/dev/null
  pull "$(cat /run/ssd)" >/run/host
  wait_for 60 not_cached
  is_writable || fail "the filesystem is not writable any more"
  wait_for 60 is_whole
  files_hold
  nothing_forced
  same "volumes" "$LV" "$(lvs -a --noheadings -o lv_name $VG | tr -d ' ' | paste -sd,)"
  # What LVM refused while a physical volume was missing.
  lvextend -qq -l +1 "$VG/$LV"
  lvcreate -qq -s -l 10 -n snap "$VG/$LV"
  lvremove -qq -y "$VG/snap"
}
try "a write-through SSD is pulled: its cache is taken off, the filesystem goes on, the group is whole" pulled

replaced() {
  wait_convergence waiting
  plug_ssd >/run/ssd
  wait_for 60 explains "$VG/$LV" 'takes? its place'
  stays 3 not_cached
  wait_for 60 is_idle
  tierctl apply
  wait_for 180 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writethrough
  lacks "$(lv_field "$VG/$LV" lv_tags)" 'tierd\.lost'
}
try "another SSD takes its place by a person's word" replaced

under_a_writer() {
  start_writer /run/written
  sleep 2
  pull "$(cat /run/ssd)" >/run/host
  wait_for 60 not_cached
  wait_for 60 is_whole
  touch /run/stop-writer
  wait_for 20 bash -c "! kill -0 $(cat /run/writer.pid)"
  rm -f /run/stop-writer
  is_writable || mount_again
  written_holds /run/written
  files_hold
  nothing_forced
}
try "pulled under a writer: each file that was synced holds" under_a_writer
forget_ssd

# ---------------------------------------------------------------- how many filesystems stay writable

survives() {
  local round well=0
  for ((round = 0; round < TIERD_PULLS; round++)); do
    (
      set -e
      begin writethrough "replace: true"
      rm -f /run/written
      start_writer /run/written
      sleep 2
      pull "$(cat /run/ssd)" >/dev/null
      wait_for 60 not_cached
      touch /run/stop-writer
      wait_for 20 bash -c "! kill -0 $(cat /run/writer.pid)"
      rm -f /run/stop-writer
      if is_writable; then echo well >>/run/survived; else mount_again; fi
      written_holds /run/written
      wait_for 60 is_whole
      take_down
      rm -rf "${DATA:?}"/written
    )
  done
  well=$(wc -l </run/survived)
  echo "filesystems that stayed writable: $well of $TIERD_PULLS" | tee -a "$OUT/figures"
}
((${TIERD_PULLS:-0} == 0)) || try "pulled $TIERD_PULLS times under a writer" survives

finish
