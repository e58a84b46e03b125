# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the scenarios in the booted kernel: cases and checks, the slow volume, tierd, what it executes.
#
# A scenario is a list of `try "what must hold" FUNCTION`. The function runs in a subshell under set -eu, so any command that
# fails is the case's failure; state that later cases need is on disks or in files. `must` ends the scenario when it fails.

: "${GUEST:?is set by tests/real/boot}" "${OUT:?}"
# shellcheck source=tests/real/guest.sh
. "$GUEST/guest.sh"
export LC_ALL=C SYSTEMD_PAGER=cat PAGER=cat NO_COLOR=1 SYSTEMD_COLORS=0 PATH=/usr/sbin:/usr/bin:/sbin:/bin
unset BASH_ENV
TREE=$(cd "$GUEST/../.." && pwd)
BIN=${TIERD_BIN:-$TREE/build/ubsan/bin}
COMMANDS=/run/commands # what the wrapper of tests/real/wrapper knows and wrote
readonly VG=lvm_hdd LV=hdd DATA=/data

# ---------------------------------------------------------------- cases

failures=0

# try "WHAT MUST HOLD" COMMAND [ARG...]: one case, one line in /out/cases. Never after it && or ||: they would switch set -e off inside.
try() {
  local what=$1 began=$EPOCHREALTIME status took result
  shift
  echo "--- $what"
  (
    set -eu
    "$@"
  )
  status=$?
  took=$(((${EPOCHREALTIME/./} - ${began/./}) / 100000))
  case $status in
    0) result=ok ;;
    77) result=skip ;;
    *) result=fail failures=$((failures + 1)) ;;
  esac
  printf '%s\t%s\t%d.%d\n' $result "$what" $((took / 10)) $((took % 10)) | tee -a "$OUT/cases"
  [[ $result != fail ]] || show_state
  tried=$result
}
# must: like try, and nothing after it would mean anything when it fails.
must() {
  try "$@"
  [[ $tried != fail ]] || finish
}

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
skip() {
  echo "skipped: $*" >&2
  exit 77
}

# finish: the scenario's end; what must hold after any scenario is looked at here.
finish() {
  [[ ! -d $COMMANDS ]] || cp -r "$COMMANDS" "$OUT/commands"
  if [[ -e $OUT/tierd.log ]] && grep -n 'runtime error:\|Sanitizer\|terminate called\|leaked on' "$OUT/tierd.log"; then
    printf 'fail\tno undefined behaviour, no uncaught exception, no leaked descriptor\t0\n' | tee -a "$OUT/cases"
    failures=$((failures + 1))
  fi
  exit $((failures > 0))
}

# same WHAT EXPECTED FOUND
same() { [[ $2 == "$3" ]] || fail "$1: expected '$2', found '$3'"; }
# holds TEXT PATTERN...: every pattern (extended, case ignored) is somewhere in the text.
holds() {
  local text=$1 pattern
  shift
  for pattern; do
    grep -qiE -- "$pattern" <<<"$text" || fail "'$pattern' is not in: $text"
  done
}
lacks() {
  local text=$1 pattern
  shift
  for pattern; do
    ! grep -qiE -- "$pattern" <<<"$text" || fail "'$pattern' is in: $text"
  done
}

# wait_for SECONDS COMMAND...: until it succeeds; looks every 0.1 s. The seconds are a good machine's; any other is given PATIENCE times as
# many, since a limit costs nothing where the thing happens.
PATIENCE=${TIERD_PATIENCE:-4}
wait_for() {
  local limit=$(($1 * PATIENCE)) began=$SECONDS
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS - began < limit)) || fail "after $limit s still not: $*"
    sleep 0.1
  done
}
# stays SECONDS COMMAND...: it succeeds all that time.
stays() {
  local limit=$1 began=$SECONDS
  shift
  while ((SECONDS - began < limit)); do
    "$@" >/dev/null 2>&1 || fail "within $limit s no longer: $*"
    sleep 0.1
  done
}

# What a person would look at first when a case failed.
show_state() {
  {
    echo "::: state"
    timeout 10 "$BIN/tierctl" status || true
    timeout 10 "$BIN/tierctl" plan --commands || true
    timeout 10 busctl --json=pretty get-property org.tierd1 /org/tierd1 org.tierd1.Manager State Convergence Frozen PolicyProblems || true
    timeout 20 pvs -a -o+pv_tags,pv_uuid || true
    timeout 20 lvs -a -o+lv_tags,devices,cache_mode || true
    timeout 5 dmsetup status --noflush || true
    lsblk -o NAME,ROTA,SIZE,SERIAL,FSTYPE,MOUNTPOINTS || true
    [[ ! -e "$COMMANDS/log" ]] || { echo "::: commands"; tail -n 40 "$COMMANDS/log"; }
    [[ ! -e $OUT/tierd.log ]] || { echo "::: tierd.log"; tail -n 60 "$OUT/tierd.log"; }
    dmesg | tail -n 15
  } >&2 2>&1
}

