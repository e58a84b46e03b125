#!/bin/bash
# SPDX-License-Identifier: MIT
# Every occupied disk is refused and left bit for bit as it was (main job, item 5)
# boot: -d 2G -m 2560M -t 3000
# weight: 270
. "$GUEST/lib.sh"

# Each kind: its maker, and what `tierctl explain` must say. All are made before tierd runs, pulled out, and plugged in one by one.
make_ext4() { mkfs.ext4 -q "$1"; }
make_xfs() { TEST_DIR=1 TEST_DEV=1 QA_CHECK_FS=1 mkfs.xfs -q -f "$1"; } # so named, it makes small ones too
make_swap() { mkswap -q "$1" >/dev/null; }
make_luks() { cryptsetup luksFormat -q --type "luks${2:-2}" --pbkdf pbkdf2 --pbkdf-force-iterations 1000 "$1" <<<secret; }
make_luks1() { make_luks "$1" 1; }
make_mdraid() {
  modprobe -a raid1 md_mod 2>/dev/null || true
  mdadm --create /dev/md9 --run --level=1 --raid-devices=2 --metadata=1.2 "$1" missing >/dev/null 2>&1 || true
  settle # udev has it open
  [[ ! -e /sys/block/md9 ]] || wait_for 20 mdadm --stop /dev/md9
  mdadm --examine "$1" >/dev/null
}
make_pv() { vgcreate -qq another "$1" && vgchange -qq -an another; }
make_gpt() { sfdisk -q "$1" <<<$'label: gpt\nstart=2048' && settle; }
make_empty_gpt() { sfdisk -q "$1" <<<'label: gpt'; }
make_mbr() { sfdisk -q "$1" <<<$'label: dos\ntype=83' && settle; }
make_bcache() { make-bcache -C "$1" >/dev/null; }
# No zfs here: a label as the on-disk format has it, uberblock magic 0x00bab10c in the arrays of labels 0 and 1.
make_zfs() {
  local label i
  for label in 0 262144; do
    for i in 4 5 6 7 8 9; do
      printf '\x0c\xb1\xba\x00\x00\x00\x00\x00' | dd of="$1" bs=1 seek=$((label + 131072 + i * 1024)) conv=notrunc status=none
    done
  done
}
kinds=(ext4:ext4 xfs:xfs swap:swap luks:crypto_LUKS luks1:crypto_LUKS mdraid:'linux_raid_member|held by md' pv:'volume group another' gpt:gpt
  empty_gpt:gpt mbr:dos bcache:bcache zfs:zfs_member)

make_all() {
  make_volume
  load_ssds dev_size_mb=64
  mkdir -p /run/kind
  local each kind node
  for each in "${kinds[@]}"; do
    kind=${each%%:*}
    node=$(plug_ssd)
    settle
    "make_$kind" "$node" || fail "$kind could not be made"
    settle
    sync "$node"
    hash_of "$node" >"/run/kind/$kind.hash"
    pull "$node" >"/run/kind/$kind.host"
  done
  settle
}
must "each kind of occupied disk is made by its real tool" make_all

ready() {
  MATCH='{kind: ssd, min_size: 48MiB}' policy writeback
  start_tierd
  wait_convergence waiting
}
must "tierd waits" ready

