#!/bin/bash
# SPDX-License-Identifier: MIT
# Disks as udev really brings them: at the start, twice, in storms, too many, too small (cases of kinds a and d)
# boot: -d 2G -m 2560M -t 1200
# weight: 180
. "$GUEST/lib.sh"

# take_down_after CASE...: the next case begins with a plain volume, no tierd and no SSD.
separately() {
  try "$@"
  (
    set -e
    take_down
  )
}

# D06
at_start() {
  plug_ssd >/run/ssd
  policy writethrough
  start_tierd
  wait_for 120 is_cached
  wait_convergence converged
  same "objects of the disk" ssd "$(device_field "$(cat /run/ssd)" Kind)"
  tier_is_whole "$(cat /run/ssd)" writethrough
  files_hold
}
must "the slow volume" make_volume
separately "D06 an SSD that is there at the start is taken, once" at_start

two_match() {
  local first second before
  policy writeback
  start_tierd
  # Both must be seen together: the rule's disk may be taken a quarter of a second after the first came.
  stop_tierd
  first=$(plug_ssd) second=$(plug_ssd)
  before=$(hash_of "$first")$(hash_of "$second")
  start_tierd
  wait_for 60 convergence_is blocked
  wait_for 30 is_idle
  stays 2 not_cached
  holds "$(tierctl plan)" 'two|2|more than one|several|count' "$first" "$second"
  holds "$(tierctl status)" 'device-ambiguous|ambiguous'
  same "changing commands" 0 "$(command_count)"
  same "hashes" "$before" "$(hash_of "$first")$(hash_of "$second")"
  pull "$first" >/dev/null
  wait_for 120 is_cached
  wait_convergence converged
  tier_is_whole "$second" writeback
}
separately "two disks match and the rule asks for one: neither is taken; when one is gone, the other is" two_match

too_small() {
  SIZE=1GiB policy writeback
  start_tierd
  wait_convergence waiting
  local node before
  node=$(plug_ssd)
  before=$(hash_of "$node")
  wait_for 60 convergence_is blocked
  wait_for 30 is_idle
  holds "$(tierctl plan)" '1(\.0)? GiB'
  same "changing commands" 0 "$(command_count)"
  same "hash of the disk" "$before" "$(hash_of "$node")"
  SIZE=64MiB policy writeback
  tierctl reload
  wait_for 120 is_cached
  wait_convergence converged
  same "data size" 67108864 "$(lvs -a --noheadings --nosuffix --units b -o lv_size -S 'lv_name=~_cdata$' "$VG" | tr -d ' ')"
}
separately "a size that the disk does not hold is refused with the number, before anything is written" too_small

plan_says() { tierctl plan | grep -qE -- "$1"; }
plan_says() { tierctl plan | grep -qE -- "$1"; }
sectors() {
  load_ssds sector_size=4096
  policy writeback
  start_tierd
  wait_convergence waiting
  local node before
  node=$(plug_ssd)
  before=$(hash_of "$node")
  wait_for 90 plan_says '4 KiB|4096'
  wait_for 30 is_idle
  stays 2 not_cached
  same "changing commands" 0 "$(command_count)"
  same "hash of the disk" "$before" "$(hash_of "$node")"
}
separately "4 KiB sectors do not go into a volume group of 512-byte ones: refused, untouched" sectors

