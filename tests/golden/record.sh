#!/bin/bash
# SPDX-License-Identifier: MIT
# Takes the machines of the golden plans from a booted kernel: tests/golden/record writes each into its folder, with the commands that
# made it. Run in the booted kernel.
. "$GUEST/lib.sh"

commands='' # those that made what is there, as they were run

# record NAME FUNCTION: what the function made is observed, as tierd does it and in LVM's own words.
record() {
  local folder=$OUT/$1
  mkdir -p "$folder"
  echo "=== $1"
  "$2" || exit 1
  udevadm settle
  "$BIN/tierd-observe" >"$folder/observation.json" || exit 1
  "$BIN/tierd-observe" --report >"$folder/lvm.json" || exit 1
  dmsetup status --noflush --target cache >"$folder/status"
  [[ -s $folder/status && $(cat "$folder/status") != "No devices found" ]] || rm "$folder/status"
  commands+=$(declare -f "$2" | sed '1,2d;$d;s/^    /  /;s/;$//')$'\n'
  {
    echo "Taken from a booted kernel ($(uname -r), lvm2 $(lvm version | sed -n 's/.*LVM version: *\([^ (]*\).*/\1/p')) by tests/golden/record, after:"
    printf %s "$commands"
  } >"$folder/taken"
}
forget() {
  umount "$DATA" 2>/dev/null
  vgremove -q -ff -y "$1" >/dev/null 2>&1
  for disk in "${@:2}"; do wipefs -q -a "$disk" "$disk"?* 2>/dev/null; sfdisk -q --delete "$disk" 2>/dev/null; dd if=/dev/zero of="$disk" bs=1M count=2 2>/dev/null; done
  udevadm settle
  commands=''
}

hdd=/dev/ubda
ssd=''

plain_vg() {
  pvcreate -q $hdd
  vgcreate -q lvm_hdd $hdd
  lvcreate -q -y -n hdd -L 500M lvm_hdd
}
record plain-vg plain_vg

blank_ssd() {
  ssd=$(plug_ssd)
}
record blank-ssd blank_ssd

ssd_with_vfat() {
  printf 'label: gpt\nstart=2048, size=200000, type=uefi, name=EFI\n' | sfdisk -q "$ssd"
  udevadm settle
  mkfs.vfat -n SYSTEM "${ssd}1"
}
record ssd-with-vfat ssd_with_vfat

foreign_pv_of_the_group() {
  wipefs -q -a "${ssd}1" "$ssd"
  udevadm settle
  pvcreate -q "$ssd"
  vgextend -q lvm_hdd "$ssd"
}
record foreign-pv-in-the-group foreign_pv_of_the_group

our_pv_of_the_group() {
  pvchange -q --addtag tierd.device=fast "$ssd"
}
record our-pv-in-the-group our_pv_of_the_group

pool_that_stands() {
  lvcreate -q -y --type cache-pool --poolmetadataspare n -n media -l 30 --poolmetadatasize 8M -c 64K --addtag tierd.tier=media lvm_hdd "$ssd"
}
record pool-that-stands pool_that_stands

writethrough() {
  pvchange -q -xn "$ssd"
  lvconvert -q -y --type cache --cachepool lvm_hdd/media --cachemode writethrough --cachepolicy smq lvm_hdd/hdd
  dmsetup status lvm_hdd-hdd
}
record cached-writethrough writethrough

ssd_pulled() {
  pull "$ssd" # its sysfs file "delete" is written
}
record ssd-pulled ssd_pulled
lvconvert -q -y --uncache lvm_hdd/hdd 2>/dev/null
vgreduce -q --removemissing lvm_hdd 2>/dev/null
forget lvm_hdd $hdd

foreign_cache() {
  ssd=$(plug_ssd)
  pvcreate -q $hdd "$ssd"
  vgcreate -q lvm_hdd $hdd "$ssd"
  lvcreate -q -y -n hdd -L 500M lvm_hdd $hdd
  lvcreate -q -y --type cache-pool -n p -L 100M lvm_hdd "$ssd"
  lvconvert -q -y --type cache --cachepool lvm_hdd/p --cachemode writeback lvm_hdd/hdd
}
record foreign-cache foreign_cache
forget lvm_hdd $hdd "$ssd"

thin_pool_and_snapshots() {
  pvcreate -q $hdd
  vgcreate -q lvm_hdd $hdd
  lvcreate -q -y -n hdd -L 200M lvm_hdd
  lvcreate -q -y -s -n nightly -L 40M lvm_hdd/hdd
  lvcreate -q -y --type thin-pool -n pool -L 200M lvm_hdd
  lvcreate -q -y -V 1G -n thin --thinpool pool lvm_hdd
  lvcreate -q -y -s -n thin-snap lvm_hdd/thin
}
record thin-and-snapshots thin_pool_and_snapshots
forget lvm_hdd $hdd

names_with_hyphens() {
  pvcreate -q $hdd
  vgcreate -q my-vg $hdd
  lvcreate -q -y -n my-lv -L 200M my-vg
}
record names-with-hyphens names_with_hyphens

two_ssds() {
  plug_ssd
}
record two-ssds two_ssds
