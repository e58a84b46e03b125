#!/bin/bash
# SPDX-License-Identifier: MIT
# Run in the booted kernel by tests/bench/run: tierd beside what people use instead, in turn, five times; medians and ratios.
# shellcheck source=tests/real/lib.sh
. "$GUEST/lib.sh"
BIN=${TIERD_BIN:?}
ROUNDS=${TIERD_BENCH_ROUNDS:-5}

median() { sort -n | awk '{v[NR] = $1} END {print (NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2)}'; }
milliseconds() { echo $((${EPOCHREALTIME/./} / 1000)); }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.2f", a / b}'; }
# The kernel's own word for "cached": the volume stands on three devices instead of one. A glob, no process.
cached_in_kernel() {
  local below=("/sys/block/$1/slaves/"*)
  ((${#below[@]} == 3))
}

# ---------------------------------------------------------------- plug to cached

# By hand, as a script: what section "plug in" of the write-ups does once the disk has its node.
by_script() {
  local before after ssd
  before=$(milliseconds)
  ssd=$(plug_ssd)
  pvcreate -qq "$ssd"
  vgextend -qq "$VG" "$ssd"
  lvcreate -qq -y --type cache-pool -n media -l 58 --poolmetadatasize 8m -c 64k "$VG" "$ssd"
  lvconvert -qq -y --type cache --cachepool "$VG/media" --cachemode writeback --cachepolicy smq "$VG/$LV"
  pvchange -qq -xn --addtag by.hand "$ssd" >/dev/null
  after=$(milliseconds)
  echo $((after - before)) >>/run/by-script
}
by_tierd() {
  local before after
  before=$(milliseconds)
  plug_ssd >/dev/null
  until cached_in_kernel "$DM"; do read -rt 0.02 <> <(:) || true; done
  after=$(milliseconds)
  echo $((after - before)) >>/run/by-tierd
}
plug_to_cached() {
  make_volume
  DM=$(basename "$(readlink -f "/dev/$VG/$LV")")
  local round
  for ((round = 0; round < ROUNDS; round++)); do
    by_script
    take_down >/dev/null 2>&1
    policy writeback
    start_tierd
    by_tierd
    wait_convergence converged
    take_down >/dev/null 2>&1
  done
  local script tierd
  script=$(median </run/by-script) tierd=$(median </run/by-tierd)
  echo "plug to cached: tierd ${tierd} ms, script ${script} ms, ratio $(ratio "$tierd" "$script") (goal: 1.25 or less)" | tee -a "$OUT/figures"
}
try "plug to cached, against five commands in a script" plug_to_cached

# ---------------------------------------------------------------- one monitoring round, and memory

cpu_of() { # COMMAND...: CPU milliseconds of one run, children included
  local line
  line=$({ TIMEFORMAT='%U %S' && time "$@" >/dev/null 2>&1; } 2>&1 | tail -n 1)
  awk '{print ($1 + $2) * 1000}' <<<"$line"
}
monitoring_round() {
  local i
  truncate -s 64M /run/many && dd if=/dev/zero of=/run/many bs=1M count=0 seek=64 status=none
  local loop
  modprobe loop
  loop=$(losetup -f --show /run/many)
  for ((i = 0; i < 50; i++)); do dmsetup create "bench$i" --uuid "BENCH-$i" --table "0 1024 linear $loop $((i * 1024))"; done
  udevadm settle
  for ((i = 0; i < ROUNDS; i++)); do
    "$BIN/bench_monitor" 200 | cut -d' ' -f1 | awk '{print $1 / 1000}' >>/run/by-ioctl
    cpu_of lvs -o lv_name,data_percent,cache_dirty_blocks --reportformat json >>/run/by-lvs
    cpu_of dmsetup status >>/run/by-dmsetup
  done
  local ioctl lvs dmsetup
  ioctl=$(median </run/by-ioctl) lvs=$(median </run/by-lvs) dmsetup=$(median </run/by-dmsetup)
  echo "one monitoring round over 50 devices, CPU: tierd $ioctl ms, lvs $lvs ms ($(ratio "$lvs" "$ioctl") times; goal: 100), dmsetup status $dmsetup ms ($(ratio "$dmsetup" "$ioctl") times; goal: 10)" | tee -a "$OUT/figures"
  for ((i = 0; i < 50; i++)); do dmsetup remove "bench$i"; done
}
try "one monitoring round over 50 devices, against lvs and dmsetup status" monitoring_round

memory() {
  policy writeback
  start_tierd
  plug_ssd >/dev/null
  wait_convergence converged
  wait_for 60 is_idle
  sleep 20
  local pid resident before after
  pid=$(cat /run/tierd.pid)
  resident=$(awk '/^VmRSS/ {print $2}' "/proc/$pid/status")
  before=$(awk '{print $14 + $15}' "/proc/$pid/stat")
  sleep 60
  after=$(awk '{print $14 + $15}' "/proc/$pid/stat")
  echo "idle daemon: $((resident / 1024)).$((resident % 1024 * 10 / 1024)) MiB resident (goal: below 15), $((after - before)) ticks of CPU in 60 s, of $(getconf CLK_TCK) a second (goal: below 0.1 %)" | tee -a "$OUT/figures"
  stop_tierd
}
try "the idle daemon" memory
finish