# D07
partition_events() {
  local node host
  node=$(plug_ssd)
  sfdisk -q "$node" <<<$'label: gpt\nstart=2048'
  udevadm settle
  host=$(pull "$node")
  udevadm settle
  policy writeback
  start_tierd
  wait_convergence waiting
  node=$(replug "$host")
  local name=${node#/dev/}
  echo add >"/sys/block/$name/${name}1/uevent"
  echo add >"/sys/block/$name/uevent"
  echo change >"/sys/block/$name/uevent"
  echo add >"/sys/block/$name/${name}1/uevent"
  refuses "$node" gpt "${node}1"
  same "objects of the disk" ineligible "$(device_field "$node" State)"
}
separately "D07 events of a partition before, with and after its disk: one object, not taken" partition_events

# D02, D05: a signature comes without any event, the daemon's picture being old. The probe before the first write sees it.
signature_without_event() {
  local node
  node=$(plug_ssd)
  udevadm settle
  policy writeback
  start_tierd --dry-run
  wait_for 30 device_field "$node" State
  # The superblock is written through a second descriptor that stays open: udev's close-write event does not come.
  dd if=/dev/zero of=/run/image bs=1M count=256 status=none
  mkfs.ext4 -q -F /run/image
  exec 7<>"$node"
  dd if=/run/image bs=1M count=4 conv=notrunc status=none >&7
  sync
  stop_tierd
  start_tierd
  refuses "$node" ext4
  exec 7>&-
}
separately "D02, D05 a superblock that no event told of is found by tierd's own probe" signature_without_event

# D03
storm() {
  local node seconds=20 before after probes cpu cpu_before
  node=$(plug_ssd)
  mkfs.ext4 -q "$node"
  udevadm settle
  policy writeback
  start_tierd
  refuses "$node" ext4
  busctl monitor org.tierd1 >/run/signals 2>/dev/null &
  local monitor=$!
  before=$(grep -c " tierd-device probe.*$node\$" "$COMMANDS/reads" || true)
  cpu_before=$(cut -d' ' -f14,15 "/proc/$(cat /run/tierd.pid)/stat" | tr ' ' +)
  local began=$SECONDS
  while ((SECONDS - began < seconds)); do
    echo change >"/sys/block/${node#/dev/}/uevent"
    sleep 0.033
  done
  udevadm settle
  seconds=$((SECONDS - began))
  after=$(grep -c " tierd-device probe.*$node\$" "$COMMANDS/reads" || true)
  cpu=$((($(cut -d' ' -f14,15 "/proc/$(cat /run/tierd.pid)/stat" | tr ' ' +)) - (cpu_before)))
  kill "$monitor"
  probes=$((after - before))
  local signals
  signals=$(grep -c 'Member=PropertiesChanged' /run/signals || true)
  echo "$probes probes, $signals PropertiesChanged, $cpu ticks of CPU in $seconds s"
  ((probes <= seconds + 2)) || fail "$probes probes in $seconds s"
  ((signals <= 4 * (seconds + 2))) || fail "$signals PropertiesChanged in $seconds s"
  ((cpu <= seconds * 100 / 5)) || fail "$cpu ticks of CPU in $seconds s"
  same "State of the disk" ineligible "$(device_field "$node" State)"
}
separately "D03 30 change events a second: at most one look at the disk a second, no flood of signals" storm

overrun() {
  load_ssds per_host_store=0 dev_size_mb=8 max_luns=1
  policy writeback
  start_tierd
  wait_convergence waiting
  # tierd does not read for a while: the monitor's buffer runs over, and the end of what happened is lost.
  kill -STOP "$(cat /run/tierd.pid)"
  add_scsi_debug_host "${TIERD_MANY_DISKS:-24}"
  udevadm settle
  local round
  for ((round = 0; round < 12; round++)); do udevadm trigger --action=change --subsystem-match=block; done
  udevadm settle
  echo "events lost by the kernel's sockets:"
  grep -E "^sk|  15 +$(cat /run/tierd.pid) " /proc/net/netlink || true
  kill -CONT "$(cat /run/tierd.pid)"
  wait_for 180 all_seen "${TIERD_MANY_DISKS:-24}"
  wait_for 120 is_idle
  all_seen "${TIERD_MANY_DISKS:-24}"
}
all_seen() {
  local paths
  paths=$(objects | jq -r '.data[0][]["org.tierd1.Device"] | select(. != null and .Model.data == "scsi_debug") | .Path.data')
  [[ $(wc -l <<<"$paths") == "$1" && $(sort -u <<<"$paths" | wc -l) == "$1" ]]
}
separately "many disks at once and the monitor's buffer overrun: none missed, none twice" overrun
try "every file of the volume holds" files_hold
finish
