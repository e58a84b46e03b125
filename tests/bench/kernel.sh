#!/bin/bash
# SPDX-License-Identifier: MIT
# Run in the booted kernel by tests/bench/run: tierd beside what people use instead, in turn; medians and ratios.
# TIERD_BENCH_ROUNDS (5), TIERD_BENCH (plug shell clean lost monitoring idle), TIERD_BENCH_LOG (debug: tierd's log goes to /out).
# shellcheck source=tests/real/lib.sh
. "$GUEST/lib.sh"
# shellcheck source=tests/real/dirty.sh
. "$GUEST/dirty.sh"
BIN=${TIERD_BIN:?}
ROUNDS=${TIERD_BENCH_ROUNDS:-5}
read -ra WANTED <<<"${TIERD_BENCH:-plug shell clean lost monitoring idle}"
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

# ---------------------------------------------------------------- the same commands in a long-lived shell

# The shell of LVM, started beforehand; what is written to descriptor 9 are its commands.
open_shell() {
  rm -f /run/shell && mkfifo /run/shell
  lvm </run/shell >/run/shell.log 2>&1 &
  echo $! >/run/shell.pid
  exec 9>/run/shell
  echo "vgs --noheadings -o vg_name" >&9
  wait_for 20 grep -q "^ *$VG" /run/shell.log
}
close_shell() {
  exec 9>&-
  wait_for 20 bash -c "! kill -0 $(cat /run/shell.pid)"
}
by_shell() {
  (
    set -e
    until [[ -b $SSD ]]; do nap 0.02; done
    printf '%s\n' "pvcreate -qq $SSD" "vgextend -qq $VG $SSD" \
      "lvcreate -qq -y --type cache-pool -n media -l 58 --poolmetadatasize 8m -c 64k $VG $SSD" "pvchange -qq -xn --addtag by.hand $SSD" \
      "lvconvert -qq -y --type cache --cachepool $VG/media --cachemode writeback --cachepolicy smq $VG/$LV" >&9
  ) &
  until_cached /run/by-shell
  wait $!
}
report_by_commands() {
  local i began=${EPOCHREALTIME/./}
  for ((i = 0; i < 20; i++)); do lvs --noheadings -o lv_name "$VG" >/dev/null; done
  echo $(((${EPOCHREALTIME/./} - began) / 20000)) >>/run/lvs-by-commands
}
report_by_shell() {
  local i before began
  before=$(grep -c "^ *$LV" /run/shell.log || true) began=${EPOCHREALTIME/./}
  for ((i = 0; i < 20; i++)); do echo "lvs --noheadings -o lv_name $VG" >&9; done
  until (($(grep -c "^ *$LV" /run/shell.log) == before + 20)); do nap 0.02; done
  echo $(((${EPOCHREALTIME/./} - began) / 20000)) >>/run/lvs-by-shell
}
shell_beside_commands() {
  [[ -e /dev/$VG/$LV ]] || make_volume
  DM=$(basename "$(readlink -f "/dev/$VG/$LV")")
  SSD=/dev/sda
  local round script shell memory
  rm -f /run/by-script
  load_ssds
  for ((round = 0; round < ROUNDS; round++)); do
    by_script
    clean_up
    open_shell
    by_shell
    memory=$(awk '/^VmRSS/ {rss = $2} /^VmLck/ {locked = $2} END {print rss " KiB resident, " locked " locked"}' "/proc/$(cat /run/shell.pid)/status")
    report_by_commands
    report_by_shell
    close_shell
    clean_up
  done
  script=$(median /run/by-script) shell=$(median /run/by-shell)
  figure "five commands: in an lvm shell that runs already $shell ms ($(all_of /run/by-shell)), one process each $script ms" \
    "($(all_of /run/by-script)): $(ratio "$shell" "$script") times; lvs $(median /run/lvs-by-shell) ms and $(median /run/lvs-by-commands) ms;" \
    "the shell has $memory"
}

# ---------------------------------------------------------------- clean in the kernel to known on the bus

