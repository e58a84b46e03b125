#!/bin/bash
# SPDX-License-Identifier: MIT
# Two caches in one group, with names that device-mapper mangles; and groups that do not wait for each other's drains
# TIERD_GROUP_ROUNDS (0): how often two groups are cached at once, while a third drains slowly and while it does not, to compare the times
# boot: -d 1G -d 512M -d 512M -t 1500
# weight: 60
. "$GUEST/lib.sh"
readonly NAMED=v-g.1+x ONE=da-ta+1.0 TWO=a--b

field_of() { lvs -a --noheadings --nosuffix --units b -o "$2" "$1" | tr -d ' '; }
segtype_is() { [[ $(field_of "$1" segtype) == "$2" ]]; }
# tier NAME VOLUME DEVICE [LINE]...: an entry of the policy.
tier() {
  printf '  %s:\n    volume: %s\n    kind: cache\n    device: %s\n' "$1" "$2" "$3"
  printf '    %s\n' "${@:4}"
}

# ---------------------------------------------------------------- two caches in one group

# make_named LV: a volume with random data; what it is to hold is in /run/hash.LV.
make_named() {
  lvcreate -q -y -n "$1" -L 96M "$NAMED"
  dd if=/dev/urandom of="/dev/$NAMED/$1" bs=1M count=96 oflag=direct status=none
}
make_groups() {
  slow_disk /dev/ubda slow 8
  pvcreate -q /dev/mapper/slow
  vgcreate -q "$NAMED" /dev/mapper/slow
  make_named "$ONE"
  make_named "$TWO"
}
must "a group whose names have hyphens, a plus and dots" make_groups

two_caches() {
  mkdir -p /etc/tierd
  {
    printf 'devices:\n  fast:\n    match: {kind: ssd, serial: "*"}\ntiers:\n'
    tier one "$NAMED/$ONE" fast 'size: 80MiB' 'mode: writeback'
    tier two "$NAMED/$TWO" fast 'size: 80MiB' 'mode: writeback'
  } >/etc/tierd/10-two.yaml
  start_tierd
  plug_ssd >/run/ssd
  wait_for 120 segtype_is "$NAMED/$ONE" cache
  wait_for 120 segtype_is "$NAMED/$TWO" cache
  wait_convergence converged
  local name
  for name in "$ONE" "$TWO"; do
    dd if=/dev/urandom of="/dev/$NAMED/$name" bs=1M count=8 oflag=direct status=none
    dd if="/dev/$NAMED/$name" of=/dev/null bs=1M count=8 iflag=direct status=none
    dd if=/dev/urandom of="/dev/$NAMED/$name" bs=1M count=8 oflag=direct status=none
    hash_of "/dev/$NAMED/$name" >"/run/hash.$name"
    dmsetup table --target cache | grep -qF "${NAMED//-/--}-${name//-/--}:" || fail "$name has no table of a cache"
    # Seen by tierd under the names that people use: it found the device, and reads its status.
    same "health of $name" ok "$(tier_field "$([[ $name == "$ONE" ]] && echo one || echo two)" Health)"
    tierctl explain "$NAMED/$name" >/dev/null
    tierctl explain "/dev/mapper/${NAMED//-/--}-${name//-/--}" >/dev/null
  done
}
must "one SSD serves two volumes of one group, by names that device-mapper mangles" two_caches

one_leaves() {
  sed -i '0,/mode: writeback/s//mode: writeback\n    state: absent/' /etc/tierd/10-two.yaml
  tierctl reload
  wait_for 120 segtype_is "$NAMED/$ONE" linear
  wait_convergence converged
  segtype_is "$NAMED/$TWO" cache || fail "the other cache is gone"
  same "hash of $ONE" "$(cat "/run/hash.$ONE")" "$(hash_of "/dev/$NAMED/$ONE")"
  tierctl detach "$NAMED/$TWO"
  wait_for 120 segtype_is "$NAMED/$TWO" linear
  wait_convergence converged
  same "hash of $TWO" "$(cat "/run/hash.$TWO")" "$(hash_of "/dev/$NAMED/$TWO")"
  wait_for 60 bash -c "! pvs '$(cat /run/ssd)'"
}
try "one is drained and leaves, then the other: both volumes hold, and the disk is given back" one_leaves
stop_tierd
rm -f /etc/tierd/10-two.yaml
pull "$(cat /run/ssd)" >/dev/null

# ---------------------------------------------------------------- a slow drain in one group, and two others