# ---------------------------------------------------------------- the slow volume

# fill_volume: a filesystem full of files on $VG/$LV, mounted at $DATA, its checksums in /run/checksums.
fill_volume() {
  mkfs.ext4 -q "/dev/$VG/$LV"
  mkdir -p "$DATA"
  mount "/dev/$VG/$LV" "$DATA"
  local i
  for i in 1 2 3 4 5 6; do
    mkdir "$DATA/folder-$i"
    head -c 12M /dev/urandom | split -b 512K -a 3 - "$DATA/folder-$i/file-"
  done
  sync
  checksums >/run/checksums
}
# make_volume [NODE [SIZE]]: a slow hard disk that carries the VG, the LV and the filled filesystem.
make_volume() {
  slow_disk "${1:-/dev/ubda}" slow 8
  pvcreate -q /dev/mapper/slow
  vgcreate -q "$VG" /dev/mapper/slow
  lvcreate -q -y -n $LV -L "${2:-1G}" "$VG"
  fill_volume
}
checksums() { (cd "$DATA" && find . -path ./written -prune -o -type f -print0 | sort -z | xargs -0 sha256sum); }
files_hold() {
  mountpoint -q "$DATA" || fail "$DATA is not mounted any more"
  sync
  echo 3 >/proc/sys/vm/drop_caches
  diff <(checksums) "${1:-/run/checksums}" || fail "files have changed"
}
# start_writer: something uses the volume all the time: files, each synced; what was promised to be on the disk is in LIST.
start_writer() {
  mkdir -p "$DATA/written"
  # shellcheck disable=SC2016
  setsid bash -c '
    exec </dev/null; i=0
    while [[ -d $1/written && ! -e /run/stop-writer ]]; do
      head -c $((RANDOM * 8)) /dev/urandom >"$1/written/$i" && sync "$1/written/$i" "$1/written" || exit 1
      (cd "$1" && sha256sum "written/$i") >>"$2"; i=$((i + 1)); sleep 0.05
    done' writer "$DATA" "$1" &
  echo $! >/run/writer.pid
}
stop_writer() {
  touch /run/stop-writer
  wait_for 20 bash -c "! kill -0 $(cat /run/writer.pid)"
  rm -f /run/stop-writer
}
written_holds() {
  sync
  echo 3 >/proc/sys/vm/drop_caches
  # The last line may have been cut in the middle by the power cut.
  (cd "$DATA" && grep -E '^[0-9a-f]{64}  written/[0-9]+$' "$1" | sha256sum --quiet -c -) || fail "files that were synced have changed"
}
hash_of() { dd if="$1" bs=1M iflag=direct status=none | sha256sum | cut -d' ' -f1; }

# ---------------------------------------------------------------- what LVM says