# made_dirty: and the cleaner has something to do.
made_dirty() {
  slow_down 100
  make_dirty 6
  (($(dmsetup status --noflush "$VG-$LV" | awk '{print $14}') > 0)) || fail "nothing is dirty"
}
# The first signal with Dirty = 0 that dbus-monitor saw, in microseconds.
said_clean() {
  awk '/^signal / {at = ($0 ~ /path=\/org\/tierd1\/tier\/media/); match($0, /time=[0-9.]+/); time = substr($0, RSTART + 5, RLENGTH - 5)}
       at && /string "Dirty"$/ {dirty = 1; next} at && dirty && /uint64 0$/ {sub(/\./, "", time); print time; exit} {dirty = 0}' /run/bus.log
}
clean_was_said() { [[ $(said_clean) ]]; }
clean_by_tierd() {
  local monitor clean
  made_dirty
  dbus-monitor --system "type='signal',sender='org.tierd1',interface='org.freedesktop.DBus.Properties'" >/run/bus.log &
  monitor=$!
  "$BIN/bench_monitor" clean "$UUID" >/run/clean &
  clean=$!
  timeout 120 "$BIN/tierctl" flush "$VG/$LV" >/dev/null
  wait "$clean"
  wait_for 5 clean_was_said
  kill "$monitor"
  echo $(($(said_clean) - $(cat /run/clean))) >>/run/clean-by-tierd
  slow_down 8
}
# What lvconvert reads of the status first after the cache has become clean, by strace.
clean_by_lvconvert() {
  local clean seen
  made_dirty
  "$BIN/bench_monitor" clean "$UUID" >/run/clean &
  clean=$!
  strace -ttt -e trace=ioctl -o /run/strace lvconvert -qq -y --splitcache "$VG/$LV"
  wait "$clean"
  slow_down 8
  seen=$(awk -v clean="$(cat /run/clean)" '/DM_TABLE_STATUS/ {sub(/\./, "", $1); if ($1 + 0 >= clean + 0) {print $1; exit}}' /run/strace)
  echo $((seen - $(cat /run/clean))) >>/run/clean-by-lvconvert
}
clean_to_known() {
  command -v strace >/dev/null || skip "strace is not installed"
  [[ -e /dev/$VG/$LV ]] || make_volume
  local round tierd lvconvert
  for ((round = 0; round < ROUNDS; round++)); do
    policy writeback
    start_bare_tierd
    plug_ssd >/run/ssd
    wait_convergence converged
    wait_for 60 is_idle
    UUID=$(dmsetup info -c --noheadings -o uuid "$VG-$LV")
    clean_by_tierd
    stop_tierd
    clean_by_lvconvert
    lvremove -qq -y "$VG/$(lvs --noheadings -o lv_name -S 'segtype=cache-pool' "$VG" | tr -d ' ')"
    take_down >/dev/null
    rm -rf "$DATA/dirt"
  done
  tierd=$(median /run/clean-by-tierd) lvconvert=$(median /run/clean-by-lvconvert)
  figure "clean to known: on the bus $(ratio "$tierd" 1000) ms ($(all_of /run/clean-by-tierd) us), lvconvert's loop $(ratio "$lvconvert" 1000) ms" \
    "($(all_of /run/clean-by-lvconvert) us): $(awk -v a="$tierd" -v b="$lvconvert" 'BEGIN {printf "1/%.0f", b / a}') (goal: at most 1/50)"
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
    shell) try "the five commands in a long-lived lvm shell" shell_beside_commands ;;
    clean) try "a cache becomes clean, beside the loop of lvconvert" clean_to_known ;;
    lost) try "the SSD is pulled, beside a bare lvconvert --uncache" ssd_gone ;;
    monitoring) try "a monitoring round over 50 devices, beside lvs and dmsetup status" monitoring_round ;;
    idle) try "the idle daemon" idle_daemon ;;
    *) echo "no bench $each" >&2 && exit 64 ;;
  esac
done
finish
