#!/bin/bash
# SPDX-License-Identifier: MIT
# Each kind of cache goes its whole way: a cachevol, a writecache, the data of a thin pool (issue kinds: C13, A13, A26)
# boot: -d 2G -t 900
# weight: 380
. "$GUEST/lib.sh"
. "$GUEST/dirty.sh"

separately() {
  try "$@"
  (
    set -e
    tear_down
  )
}
tear_down() {
  stop_tierd
  lvconvert -qq -y --uncache "$VG/${VOLUME#"$VG/"}" 2>/dev/null || true
  take_down
  rm -rf "${DATA:?}"/written "$DATA"/dirt /run/written
}
change() {
  sed -i "$1" /etc/tierd/10-media.yaml
  tierctl reload
}
# stands KIND: the cache in front of $FRONT.
stands() { dmsetup table --target "$1" | grep -q "^$FRONT:"; }
stands_not() { ! stands "$1"; }
no_pv() { ! pvs "$1" >/dev/null 2>&1; }
come() {
  policy "$@"
  start_tierd
  plug_ssd >/run/ssd
  wait_for 180 stands "${KIND:-cache}"
  wait_convergence converged
}
# go_away: by the policy, with everything given back.
go_away() {
  change 's/mode: .*/mode: writeback\n    state: absent/'
  wait_for 240 stands_not "${KIND:-cache}"
  wait_convergence converged
  wait_for 60 no_pv "$(cat /run/ssd)"
  nothing_forced
}
everything_holds() {
  dirt_holds
  rm -rf "${DATA:?}"/dirt
  files_hold
}
tags_of() { lvs -a --noheadings -o lv_tags "$VG/$1" | tr -d ' '; }
export VOLUME=$VG/$LV FRONT=$VG-$LV
must "the slow volume" make_volume

cachevol() {
  export STORE=volume
  come writeback
  start_writer /run/written
  same "the cachevol's tag" tierd.tier=media "$(tags_of media_cvol)"
  # LVM's cleaner does nothing on it: it is write-through, and says why.
  same "its mode" writethrough "$(lv_field "$VG/$LV" cache_mode)"
  holds "$(COLUMNS=300 tierctl)" 'no cleaner on a cachevol'
  lacks "$(pvs --noheadings -o pv_attr "$(cat /run/ssd)")" 'a'
  stop_writer
  written_holds /run/written
  lvchange -qq -y --cachemode writeback "$VG/$LV"
  make_dirty 16
  wait_for 120 mode_is writethrough
  wait_convergence converged
  dirt_holds
  # What is taken off by hand waits for a person.
  stop_tierd
  lvconvert -qq -y --splitcache "$VG/$LV"
  start_tierd
  wait_for 60 explains "$VG/$LV" 'taken off by hand'
  tierctl apply
  wait_for 120 stands cache
  wait_convergence converged
  rm -rf "${DATA:?}"/written /run/written
  start_writer /run/written
  go_away
  stop_writer
  written_holds /run/written
  everything_holds
  given_back "$(cat /run/ssd)"
}
separately "a cachevol: attached, changed, split off by hand, put back, drained and given back, under a writer" cachevol
unset STORE

writecache() {
  export KIND=writecache
  come writeback
  same "its mode on the bus" writeback "$(tier_field media Mode)"
  start_writer /run/written
  make_dirty 16
  wait_for 30 is_dirty 1
  tierctl flush media
  change 's/mode: .*/mode: writeback\n    settings: {low_watermark: 20}/'
  wait_for 60 setting_is low_watermark=20
  wait_convergence converged
  # A26: it grows under it.
  stop_writer
  lvextend -qq -L +16M "$VG/$LV" /dev/mapper/slow
  wait_convergence converged
  kill_tierd
  start_tierd
  wait_convergence converged
  written_holds /run/written
  # B17: under a thick snapshot its last block stays until tierd tells it again.
  lvcreate -qq -y -s -n before -L 64M "$VG/$LV" /dev/mapper/slow
  make_dirty 16
  go_away
  lvremove -qq -y "$VG/before"
  everything_holds
  given_back "$(cat /run/ssd)"
}
setting_is() { [[ ,$(lv_field "$VG/$LV" cache_settings), == *,"$1",* ]]; }
separately "a writecache: attached, flushed, changed, grown, drained and given back, under a writer" writecache
unset KIND

# From one kind to another, by drain and re-attach.
another_kind() {
  come writeback
  start_writer /run/written
  make_dirty 8
  change 's/kind: cache/kind: writecache/'
  wait_for 60 explains "$VG/$LV" 'kind from cache to writecache'
  tierctl apply
  wait_for 180 stands writecache
  wait_convergence converged
  dirt_holds
  change 's/kind: writecache/kind: cache\n    store: volume/'
  wait_for 60 explains "$VG/$LV" 'kind from writecache to cache'
  tierctl apply
  wait_for 180 stands cache
  wait_convergence converged
  stop_writer
  written_holds /run/written
  go_away
  everything_holds
}
separately "from cache to writecache to cachevol, by a person's word, under a writer" another_kind

thin() {
  export VOLUME=$VG/tp FRONT=$VG-tp_tdata
  lvcreate -qq -y --type thin-pool -L 200M -n tp "$VG" /dev/mapper/slow
  lvcreate -qq -y -V 150M -n thin --thinpool tp "$VG"
  mkfs.ext4 -q "/dev/$VG/thin"
  mkdir -p /run/thin
  mount "/dev/$VG/thin" /run/thin
  dd if=/dev/urandom of=/run/thin/a bs=1M count=20 oflag=direct status=none
  local sum
  sum=$(sha256sum /run/thin/a)
  come writeback
  same "the volume on the bus" "$VG/tp" "$(tier_field media Volume)"
  dd if=/dev/urandom of=/run/thin/b bs=1M count=20 oflag=direct status=none
  dd if=/run/thin/b of=/dev/null bs=1M iflag=direct status=none
  dd if=/dev/urandom of=/run/thin/b bs=1M count=20 oflag=direct conv=notrunc status=none
  sum+=$(sha256sum /run/thin/b)
  change 's/mode: .*/mode: writethrough/'
  wait_for 120 data_mode_is writethrough
  wait_convergence converged
  tierctl detach media
  wait_for 120 stands_not cache
  wait_convergence converged
  tierctl detach --cancel media
  wait_for 120 stands cache
  wait_convergence converged
  go_away
  echo 3 >/proc/sys/vm/drop_caches
  same "what is on the thin volume" "$sum" "$(sha256sum /run/thin/a)$(sha256sum /run/thin/b)"
  umount /run/thin
  files_hold
  # What nobody asks for stands, and is shown.
  lvremove -qq -y "$VG/tp"
}
data_mode_is() { [[ $(lv_field "$VG/tp_tdata" cache_mode) == "$1" ]]; }
separately "the data of a thin pool: attached, changed, detached by a word and back, given back" thin
# Last: the filesystem may have met an error before tierd did.
lost_cachevol() {
  export STORE=volume
  come writethrough
  start_writer /run/written
  sleep 1
  pull "$(cat /run/ssd)" >/dev/null
  wait_for 120 stands_not cache
  stop_writer
  written_holds /run/written
  files_hold
  nothing_forced
  # Nothing of it is left in the kernel that would hold the disk.
  lacks "$(dmsetup info -c --noheadings -o name)" '_cvol'
}
separately "a write-through cachevol whose SSD is pulled is taken off" lost_cachevol
unset STORE
finish
