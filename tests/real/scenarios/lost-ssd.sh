#!/bin/bash
# SPDX-License-Identifier: MIT
# The SSD dies: pulled under a writer, in front of write-through and of write-back; and comes back
# TIERD_PULLS (0): how often a write-through SSD is pulled under a writer, to count the filesystems that stay writable
# boot: -d 2G -t 1500
# weight: 190
. "$GUEST/lib.sh"
. "$GUEST/dirty.sh"

is_whole() { [[ $(vgs --noheadings -o vg_missing_pv_count "$VG" 2>/dev/null | tr -d ' ') == 0 ]]; }
# A new file each time: of one that is there only its times would be to write.
is_writable() {
  local file=$DATA/written/yes-$EPOCHREALTIME
  mkdir -p "$DATA/written" && head -c 4096 /dev/urandom >"$file" && sync "$file"
}
# A filesystem that had to give up is well again once it was checked: what it had promised is on the disk.
mount_again() {
  umount "$DATA"
  fsck.ext4 -fp "/dev/$VG/$LV" >/dev/null || (($? < 4)) || fail "the filesystem is damaged"
  mount "/dev/$VG/$LV" "$DATA"
}
end_writer() {
  touch /run/stop-writer
  wait_for 20 bash -c "! kill -0 $(cat /run/writer.pid)"
  rm -f /run/stop-writer
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
  same "volumes" "$LV" "$(lvs -a --noheadings -o lv_name "$VG" | tr -d ' ' | paste -sd,)"
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
  end_writer
  is_writable || mount_again
  written_holds /run/written
  files_hold
  nothing_forced
}
try "pulled under a writer: each file that was synced holds" under_a_writer

# A30
outdated() {
  local before
  wait_for 60 is_idle
  before=$(command_count)
  replug "$(cat /run/host)" >/run/ssd
  wait_for 60 explains "$(cat /run/ssd)" outdated
  stays 3 not_cached
  same "changing commands" "$before" "$(command_count)"
  tierctl apply
  wait_for 180 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writethrough
  nothing_forced
}
try "the disk is back after it was taken out: it is known as outdated, and serves again by a person's word" outdated

# ---------------------------------------------------------------- in front of write-back

alert_says() { tierctl status | grep -qE -- "$1"; }
dirty_and_pulled() {
  local i before
  policy writeback
  tierctl reload
  wait_for 60 mode_is writeback
  wait_convergence converged
  # Else smq writes it back by itself before anybody has looked.
  slow_down 200
  mkdir -p "$DATA/dirt"
  for ((i = 0; i < 12; i++)); do
    dd if=/dev/urandom of="$DATA/dirt/$i" bs=1M count=1 oflag=direct status=none
    dd if="$DATA/dirt/$i" of=/dev/null bs=1M iflag=direct status=none
    dd if=/dev/urandom of="$DATA/dirt/$i" bs=1M count=1 oflag=direct conv=notrunc status=none
  done
  sync
  checksums >/run/checksums
  dmsetup status --noflush "$VG-$LV" >/run/status
  (($(awk '{print $14}' /run/status) > 0)) || fail "nothing is dirty: $(cat /run/status)"
  wait_for 20 dirty_is_known
  before=$(command_count)
  pull "$(cat /run/ssd)" >/run/host
  wait_for 60 alert_says 'nothing is done by itself. .* were on the SSD only when last seen'
  # Somebody changes the group meanwhile: LVM counts the disk out.
  vgchange -qq --addtag changed "$VG"
  sleep 5
  is_cached || fail "the cache is gone"
  same "changing commands" "$before" "$(command_count)"
  holds "$(tierctl doctor || true)" 'is whole +NO' "the writeback cache of $VG/$LV" 'tier media' 'keep the SSD'
  same "risks as JSON" "$VG" "$(tierctl doctor --json=short | jq -r '.risks[0].subject')"
}
dirty_is_known() { (($(tier_field media Dirty) > 0)); }
try "a write-back SSD is pulled while dirty: nothing is done by itself, and what is at stake is said" dirty_and_pulled

comes_back() {
  local before
  before=$(command_count)
  slow_down 8
  replug "$(cat /run/host)" >/run/ssd
  wait_for 60 explains "$VG/$LV" 'is back, and LVM holds it to be missing'
  sleep 2
  same "changing commands" "$before" "$(command_count)"
  # What comes next is the person's, too, and the apply says so.
  holds "$(tierctl apply 2>&1 || true)" 'lvchange -an'
  wait_for 60 is_whole
  umount "$DATA"
  lvchange -qq -an "$VG/$LV"
  lvchange -qq -ay "$VG/$LV"
  fsck.ext4 -p "/dev/$VG/$LV" >/dev/null || (($? < 4)) || fail "the filesystem is damaged"
  mount "/dev/$VG/$LV" "$DATA"
  files_hold
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
  nothing_forced
}
try "it is back: counted again by a person's word, activated anew, and all that was dirty is there" comes_back

given_up() {
  local before
  slow_down 200
  make_dirty 8
  wait_for 20 dirty_is_known
  pull "$(cat /run/ssd)" >/run/host
  wait_for 60 alert_says 'were on the SSD only when last seen'
  wait_for 60 is_idle
  holds "$(tierctl recover "$VG/$LV")" '^wait' '^drop-cache' 'were on the SSD only when last seen'
  before=$(command_count)
  ! tierctl recover "$VG/$LV" drop-cache </dev/null || fail "given up without a name"
  ! tierctl recover --confirm="$LV" "$VG/$LV" drop-cache || fail "given up with a wrong name"
  stays 3 is_cached
  same "changing commands" "$before" "$(command_count)"
  slow_down 8
  tierctl recover --confirm="$VG/$LV" "$VG/$LV" drop-cache
  wait_for 60 not_cached
  wait_for 60 is_whole
  # What is lost is lost: the filesystem says what it needs, and is a filesystem afterwards.
  umount "$DATA"
  fsck.ext4 -fy "/dev/$VG/$LV" >/run/fsck || (($? < 4)) || fail "the filesystem is beyond repair: $(tail -n 3 /run/fsck)"
  mount "/dev/$VG/$LV" "$DATA"
  is_writable || fail "it is not writable"
  same "forced" "lvconvert -y --uncache --force $VG/$LV" "$(commands | grep -oE 'lvconvert .*--force.*' | tail -n 1)"
  same "volumes" "$LV" "$(lvs -a --noheadings -o lv_name "$VG" | tr -d ' ' | paste -sd,)"
  same tags tierd.lost=fast "$(lv_field "$VG/$LV" lv_tags)"
}
try "a dirty write-back SSD does not come back: given up by the typed name, the group whole, the volume usable" given_up

another() {
  plug_ssd >/run/ssd
  wait_for 60 explains "$VG/$LV" 'takes? its place'
  wait_for 60 is_idle
  tierctl apply
  wait_for 180 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
}
try "and another SSD takes its place" another
take_down

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
      end_writer
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