lv_field() { lvs -a --noheadings --nosuffix --units b -o "$2" "$1" | sed 's/^ *//;s/ *$//'; }
not_cached() { ! is_cached; }
# By the kernel's table: LVM would take its lock, again and again.
is_cached() { dmsetup table --target cache | grep -q "^$VG-$LV:"; }
# take_down: no tier, no tierd, no SSD any more: ready for the next case of the same boot.
take_down() {
  local node pv
  stop_tierd
  forget_commands
  rm -rf /etc/tierd /run/udev/rules.d
  if is_cached; then lvconvert -qq -y --uncache "$VG/$LV"; fi
  for pv in $(pvs --noheadings -o pv_name -S "vg_name=$VG" | grep -v /slow); do vgreduce -qq "$VG" "$pv"; done
  for node in /sys/block/sd*; do
    [[ ! -e $node ]] || [[ $(cat "$node/device/model") != scsi_debug* ]] || pull "/dev/${node##*/}" >/dev/null
  done
  settle
  # Somebody may have one of the disks open still.
  [[ ! -d /sys/module/scsi_debug ]] || wait_for 30 rmmod scsi_debug
}
# state_of_lvm: all that tierd is answerable for, less UUIDs and kernel names: equal after equal work.
state_of_lvm() {
  pvs --noheadings --units b -o vg_name,pv_attr,pv_tags,pv_size,pv_free | sort
  vgs --noheadings --units b -o vg_name,vg_attr,pv_count,lv_count,vg_tags,vg_size,vg_free
  lvs -a --noheadings --units b -o lv_name,segtype,lv_size,lv_tags,lv_attr,cache_mode,cache_policy,chunk_size,pool_lv,origin
  dmsetup info -c --noheadings -o name,suspended | sort
}
# all_on NODE: data and metadata of the pool are on that disk and nowhere else, and the volume's own data is not.
all_on() {
  local part devices
  for part in cdata cmeta; do
    devices=$(lvs -a --noheadings -o devices -S "lv_name=~_$part\$" "$VG" | tr -d ' ' | sort -u)
    [[ -n $devices ]] || fail "there is no ${part}"
    [[ $devices =~ ^$1\([0-9]+\)$ ]] || fail "$part is on $devices, not on $1 alone"
  done
  devices=$(lvs -a --noheadings -o devices -S 'lv_name=~_corig$' "$VG" | tr -d ' ')
  [[ $devices != *$1* ]] || fail "the volume's own data is on $1"
}
# tier_is_whole NODE MODE: everything that item 2 of the main job asks of the tier.
tier_is_whole() {
  same segtype cache "$(lv_field "$VG/$LV" segtype)"
  same mode "$2" "$(lv_field "$VG/$LV" cache_mode)"
  all_on "$1"
  local attributes tags pool
  read -r attributes tags <<<"$(pvs --noheadings -o pv_attr,pv_tags "$1")"
  [[ $attributes != *a* ]] || fail "$1 is not fenced: pv_attr $attributes"
  holds "$tags" '(^|,)tierd\.device=fast(,|$)'
  pool=$(lv_field "$VG/$LV" pool_lv)
  holds "$(lv_field "$VG/${pool//[\[\]]/}" lv_tags)" '(^|,)tierd\.tier=media(,|$)'
  # Nothing half made beside it.
  same "visible volumes" "$LV" "$(lvs --noheadings -o lv_name "$VG" | tr -d ' ' | paste -sd,)"
  lacks "$(dmsetup info -c --noheadings -o name,suspended)" ':Suspended'
}

# ---------------------------------------------------------------- tierd

# A policy as in story A, scaled: policy [MODE] [MORE LINES FOR THE DEVICE RULE]...; MATCH, and of the tier VOLUME, KIND, STORE and SIZE, from
# the environment.
policy() {
  mkdir -p /etc/tierd
  {
    echo 'devices:'
    echo '  fast:'
    echo "    match: ${MATCH:-{kind: ssd, min_size: 200MiB\}}"
    printf '    %s\n' "${@:2}"
    echo 'tiers:'
    echo '  media:'
    echo "    volume: ${VOLUME:-$VG/$LV}"
    echo "    kind: ${KIND:-cache}"
    echo '    device: fast'
    echo "    mode: ${1:-writeback}"
    [[ -z ${STORE-} ]] || echo "    store: $STORE"
    [[ -z ${SIZE-} ]] || echo "    size: $SIZE"
  } | sed 's/ *$//;/^$/d' >/etc/tierd/10-media.yaml
}

install_bus_policy() {
  local file
  for file in "$TREE"/dbus/*.conf; do cp "$file" /usr/share/dbus-1/system.d/; done
  busctl call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig
}

manager() { busctl --json=short get-property org.tierd1 /org/tierd1 org.tierd1.Manager "$1" | jq -r .data; }
on_bus() { busctl --json=short get-property org.tierd1 "$1" "org.tierd1.$2" "$3" | jq -r .data; }
# device_field NODE FIELD, tier_field NAME FIELD: of the object on the bus that has this Path, or this Policy.
objects() { busctl --json=short call org.tierd1 /org/tierd1 org.freedesktop.DBus.ObjectManager GetManagedObjects; }
device_field() {
  objects | jq -er --arg node "$1" --arg field "$2" \
    '[.data[0][]["org.tierd1.Device"] | select(. != null and .Path.data == $node)] | if length == 1 then .[0][$field].data else error("\(length) objects") end'
}
tier_field() {
  objects | jq -er --arg name "$1" --arg field "$2" \
    '[.data[0][]["org.tierd1.Tier"] | select(. != null and .Policy.data == $name)] | if length == 1 then .[0][$field].data else error("\(length) objects") end'
}
device_is() { [[ $(device_field "$1" State) == "$2" ]]; }
# explains NODE PATTERN...: tierctl explain says all of it.
explains() {
  local text pattern
  text=$(tierctl explain "$1") || return 1
  for pattern in "${@:2}"; do grep -qiE -- "$pattern" <<<"$text" || return 1; done
}
# refuses NODE PATTERN...: tierd has looked at the disk, says why it does not take it, and has not touched it or anything.
refuses() {
  local before
  before=$(command_count)
  (wait_for 40 explains "$@") || fail "tierctl explain: $(tierctl explain "$1" 2>&1)"
  wait_for 20 device_is "$1" ineligible
  wait_for 20 is_idle
  ! is_cached || fail "the volume is cached"
  same "changing commands" "$before" "$(command_count)"
}
convergence_is() { [[ $(manager Convergence) == "$1" ]]; }
tierctl() { timeout 60 "$BIN/tierctl" --no-pager "$@"; }
tierd_runs() { [[ -e /run/tierd.pid ]] && kill -0 "$(cat /run/tierd.pid)" 2>/dev/null; }
tierd_is_up() { tierd_runs && manager State 2>/dev/null | grep -qx 'idle\|observing\|planning\|acting\|degraded'; }

# start_tierd [OPTION]...: in the background, on the system bus, its programs wrapped (unless UNWRAPPED is set); returns when it has
# looked around.
start_tierd() {
  [[ -e /usr/share/dbus-1/system.d/org.tierd1.conf ]] || install_bus_policy
  local tools=()
  if [[ ! ${UNWRAPPED-} ]]; then wrap_tools && tools=(--tools "$COMMANDS/tools"); fi
  setsid "$BIN/tierd" "${tools[@]}" "$@" </dev/null >>"$OUT/tierd.log" 2>&1 &
  echo $! >/run/tierd.pid
  disown
  wait_for 60 up_or_ended
  tierd_runs || { tail -n 20 "$OUT/tierd.log" >&2 && fail "tierd ended at once"; }
}
up_or_ended() { tierd_is_up || ! tierd_runs; }
end_tierd() {
  tierd_runs || return 0
  kill "-$1" "$(cat /run/tierd.pid)"
  wait_for 90 bash -c "! kill -0 $(cat /run/tierd.pid)"
  rm -f /run/tierd.pid
}
stop_tierd() { end_tierd TERM; }
kill_tierd() { end_tierd KILL; }
# wait_convergence VALUE [SECONDS]
wait_convergence() {
  wait_for "${2:-120}" convergence_is "$1"
  tierd_runs || fail "tierd ended"
}
# another_pass: a pass from the beginning, seen by the generation moving or State coming back.
another_pass() {
  local before
  before=$(grep -c ' lvm fullreport\| lvm .*report' "$COMMANDS/reads" || true)
  busctl call org.tierd1 /org/tierd1 org.tierd1.Manager Reload 'a{sv}' 0 >/dev/null
  wait_for 60 more_reads "$before"
  wait_for 60 is_idle
}
is_idle() { [[ $(manager State) == idle ]]; }
more_reads() { (($(grep -c ' lvm fullreport\| lvm .*report' "$COMMANDS/reads") > $1)); }

# ---------------------------------------------------------------- what tierd executes

# wrap_tools: tierd runs lvm and tierd-device through tests/real/wrapper, which numbers the changing ones.
wrap_tools() {
  mkdir -p "$COMMANDS/tools"
  touch "$COMMANDS/log" "$COMMANDS/reads"
  echo "$BIN" >"$COMMANDS/bin"
  ln -sfn "$GUEST/wrapper" "$COMMANDS/tools/lvm"
  ln -sfn "$GUEST/wrapper" "$COMMANDS/tools/tierd-device"
}
# The changing commands so far, one a line: "N NAME ARG...".
commands() { grep '^start ' "$COMMANDS/log" 2>/dev/null | cut -d' ' -f2- || true; }
command_count() { commands | wc -l; }
forget_commands() {
  mkdir -p "$COMMANDS"
  : >"$COMMANDS/log"
  : >"$COMMANDS/reads"
  rm -f "$COMMANDS/kill" "$COMMANDS/hook" "$COMMANDS/cut"
}
# kill_at before|during|after N: tierd is killed around its N-th changing command from now on.
kill_at() { echo "$1 $2" >"$COMMANDS/kill"; }
# cut_at WORD N: the next lvm that has WORD among its arguments dies right before the N-th thing that it changes, and tierd with it; what it
# changed is in $COMMANDS/points, a line each. 0: only that.
cut_at() { echo "$1 $2" >"$COMMANDS/cut"; }
# hook_before WORD SCRIPT: the shell text, which may call what stands here, runs before the next changing command that has WORD in it; once.
hook_before() {
  # shellcheck disable=SC2016
  printf '%s\nexport GUEST=%q OUT=%q; . "$GUEST/lib.sh"; set -e; %s\n' "$1" "$GUEST" "$OUT" "$2" >"$COMMANDS/hook"
}
