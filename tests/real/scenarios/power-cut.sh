#!/bin/bash
# SPDX-License-Identifier: MIT
# The kernel dies at any moment from the plug on, and of a detach; the volume activates, its data holds, tierd ends converged (main job, item 7)
# host
# shards: 2
# weight: 200
if [[ ${GUEST-} ]]; then # in the kernel
  . "$GUEST/lib.sh"
  bring_up() {
    scsi_disk /dev/ubda 0badcafe hdd >/run/hdd
    [[ ! -e /dev/ubdb || ${1-} != both ]] || scsi_disk /dev/ubdb 5ca1ab1e ssd >/run/ssd
    settle
  }
  prepare() {
    bring_up
    vgcreate -q "$VG" "$(cat /run/hdd)"
    lvcreate -q -y -n "$LV" -L 700M "$VG"
    lvcreate -q -y -n raw -L 64M "$VG"
    fill_volume
    cp /run/checksums "$OUT/checksums"
    umount "$DATA"
    vgchange -qq -an "$VG"
  }
  # The plug, with a writer on the volume: mounted, or (TIERD_RAW) on the bare LV, where nothing ever flushes.
  attach() {
    bring_up
    vgchange -qq -ay "$VG"
    policy writeback
    start_tierd
    wait_convergence waiting
    if [[ ${TIERD_RAW-} ]]; then
      e2fsck -fn "/dev/$VG/$LV" >/dev/null
    else
      mkdir -p "$DATA"
      mount "/dev/$VG/$LV" "$DATA"
      start_writer "$OUT/written"
    fi
    echo "$EPOCHREALTIME" >"$OUT/began"
    touch "$OUT/plugged"
    scsi_disk /dev/ubdb 5ca1ab1e ssd >/run/ssd
    wait_for 120 is_cached
    wait_convergence converged
    echo "$EPOCHREALTIME" >"$OUT/ended"
    touch "$OUT/converged"
    sleep 3000 # killed before it is over
    fail "nobody cut the power"
  }
  # After the cut: the volume activates, and its filesystem needs nothing but its journal.
  comes_up() {
    bring_up both
    vgchange -ay "$VG" || fail "the volume does not activate"
    e2fsck -fp "/dev/$VG/$LV" || (($? == 1)) || fail "the filesystem needs more than its journal"
    mkdir -p "$DATA"
    mount "/dev/$VG/$LV" "$DATA"
  }
  # The same for the way back: a cache with what is dirty in it, under a writer, and then `state: absent`.
  detach() {
    bring_up both
    vgchange -qq -ay "$VG"
    mkdir -p "$DATA"
    mount "/dev/$VG/$LV" "$DATA"
    policy writeback
    start_tierd
    wait_convergence converged
    start_writer "$OUT/written"
    sleep 1
    echo '    state: absent' >>/etc/tierd/10-media.yaml
    echo "$EPOCHREALTIME" >"$OUT/began"
    touch "$OUT/asked"
    tierctl reload
    wait_for 120 not_cached
    wait_convergence converged
    echo "$EPOCHREALTIME" >"$OUT/ended"
    touch "$OUT/detached"
    sleep 3000 # killed before it is over
    fail "nobody cut the power"
  }
  after_detach() {
    comes_up
    written_holds "$TIERD_CUT/written"
    files_hold "$TIERD_BASE/checksums"
    policy writeback
    echo '    state: absent' >>/etc/tierd/10-media.yaml
    start_tierd
    wait_convergence converged
    not_cached || fail "it is cached still"
    written_holds "$TIERD_CUT/written"
    files_hold "$TIERD_BASE/checksums"
    same "physical volumes of the group" "$(cat /run/hdd)" "$(pvs --noheadings -o pv_name -S "vg_name=$VG" | tr -d ' ')"
    same "volumes" "$LV" "$(lvs -a --noheadings -o lv_name "$VG" | tr -d ' ' | sort | paste -sd,)"
    lacks "$(commands)" ' (-f|-ff|--force)( |$)'
    umount "$DATA"
    stop_tierd
    e2fsck -fn "/dev/$VG/$LV" >/dev/null || fail "the filesystem is not clean"
  }
  after() {
    comes_up
    # A cut right after the plug may come before the first file was synced.
    if grep -qE '^[0-9a-f]{64}  written/[0-9]+$' "$TIERD_CUT/written" 2>/dev/null; then written_holds "$TIERD_CUT/written"; fi
    files_hold "$TIERD_BASE/checksums"
    policy writeback
    start_tierd
    wait_for 120 is_cached
    wait_convergence converged
    tier_is_whole_beside_raw
    files_hold "$TIERD_BASE/checksums"
    local before
    before=$(command_count)
    another_pass
    same "changing commands of a further pass" "$before" "$(command_count)"
    umount "$DATA"
    stop_tierd
    e2fsck -fn "/dev/$VG/$LV" >/dev/null || fail "the filesystem is not clean"
  }
  tier_is_whole_beside_raw() {
    lvremove -qq -y "$VG/raw"
    tier_is_whole "$(cat /run/ssd)" writeback
  }
  must "$1" "$1"
  finish
