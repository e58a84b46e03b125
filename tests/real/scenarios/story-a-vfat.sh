#!/bin/bash
# SPDX-License-Identifier: MIT
# The SSD of story A carries a vfat partition: refused, then taken when the policy says so (main job, item 4)
# boot: -d 2G -m 2G -t 1500
# weight: 70
. "$GUEST/lib.sh"

make_disks() {
  make_volume
  local first second
  first=$(plug_ssd)
  sfdisk -q "$first" <<<$'label: gpt\nname="EFI"'
  settle
  mkfs.vfat -n OLD "${first}1" >/dev/null
  settle
  second=$(plug_ssd)
  sfdisk -q "$second" <<<$'label: gpt\nname="blank"'
  settle
  hash_of "$first" >/run/hash.first
  hash_of "$second" >/run/hash.second
  pull "$first" >/run/host.first
  pull "$second" >/run/host.second
}
must "a slow volume, one SSD with a vfat partition, one with a partition without any signature" make_disks

refused_by_default() {
  policy writeback
  start_tierd
  wait_convergence waiting
  replug "$(cat /run/host.first)" >/run/first
  local node
  node=$(cat /run/first)
  refuses "$node" 'gpt' 'vfat' "${node}1" 'wipe:' 'serial|wwn'
  same "hash of the disk" "$(cat /run/hash.first)" "$(hash_of "$node")"
  device_field "$node" Serial >/run/serial.first
}
must "it is refused, with the evidence and the way out" refused_by_default

# reload_with MATCH [LINE]...
reload_with() {
  MATCH=$1 policy writeback "${@:2}"
  tierctl reload || true
}
one_disk() { echo "{kind: ssd, serial: \"$1\"}"; }
needs_the_table_too() {
  reload_with "$(one_disk "$(cat /run/serial.first)")" 'wipe: [vfat]'
  refuses "$(cat /run/first)" 'gpt' 'vfat'
  same "hash of the disk" "$(cat /run/hash.first)" "$(hash_of "$(cat /run/first)")"
}
try "wipe: [vfat] alone is not enough: the table must be listed too" needs_the_table_too

needs_a_serial() {
  reload_with '{kind: ssd}' 'wipe: [vfat, gpt]'
  holds "$(manager PolicyProblems)" 'serial'
  ! tierctl check /etc/tierd/10-media.yaml >/dev/null 2>&1 || fail "tierctl check finds no fault"
  stays 3 not_cached
  same "hash of the disk" "$(cat /run/hash.first)" "$(hash_of "$(cat /run/first)")"
}
try "wipe without serial or wwn is an error of the policy, and takes nothing" needs_a_serial

blank_partition() {
  replug "$(cat /run/host.second)" >/run/second
  local node
  node=$(cat /run/second)
  wait_for 20 device_field "$node" Serial
  reload_with "$(one_disk "$(device_field "$node" Serial)")" 'wipe: [vfat, gpt]'
  refuses "$node" "${node}1" 'without a known signature'
  same "hash of the disk" "$(cat /run/hash.second)" "$(hash_of "$node")"
}
try "a partition without a known signature refuses, whatever may be wiped" blank_partition

taken() {
  local node
  node=$(cat /run/first)
  reload_with "$(one_disk "$(cat /run/serial.first)")" 'wipe: [vfat, gpt]'
  wait_for 120 is_cached
  wait_convergence converged
  [[ ! -e ${node}1 ]] || fail "${node}1 is still there"
  same "partitions the kernel has" "" "$(ls -d "/sys/block/${node#/dev/}/${node#/dev/}"* 2>/dev/null)"
  same "what is on the disk" LVM2_member "$(wipefs -n -O TYPE --noheadings "$node" | sort -u)"
  tier_is_whole "$node" writeback
  files_hold
}
try "with wipe: [vfat, gpt] and its serial it is taken; table and signature are gone" taken

other_untouched() { same "hash of the disk" "$(cat /run/hash.second)" "$(hash_of "$(cat /run/second)")"; }
try "the other disk is untouched" other_untouched
stop_tierd
finish
