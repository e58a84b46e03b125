# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced in the booted kernel: disks that come and go, as a person's hands would do it.

# settle: udev is through with all that happened so far, however long it takes.
settle() { udevadm settle --timeout=900; }

# load_ssds [PARAMETER=VALUE]...: what plug_ssd brings: blank disks of 256 MiB, rotational 0, each with a serial and WWN of its own,
# and each in memory of its own. Once until the module goes; plug_ssd does it with the defaults.
load_ssds() {
  if [[ -d /sys/module/scsi_debug ]]; then
    (($# == 0)) || { echo "scsi_debug is loaded already" >&2 && return 1; }
  else
    modprobe scsi_debug per_host_store=1 add_host=0 num_tgts=1 max_luns=1 dev_size_mb=256 "$@"
  fi
}

# new_disk COMMAND...: runs the command and prints the node of the disk that appeared because of it, once the kernel is through with it:
# its partitions are there, and what is written to its attributes stays. udev need not have heard of it.
new_disk() {
  local before after='' limit=$((SECONDS + 120))
  before=$(ls /sys/block)
  "$@" >&2
  until after=$(comm -13 <(sort <<<"$before") <(ls /sys/block) | grep '^sd') && [[ -b /dev/$after ]]; do
    ((SECONDS < limit)) || { echo "no disk appeared" >&2 && return 1; }
    sleep 0.1
  done
  # The driver looks at a disk in the background, and once more after the node is there. A rescan waits for it.
  echo 1 >"/sys/block/$after/device/rescan"
  echo "/dev/$after"
}

add_scsi_debug_host() { echo "${1:-1}" >/sys/bus/pseudo/drivers/scsi_debug/add_host; }

# plug_ssd: a blank SSD appears; prints its node. What udev and tierd make of it comes after.
plug_ssd() { load_ssds && new_disk add_scsi_debug_host; }
# plug_ssd_as NODE: a blank SSD appears under that name, which is free as soon as nobody has the disk open that had it.
plug_ssd_as() {
  local node limit=$((SECONDS + 120))
  until node=$(plug_ssd) && [[ $node == "$1" ]]; do
    pull "$node" >/dev/null
    forget_last_ssd
    ((SECONDS < limit)) || { echo "$1 is not free" >&2 && return 1; }
    sleep 0.1
  done
}

# pull NODE: the disk is gone, with whatever stood on it. replug HOST: it is there again with its old content; pull prints its HOST.
pull() {
  basename "$(realpath "/sys/block/${1#/dev/}/device/../..")"
  echo 1 >"/sys/block/${1#/dev/}/device/delete"
}
scan_host() { echo '- - -' >"/sys/class/scsi_host/$1/scan"; }
replug() { new_disk scan_host "$1"; }

# forget_last_ssd: the memory of the disk plugged in last is given back.
forget_last_ssd() { add_scsi_debug_host -1; }

# spinning NODE: the kernel calls this disk rotational.
spinning() { echo 1 >"/sys/block/${1#/dev/}/queue/rotational"; }

# slow_disk NODE NAME MS: /dev/mapper/NAME is NODE with MS milliseconds before each read and write. It begins 1 MiB into NODE: at
# the same place LVM would find one PV on two devices, and refuse both.
slow_disk() {
  modprobe dm-delay
  dmsetup create "$2" --table "0 $(($(blockdev --getsz "$1") - 2048)) delay $1 2048 $3"
  settle
}

# scsi_disk NODE SERIAL ssd|hdd: NODE (a /dev/ubdX, whose file can outlive the kernel) appears as a SCSI disk with that serial (8 hex
# digits), a WWN made from it, and the rotational flag asked for; prints its node.
link_scsi_disk() {
  local target=/sys/kernel/config/target id
  id=$(find $target/core -maxdepth 1 -name 'iblock_*' 2>/dev/null | wc -l)
  local store=$target/core/iblock_$id/disk port=$target/loopback/naa.500140500000000$id/tpgt_1
  mkdir -p "$store" "$port/lun/lun_0"
  echo "udev_path=$1" >"$store/control"
  echo 1 >"$store/enable"
  echo "$2" >"$store/wwn/vpd_unit_serial"
  if [[ $3 == ssd ]]; then echo 1; else echo 0; fi >"$store/attrib/is_nonrot"
  echo "naa.600140500000000$id" >"$port/nexus"
  ln -s "$store" "$port/lun/lun_0/port"
}
scsi_disk() {
  modprobe -a target_core_mod target_core_iblock tcm_loop
  mkdir -p /etc/target
  mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
  # LVM sees each PV once: on the SCSI disk, not on the /dev/ubdX below it.
  echo 'devices { global_filter = [ "a#^/dev/(sd|mapper/|dm-|nvme|loop|bcache|md)#", "r#.*#" ] }' >/etc/lvm/lvmlocal.conf
  new_disk link_scsi_disk "$@"
}
