#!/bin/bash
# SPDX-License-Identifier: MIT
# Took the files of this folder, in the booted kernel: ../../../real/boot -d 2G -t 200 record.sh; they are then in its /out.
# lvm2 2.03.16, kernel 6.1, Debian 12. report.args are the words of lvm::report_command; a test holds the two against each other.
# shellcheck source=tests/real/guest.sh disable=SC1091
. "${GUEST:?}/guest.sh" 2>/dev/null || . "$GUEST"
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mapfile -t args <"$here/report.args"
report() { lvm "${args[@]}" >"$OUT/$1.json" && dmsetup status --noflush >"$OUT/$1.status"; }
mapfile -t lvm_duplicates <"$here/duplicates.args"

lvm lvmconfig --typeconfig full allocation/cache_pool_max_chunks devices/use_devicesfile devices/devicesfile \
  activation/snapshot_autoextend_threshold global/locking_dir >"$OUT/lvmconfig"
lvm version | sed '/Configuration/d' >"$OUT/version"
report nothing
slow_disk /dev/ubda slow 8
pvcreate -q /dev/mapper/slow
vgcreate -q lvm_hdd /dev/mapper/slow
lvcreate -q -n hdd -L 1G lvm_hdd
ssd=$(plug_ssd) other=$(plug_ssd)
lvm pvcreate --uuid abcdef-0123-4567-89ab-cdef-0123-456789 --norestorefile "$ssd"
report orphan
lvm vgextend lvm_hdd "$ssd"
lvm lvcreate -y --type cache-pool -n p -l 40 --poolmetadatasize 8388608b -c 65536b --addtag tierd.tier=media lvm_hdd "$ssd"
lvm pvchange -xn --addtag tierd.device=fast "$ssd"
report pool
lvm lvconvert -y --type cache --cachepool lvm_hdd/p --cachemode writeback --cachepolicy smq --cachesettings migration_threshold=16384 lvm_hdd/hdd
report cached

pvcreate -qq "$other"
vgcreate -qq vg-two "$other"
lvcreate -qy -n my-lv -L 40M vg-two
lvcreate -qy -s -n snap -L 16M vg-two/my-lv
lvcreate -qy --type thin-pool -n tp -L 40M vg-two
lvcreate -qy -V 20M -T vg-two/tp -n th
vgchange -q --addtag a --addtag b vg-two
lvchange -q --addtag x.y=1 --addtag z vg-two/my-lv
lvchange -qan vg-two/th
mkfs.ext4 -q /dev/vg-two/snap
lvcreate -qqs -n csnap -L 16M lvm_hdd/hdd /dev/mapper/slow
report two
copy=$(plug_ssd)
dd if="$other" of="$copy" bs=1M status=none
udevadm settle
report duplicate
lvm "${lvm_duplicates[@]}" >"$OUT/duplicate.pvs"
pull "$copy"
lvremove -qqy lvm_hdd/csnap
vgchange -qan vg-two
vgexport -q vg-two
report exported
vgimport -q vg-two
pull "$ssd"
report missing
