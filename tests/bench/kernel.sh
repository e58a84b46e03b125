#!/bin/bash
# SPDX-License-Identifier: MIT
# Run in the booted kernel by tests/bench/run: tierd beside what people use instead, in turn; medians and ratios.
# TIERD_BENCH_ROUNDS (5), TIERD_BENCH (plug lost monitoring idle), TIERD_BENCH_LOG (debug: tierd's log goes to /out).
# shellcheck source=tests/real/lib.sh
. "$GUEST/lib.sh"
BIN=${TIERD_BIN:?}
ROUNDS=${TIERD_BENCH_ROUNDS:-5}
read -ra WANTED <<<"${TIERD_BENCH:-plug lost monitoring idle}"
# Waiting without a process: nothing ever comes out of that pipe.
exec {pause}<> <(:)
export LVM_SUPPRESS_FD_WARNINGS=1 # it is open in all that is run
nap() { read -rt "$1" -u "$pause" || true; }

median() { sort -n "$1" | awk '{v[NR] = $1} END {print (NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2)}'; }
all_of() { sort -n "$1" | paste -sd' '; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.2f", a / b}'; }
figure() { echo "$*" | tee -a "$OUT/figures"; }
# As it is installed: no wrapper around what it executes.
start_bare_tierd() { UNWRAPPED=1 start_tierd "$@"; }

# ---------------------------------------------------------------- plug to cached

# The kernel's own word for "cached": the volume stands on three devices instead of one.
cached_in_kernel() {
  local below=("/sys/block/$DM/slaves/"*)
  ((${#below[@]} == 3))
}
# until_cached FILE: the milliseconds from the plug until the kernel says so.
until_cached() {
  local began=${EPOCHREALTIME/./} end=$((SECONDS + 120))
  add_scsi_debug_host
  until cached_in_kernel; do
    ((SECONDS < end)) || fail "not cached after 120 s"
    nap 0.02
  done
  echo $(((${EPOCHREALTIME/./} - began) / 1000)) >>"$1"
}
# As a script that knows the disk's name beforehand, and does not even wait for udev.
by_script() {
  (
    set -e
    until [[ -b $SSD ]]; do nap 0.02; done
    pvcreate -qq "$SSD"
    vgextend -qq "$VG" "$SSD"
    lvcreate -qq -y --type cache-pool -n media -l 58 --poolmetadatasize 8m -c 64k "$VG" "$SSD"
    pvchange -qq -xn --addtag by.hand "$SSD"
    lvconvert -qq -y --type cache --cachepool "$VG/media" --cachemode writeback --cachepolicy smq "$VG/$LV"
  ) >/run/by-script.log 2>&1 &
  until_cached /run/by-script
  wait $! || fail "the script: $(cat /run/by-script.log)"
}
by_tierd() {
  policy writeback
  start_bare_tierd --log-level "${TIERD_BENCH_LOG:-info}"
  wait_convergence waiting
  wait_for 60 is_idle
  until_cached /run/by-tierd
  wait_convergence converged
}
clean_up() {
  take_down >/dev/null
  load_ssds
}
plug_to_cached() {
  make_volume
  DM=$(basename "$(readlink -f "/dev/$VG/$LV")")
  SSD=/dev/sda # the only one, each time
  local round script tierd
  load_ssds
  for ((round = 0; round < ROUNDS; round++)); do
    by_script
    clean_up
    by_tierd
    clean_up
  done
  script=$(median /run/by-script) tierd=$(median /run/by-tierd)
  figure "plug to cached: tierd $tierd ms ($(all_of /run/by-tierd)), script $script ms ($(all_of /run/by-script)): $(ratio "$tierd" "$script") times (goal: at most 1.25)"
}

# ---------------------------------------------------------------- SSD gone to the volume out of its cache

# The volume stands on its own disk alone.
out_of_cache() {
  local below=("/sys/block/$DM/slaves/"*)
  ((${#below[@]} == 1))
}
# until_out FILE COMMAND...: the milliseconds from the pull, after which the command runs, until the kernel says so.
until_out() {
  local file=$1 began end=$((SECONDS + 120))
  shift
  pull "$(cat /run/ssd)" >/dev/null
  began=${EPOCHREALTIME/./}
  "$@" &
  until out_of_cache; do
    ((SECONDS < end)) || fail "still cached after 120 s"
    nap 0.02
  done
  echo $(((${EPOCHREALTIME/./} - began) / 1000)) >>"$file"
  wait $!
}
ssd_gone() {
  [[ -e /dev/$VG/$LV ]] || make_volume
  DM=$(basename "$(readlink -f "/dev/$VG/$LV")")
  local round script tierd by
  for ((round = 0; round < ROUNDS; round++)); do
    for by in script tierd; do
      policy writethrough
      start_bare_tierd
      plug_ssd >/run/ssd
      wait_convergence converged
      wait_for 60 is_idle
      if [[ $by == script ]]; then
        stop_tierd
        until_out /run/out-by-script lvconvert -qq -y --uncache "$VG/$LV" 2>/dev/null
        vgreduce -qq --removemissing "$VG" 2>/dev/null
      else
        until_out /run/out-by-tierd true
        wait_convergence waiting
      fi
      take_down >/dev/null
      lvchange -qq --deltag tierd.lost=fast "$VG/$LV"
    done
  done
  script=$(median /run/out-by-script) tierd=$(median /run/out-by-tierd)
  figure "SSD gone to out of the cache: tierd $tierd ms ($(all_of /run/out-by-tierd)), a bare lvconvert --uncache at once $script ms" \
    "($(all_of /run/out-by-script)): $(ratio "$tierd" "$script") times (goal: at most 1.3)"
}

# ---------------------------------------------------------------- one monitoring round

# cpu_of TIMES COMMAND...: CPU milliseconds of one run, children included.
cpu_of() {
  local times=$1 line i TIMEFORMAT='%U %S'
  shift
  line=$({ time for ((i = 0; i < times; i++)); do "$@" >/dev/null 2>&1; done; } 2>&1 | tail -n 1)
  awk -v times="$times" '{print ($1 + $2) * 1000 / times}' <<<"$line"
}
monitoring_round() {
  local i loop ioctl lvs dmsetup
  modprobe loop
  truncate -s 64M /run/many
  loop=$(losetup -f --show /run/many)
  for ((i = 0; i < 50; i++)); do dmsetup create "bench$i" --uuid "BENCH-$i" --table "0 1024 linear $loop $((i * 1024))"; done
  udevadm settle
  for ((i = 0; i < ROUNDS; i++)); do
    "$BIN/bench_monitor" 500 | awk '{print $1 / 1000}' >>/run/by-ioctl
    cpu_of 3 lvs -o lv_name,data_percent,cache_dirty_blocks --reportformat json >>/run/by-lvs
    cpu_of 10 dmsetup status >>/run/by-dmsetup
  done
  for ((i = 0; i < 50; i++)); do dmsetup remove "bench$i"; done
  losetup -d "$loop"
  ioctl=$(median /run/by-ioctl) lvs=$(median /run/by-lvs) dmsetup=$(median /run/by-dmsetup)
  figure "a monitoring round over 50 devices, CPU: tierd $ioctl ms; lvs $lvs ms: $(ratio "$lvs" "$ioctl") times (goal: at least 100); dmsetup status $dmsetup ms: $(ratio "$dmsetup" "$ioctl") times (goal: at least 10)"
}

# ---------------------------------------------------------------- the daemon when nothing happens

# cpu_so_far PID: nanoseconds on a CPU, its children's not among them: there are none.
cpu_so_far() { cut -d' ' -f1 "/proc/$1/schedstat"; }
idle_daemon() {
  [[ -e /dev/$VG/$LV ]] || make_volume
  policy writeback
  start_bare_tierd
  plug_ssd >/dev/null
  wait_convergence converged
  wait_for 60 is_idle
  sleep 20
  local pid resident private cpu began took
  pid=$(cat /run/tierd.pid)
  resident=$(awk '/^VmRSS/ {print $2}' "/proc/$pid/status") private=$(awk '/^RssAnon/ {print $2}' "/proc/$pid/status")
  cpu=$(cpu_so_far "$pid") began=${EPOCHREALTIME/./}
  sleep 60
  cpu=$(($(cpu_so_far "$pid") - cpu)) took=$((${EPOCHREALTIME/./} - began))
  figure "the idle daemon with one tier: $(ratio "$resident" 1024) MiB resident, $(ratio "$private" 1024) of them its own (goal: less than 15)," \
    "$(awk -v cpu="$cpu" -v took="$took" 'BEGIN {printf "%.3f", cpu / took / 10}') % of a core (goal: less than 0.1)"
  stop_tierd
}

for each in "${WANTED[@]}"; do
  case $each in
    plug) try "plug to cached, beside five commands in a script" plug_to_cached ;;
    lost) try "the SSD is pulled, beside a bare lvconvert --uncache" ssd_gone ;;
    monitoring) try "a monitoring round over 50 devices, beside lvs and dmsetup status" monitoring_round ;;
    idle) try "the idle daemon" idle_daemon ;;
    *) echo "no bench $each" >&2 && exit 64 ;;
  esac
done
finish