fi

# shellcheck source=tests/real/host.sh
. "$(dirname "$0")/../host.sh"
prepare() {
  disk hdd 1G
  part prepare -f "$DISKS/hdd"
}
must "a volume full of files on a kept disk" prepare
export TIERD_BASE=$OUT/prepare

# cut NAME MARK:MS: a copy of the volume, a blank SSD, the plug, the cut; then the boot after it.
cut_at() {
  local status=0
  copy_disk hdd "hdd.$1"
  disk "ssd.$1" 320M
  part "attach.$1" -f "$DISKS/hdd.$1" -f "$DISKS/ssd.$1" -c "$2" || status=$?
  ((status == 124)) || { echo "the kernel ended with $status before the cut" >&2 && return 1; }
  TIERD_CUT=$OUT/attach.$1 part "after.$1" -f "$DISKS/hdd.$1" -f "$DISKS/ssd.$1"
  # Those of the first one, with a tier on them, are what is detached from.
  [[ $1 == 0 ]] || rm -f "$DISKS/hdd.$1" "$DISKS/ssd.$1"
}
cut_detach_at() {
  local status=0
  copy_disk hdd.0 hdd.d
  copy_disk ssd.0 ssd.d
  part "detach.$1" -f "$DISKS/hdd.d" -f "$DISKS/ssd.d" -c "asked:$2" || status=$?
  ((status == 124)) || { echo "the kernel ended with $status before the cut" >&2 && return 1; }
  TIERD_CUT=$OUT/detach.$1 part "after_detach.$1" -f "$DISKS/hdd.d" -f "$DISKS/ssd.d"
}

# The first one measures how long an attach takes here; then random moments between the plug and a little after converged.
span_of() { echo $(((${2/./} - ${1/./}) / 1000)); }
if ((SHARD == 1)); then
  try "cut right after converged, under a mounted and busy filesystem" cut_at 0 converged:0
else
  export TIERD_RAW=1
  try "cut right after converged, the volume not mounted: the metadata was committed" cut_at 0 converged:0
  unset TIERD_RAW
fi
span=12000
if [[ -e $OUT/attach.0/ended ]]; then span=$(span_of "$(cat "$OUT/attach.0/began")" "$(cat "$OUT/attach.0/ended")"); fi

range=$((span * 21 / 20))
RANDOM=$((SEED * 100 + SHARD))
for ((i = 1; i <= (POINTS + SHARDS - 1) / SHARDS; i++)); do
  # One moment in each slice of the span, so that few points are spread too.
  slices=$(((POINTS + SHARDS - 1) / SHARDS))
  moment=$((range * (i - 1) / slices + (RANDOM * 32768 + RANDOM) % (range / slices + 1)))
  try "cut $moment ms after the plug (seed $SEED, point $i of shard $SHARD; an attach takes $span ms)" cut_at "$i" "plugged:$moment"
done
# A detach takes about as long.
slices=$(((POINTS + 5) / 6))
for ((i = 1; i <= slices && SHARD == 1; i++)); do
  moment=$((span * (i - 1) / slices + (RANDOM * 32768 + RANDOM) % (span / slices + 1)))
  try "cut $moment ms after a detach was asked for (seed $SEED, point $i)" cut_detach_at "$i" "$moment"
done
exit $((failures > 0))