occupied() { # KIND PATTERN
  local node
  node=$(replug "$(cat "/run/kind/$1.host")")
  refuses "$node" "$2"
  same "hash of the disk" "$(cat "/run/kind/$1.hash")" "$(hash_of "$node")"
  # What udev's rules put on it goes first.
  [[ $1 != mdraid ]] || mdadm --stop --scan 2>/dev/null || true
  if [[ $1 == bcache ]]; then for set in /sys/fs/bcache/*-*-*; do [[ ! -e $set ]] || echo 1 >"$set/unregister"; done; fi
  pull "$node" >/dev/null
  settle
}
for each in "${kinds[@]}"; do
  try "${each%%:*} is refused and unchanged" occupied "${each%%:*}" "${each#*:}"
done

# take_away NODE: pulled for good; the memory behind it is given to the next disk, so it is blanked.
take_away() {
  dd if=/dev/zero of="$1" bs=1M oflag=direct status=none 2>/dev/null || true
  pull "$1" >/dev/null
  forget_last_ssd
}

# In use, with nothing on it that a probe would find: they are put to use before tierd looks.
in_use() { # HOW PATTERN
  stop_tierd
  local node before
  node=$(plug_ssd)
  settle
  "use_$1" "$node"
  settle
  before=$(hash_of "$node")
  start_tierd
  refuses "$node" "$2"
  same "hash of the disk" "$before" "$(hash_of "$node")"
  stop_tierd
  "free_$1" "$node"
  take_away "$node"
  start_tierd
  wait_convergence waiting
}
use_mount() { # the superblock's magic is erased behind the mounted filesystem
  mkfs.ext4 -q "$1"
  mkdir -p /mnt/used
  mount -o ro "$1" /mnt/used # so that the kernel itself writes nothing
  dd if=/dev/zero of="$1" bs=1 seek=1080 count=2 conv=notrunc,fsync status=none
}
free_mount() { wait_for 20 umount /mnt/used; }
try "a mounted disk is refused, even with its signature gone" in_use mount 'mounted on /mnt/used'

use_holder() { dmsetup create stands-on-it --table "0 8192 linear $1 0" && settle; }
free_holder() { wait_for 20 dmsetup remove stands-on-it; }
try "a disk with a holder is refused" in_use holder 'held by dm-[0-9]+'

use_swap() { mkswap -q "$1" >/dev/null && swapon "$1"; }
free_swap() { swapoff "$1"; }
try "a disk that is swap now is refused" in_use swap 'swap'

use_open() { # O_EXCL by something that sysfs does not show
  # shellcheck disable=SC2016
  setsid python3 -c 'import os, sys, time; os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL); print("open", flush=True); time.sleep(600)' "$1" >/run/opened &
  echo $! >/run/opener
  wait_for 20 grep -q open /run/opened
}
free_open() {
  kill "$(cat /run/opener)"
  wait_for 20 bash -c "! kill -0 $(cat /run/opener)"
}
try "a disk that something has open exclusively is refused" in_use open 'claimed|in use|busy'

# A disk whose kind is not sure: it is what its evidence says, and that contradicts itself.
unknown_kind() { # UDEV PROPERTY
  stop_tierd
  mkdir -p /run/udev/rules.d
  echo 'SUBSYSTEM=="block", ENV{ID_MODEL}=="scsi_debug", '"$1" >/run/udev/rules.d/99-contradiction.rules
  udevadm control --reload
  start_tierd
  wait_convergence waiting
  local node before
  node=$(plug_ssd)
  before=$(hash_of "$node")
  wait_for 30 explains "$node" 'unknown'
  wait_for 30 is_idle
  stays 2 not_cached
  same Kind unknown "$(device_field "$node" Kind)"
  same "hash of the disk" "$before" "$(hash_of "$node")"
  same "changing commands" 0 "$(command_count)"
  take_away "$node"
  rm /run/udev/rules.d/99-contradiction.rules
  udevadm control --reload
}
# A18
try "rotational 0 and yet 7200 turns a minute: unknown, not taken" unknown_kind 'ENV{ID_ATA_ROTATION_RATE_RPM}="7200"'
try "behind USB: unknown, not taken" unknown_kind 'ENV{ID_BUS}="usb"'

spinning_disk() {
  local node
  stop_tierd
  node=$(plug_ssd)
  spinning "$node"
  start_tierd
  wait_for 30 explains "$node" 'kind'
  stays 2 not_cached
  [[ $(device_field "$node" Kind) != ssd ]] || fail "it is called an SSD"
  take_away "$node"
}
try "a disk that the kernel calls rotational is not taken" spinning_disk

# Promise 1: probed again under the lock, right before the first write.
between() {
  stop_tierd
  forget_commands
  start_tierd
  wait_convergence waiting
  hook_before claim "wait_for 20 test -s /run/between; node=\$(cat /run/between); mkfs.ext4 -q -F \$node; sync; hash_of \$node >/run/between.hash"
  plug_ssd >/run/between
  local node
  node=$(cat /run/between)
  wait_for 60 test -s /run/between.hash
  wait_for 60 explains "$node" 'ext4'
  wait_for 30 is_idle
  same "hash of the disk" "$(cat /run/between.hash)" "$(hash_of "$node")"
  same "changing commands" 1 "$(command_count)"
  holds "$(cat "$COMMANDS/log")" '^end 1 10$'
  # Its memory is kept: given back, it would be the next disk's, with what is on it.
  pull "$node" >/dev/null
}
try "a signature written between the plan and the first write: refused under the lock, unchanged" between

another_disk() {
  wait_for 30 is_idle
  forget_commands
  # The node is the same, the disk behind it is not.
  rm -f /run/between
  hook_before claim "wait_for 20 test -s /run/between; pull \$(cat /run/between); plug_ssd_as \$(cat /run/between); echo done >/run/exchanged"
  plug_ssd >/run/between
  wait_for 60 test -s /run/exchanged
  wait_for 60 grep -q '^end 1 ' "$COMMANDS/log"
  holds "$(cat "$COMMANDS/log")" '^end 1 12$'
  # The second one is blank and matches: it is taken on its own account.
  wait_for 120 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/between)" writeback
}
try "another disk under the same name between the plan and the first write: refused, then planned anew" another_disk
try "every file of the volume holds" files_hold
stop_tierd
finish