# The disks of b and c, and what stands on them; that of a drains, or does not.
make_others() {
  local group
  lvremove -qq -y "$NAMED"
  vgrename -qq "$NAMED" a
  lvcreate -q -y -n data -L 256M a
  for group in b c; do
    slow_disk "$([[ $group == b ]] && echo /dev/ubdb || echo /dev/ubdc)" "slow-$group" 8
    pvcreate -q "/dev/mapper/slow-$group"
    vgcreate -q "$group" "/dev/mapper/slow-$group"
    lvcreate -q -y -n data -L 128M "$group"
  done
}
# serial_of NODE
serial_of() { udevadm info --query=property "$1" | sed -n 's/^ID_SCSI_SERIAL=//p'; }
groups_policy() { # SERIAL of a's SSD, of b's, of c's; state of a
  {
    printf 'devices:\n'
    printf '  %s:\n    match: {serial: "%s"}\n' fast-a "$1" fast-b "$2" fast-c "$3"
    printf 'tiers:\n'
    tier a a/data fast-a 'mode: writeback' "state: ${4:-present}"
    tier b b/data fast-b "state: ${5:-present}"
    tier c c/data fast-c "state: ${5:-present}"
  } >/etc/tierd/10-groups.yaml
}
both_are() { segtype_is b/data "$1" && segtype_is c/data "$1"; }
kernel_caches() { (($(dmsetup table --target cache | grep -c '^[bc]-data:') == $1)); }
# attach_both FILE STATE-OF-A: the milliseconds until both are cached, once the policy asks for them.
attach_both() {
  local began
  groups_policy "${serials[@]}" "$2" present
  began=${EPOCHREALTIME/./}
  tierctl reload
  wait_for 120 kernel_caches 2
  echo $(((${EPOCHREALTIME/./} - began) / 1000)) >>"$1"
}
detach_both() {
  wait_for 120 both_are cache
  # While a drains, so that it is called off, and not begun anew in the moment in which its disk is given back.
  groups_policy "${serials[@]}" present absent
  tierctl reload
  write_delay 8
  wait_for 120 both_are linear
  wait_for 120 segtype_is a/data cache
  wait_convergence converged
  wait_for 60 is_idle
}
median() { sort -n "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
# By the kernel: LVM looks at all disks first, the slow one among them.
a_drains() {
  local status
  status=$(dmsetup status --noflush a-data)
  [[ $status == *cleaner* ]] && (($(awk '{print $14}' <<<"$status") > 0))
}

# write_delay MS: of a's disk.
write_delay() {
  local table
  table=$(dmsetup table slow | cut -d' ' -f1-6)
  dmsetup suspend --nolockfs --noflush slow
  dmsetup load slow --table "$table $(awk '{print $4, $5}' <<<"$table") $1"
  dmsetup resume slow
}
side_by_side() {
  local rounds=$TIERD_GROUP_ROUNDS i j idle drained
  make_others
  for i in 1 2 3; do plug_ssd >"/run/ssd.$i"; done
  settle
  for i in 1 2 3; do serial_of "$(cat "/run/ssd.$i")"; done | paste -sd' ' >/run/serials
  read -r -a serials </run/serials
  groups_policy "${serials[@]}" present absent
  start_tierd
  wait_for 120 segtype_is a/data cache
  wait_convergence converged
  for ((i = 0; i < rounds; i++)); do
    attach_both /run/idle present
    detach_both
    # What a's cache holds becomes dirty. Once it drains, each write to its disk takes 10 s, and 1 MiB is under way at a time.
    for ((j = 0; j < 3; j++)); do dd if=/dev/urandom of=/dev/a/data bs=1M count=48 oflag=direct status=none; done
    write_delay 400
    groups_policy "${serials[@]}" absent absent
    tierctl reload
    wait_for 60 a_drains
    write_delay 10000
    attach_both /run/drained absent
    a_drains || fail "the slow drain had ended before the others were cached"
    detach_both
  done
  idle=$(median /run/idle) drained=$(median /run/drained)
  echo "two groups cached at once: $drained ms ($(sort -n /run/drained | paste -sd' ')) while a third drains slowly, $idle ms ($(sort -n /run/idle |
    paste -sd' ')) while it does not: $(awk -v a="$drained" -v b="$idle" 'BEGIN {printf "%.2f", a / b}') times" | tee -a "$OUT/figures"
}
((${TIERD_GROUP_ROUNDS:-0} == 0)) || try "two groups are cached at once while a third drains slowly" side_by_side
finish
