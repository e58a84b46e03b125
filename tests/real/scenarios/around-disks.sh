#!/bin/bash
# SPDX-License-Identifier: MIT
# Disks as udev really brings them: at the start, twice, in storms, too many, too small (cases of kinds a and d)
# boot: -d 2G -m 2560M -t 3000
# weight: 180
. "$GUEST/lib.sh"

# separately CASE...: the next case begins with a plain volume, no tierd and no SSD.
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
  # Both must be seen together: the rule's disk may be taken a quarter of a second after the first came.
  first=$(plug_ssd) second=$(plug_ssd)
  settle
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
  settle
  host=$(pull "$node")
  settle
  policy writeback
  start_tierd
  wait_convergence waiting
  node=$(replug "$host")
  local name=${node#/dev/}
  [[ -e /sys/block/$name/${name}1 ]] || fail "the kernel found no partition on $node"
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
  settle
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
# cpu_of PATTERN: ticks of CPU of the processes that are so named, and of their children that have ended.
cpu_of() { cat /proc/[0-9]*/stat 2>/dev/null | awk -v name="$1" '$2 ~ name {ticks += $14 + $15 + $16 + $17} END {print ticks + 0}'; }
cpu_of_tierd() { awk '{print $14 + $15}' "/proc/$(cat /run/tierd.pid)/stat"; }
probes_of() { grep -c " tierd-device probe.*$1\$" "$COMMANDS/reads" || true; }
storm() {
  local node probes signals cpu udev began took end monitor
  node=$(plug_ssd)
  mkfs.ext4 -q "$node"
  settle
  policy writeback
  start_tierd
  refuses "$node" ext4
  busctl monitor org.tierd1 >/run/signals 2>/dev/null &
  monitor=$!
  probes=$(probes_of "$node") cpu=$(cpu_of_tierd) udev=$(cpu_of 'udev') began=${EPOCHREALTIME/./} end=$((SECONDS + 20))
  while ((SECONDS < end)); do
    echo change >"/sys/block/${node#/dev/}/uevent"
    sleep 0.033
  done
  settle
  probes=$(($(probes_of "$node") - probes)) cpu=$(($(cpu_of_tierd) - cpu)) udev=$(($(cpu_of 'udev') - udev))
  took=$(((${EPOCHREALTIME/./} - began) / 1000))
  kill "$monitor"
  signals=$(grep -c 'Member=PropertiesChanged' /run/signals || true)
  echo "$probes probes, $signals PropertiesChanged, $cpu ticks of CPU (udevd: $udev) in $took ms"
  ((probes * 1000 <= took + 3000)) || fail "$probes probes in $took ms: more than one a second and a burst of three"
  ((signals * 1000 <= 4 * (took + 2000))) || fail "$signals PropertiesChanged in $took ms"
  ((cpu <= udev)) || fail "$cpu ticks of CPU, and udevd $udev"
  same "State of the disk" ineligible "$(device_field "$node" State)"
}
separately "D03 30 change events a second: at most one look at the disk a second, no flood of signals" storm

# events_lost: what the kernel could not put into tierd's socket for udev's events, which is full.
events_lost() {
  local socket
  for socket in "/proc/$(cat /run/tierd.pid)/fd/"*; do
    socket=$(readlink "$socket")
    [[ $socket != socket:* ]] || echo "${socket//[!0-9]/}"
  done | awk 'NR == FNR {own[$1] = 1; next} $2 == 15 && $4 == "00000002" && $NF in own {print $(NF - 1); found = 1} END {exit !found}' - /proc/net/netlink
}
# fill_sockets: all who listen to udev get messages that are none, until tierd's socket takes no more.
fill_sockets() {
  local before
  before=$(events_lost)
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    # 15: NETLINK_KOBJECT_UEVENT; group 2: what udevd tells. Listeners pass over what does not begin with its magic.
    python3 -c '
import socket
tell = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)
for _ in range(500):
    try:
        tell.sendto(b"nothing\0" * 8000, (0, 2))
    except ConnectionRefusedError:
        pass  # the kernel itself does not want it'
    (($(events_lost) == before)) || return 0
  done
  fail "tierd's socket takes everything"
}
overrun() {
  local disks=${TIERD_MANY_DISKS:-24} before lost
  load_ssds per_host_store=0 dev_size_mb=8
  policy writeback
  start_tierd
  wait_convergence waiting
  wait_for 60 is_idle
  # tierd does not read for a while, and its socket is full: not one of the disks is told to it.
  kill -STOP "$(cat /run/tierd.pid)"
  fill_sockets
  before=$(events_lost)
  add_scsi_debug_host "$disks"
  wait_for 120 there_are "$disks"
  settle
  lost=$(($(events_lost) - before))
  kill -CONT "$(cat /run/tierd.pid)"
  echo "$lost events lost"
  ((lost >= disks)) || fail "$lost events lost, of $disks disks and more"
  wait_for 180 all_seen "$disks"
  wait_for 120 is_idle
  all_seen "$disks"
}
there_are() { (($(cat /sys/block/sd*/device/model | grep -c scsi_debug) == $1)); }
all_seen() {
  local paths
  paths=$(objects | jq -r '.data[0][]["org.tierd1.Device"] | select(. != null and .Model.data == "scsi_debug") | .Path.data')
  [[ $(wc -l <<<"$paths") == "$1" && $(sort -u <<<"$paths" | wc -l) == "$1" ]]
}
separately "many disks at once, and every event of them lost: none missed, none twice" overrun
try "every file of the volume holds" files_hold
finish
