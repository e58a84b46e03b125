#!/bin/bash
# SPDX-License-Identifier: MIT
# A pool over two SSDs: raid1, of which a leg is pulled, comes back, and is made anew on another; and striped
# boot: -d 2G -t 900
# weight: 320
. "$GUEST/lib.sh"
. "$GUEST/dirty.sh"

policy_of() { # LAYOUT [MODE] [LINE FOR THE DEVICE RULE]
  policy "${2:-writeback}" "count: 2" "${3-}"
  sed -i "s/device: fast/device: fast\n    layout: $1/" /etc/tierd/10-media.yaml
}
part_is() { [[ $(lv_field "$VG/media_cpool_$1" "$2") == "$3" ]]; }
# legs_are NODE NODE: each half of data and metadata is on those two, one each.
legs_are() {
  local part number all
  for part in cdata cmeta; do
    all=$(for number in 0 1; do lv_field "$VG/media_cpool_${part}_rimage_$number" devices; done | sed 's/(.*//' | sort | paste -sd' ')
    [[ $all == "$(printf '%s\n' "$@" | sort | paste -sd' ')" ]] || return 1
  done
}
# By the kernel: every leg is in use.
is_mirrored() {
  local status
  status=$(dmsetup status --noflush --target raid)
  (($(wc -l <<<"$status") == 2)) && ! grep -qv ' AA ' <<<"$status"
}
is_whole() { [[ $(vgs --noheadings -o vg_missing_pv_count "$VG" 2>/dev/null | tr -d ' ') == 0 ]]; }
fenced() { # NODE...
  local node
  for node; do
    same "tags of $node" tierd.device=fast "$(pvs --noheadings -o pv_tags "$node" | tr -d ' ')"
    [[ $(pvs --noheadings -o pv_attr "$node") != *a* ]] || fail "$node is not fenced"
  done
}
tier_is() { [[ $(tier_field media "$1") == "$2" ]]; }
must "the slow volume" make_volume

mirrored() {
  policy_of raid1
  start_tierd
  plug_ssd >/run/ssd.1
  wait_for 60 explains "$VG/$LV" 'waits for 2 disks'
  same "physical volumes" /dev/mapper/slow "$(pvs --noheadings -o pv_name -S "vg_name=$VG" | tr -d ' ')"
  plug_ssd >/run/ssd.2
  wait_for 180 is_cached
  wait_convergence converged
  legs_are "$(cat /run/ssd.1)" "$(cat /run/ssd.2)" || fail "its halves are not on the two SSDs"
  is_mirrored || fail "the kernel does not mirror it"
  fenced "$(cat /run/ssd.1)" "$(cat /run/ssd.2)"
  same "tags of the pool" tierd.tier=media "$(lv_field "$VG/media_cpool" lv_tags)"
  same "visible volumes" "$LV" "$(lvs --noheadings -o lv_name "$VG" | tr -d ' ')"
  start_writer /run/written
}
must "one SSD is not touched; with the second the volume is cached in write-back, mirrored over both" mirrored

away() {
  slow_down 200
  make_dirty 16
  pull "$(cat /run/ssd.1)" >/run/host
  wait_for 60 tier_is Health leg-lost
  wait_for 60 tier_is Phase degraded
  is_cached || fail "the cache was taken off"
  stays 3 is_cached
  holds "$(tierctl status)" 'tier-degraded' 'the other leg goes on'
  holds "$(tierctl doctor || true)" 'one leg of the cache'
  replug "$(cat /run/host)" >/run/ssd.1
  wait_for 120 is_mirrored
  wait_convergence converged
  wait_for 60 tier_is Health ok
  slow_down 8
  dirt_holds
  rm -rf "${DATA:?}"/dirt
}
try "one SSD is pulled while it is dirty, and is back: nothing is lost, and it is made equal again" away

replaced() {
  stop_tierd
  policy_of raid1 writeback "replace: true"
  start_tierd
  wait_convergence converged
  slow_down 200
  make_dirty 16
  pull "$(cat /run/ssd.2)" >/dev/null
  wait_for 60 tier_is Health leg-lost
  plug_ssd >/run/ssd.3
  wait_for 180 legs_are "$(cat /run/ssd.1)" "$(cat /run/ssd.3)"
  wait_for 60 is_whole
  wait_convergence converged
  wait_for 60 is_mirrored
  fenced "$(cat /run/ssd.1)" "$(cat /run/ssd.3)"
  nothing_forced
  slow_down 8
  dirt_holds
  stop_writer
  written_holds /run/written
}
try "one SSD dies: both halves are made anew on the next one, and the group is whole" replaced

gone() {
  sed -i 's/mode: .*/mode: writeback\n    state: absent/' /etc/tierd/10-media.yaml
  tierctl reload
  wait_for 180 not_cached
  wait_convergence converged
  dirt_holds
  rm -rf "${DATA:?}"/dirt "${DATA:?}"/written
  files_hold
  wait_for 60 bash -c "! pvs '$(cat /run/ssd.1)' 2>/dev/null && ! pvs '$(cat /run/ssd.3)' 2>/dev/null"
  given_back "$(cat /run/ssd.1)"
}
try "it is drained and taken off, and both SSDs are given back" gone

# Killed after each step: the next tierd goes on, and leaves nothing beside it.
killed() {
  policy_of striped
  local i
  for i in 1 2 3 4 5 6; do
    sleep "0.$((RANDOM % 9 + 1))"
    if is_cached; then break; fi
    kill_tierd
    start_tierd
  done
  wait_for 120 is_cached
  wait_convergence converged
  part_is cdata segtype striped || fail "its data is not striped"
  part_is cmeta segtype striped || fail "its metadata is not striped"
  same "stripes" 2 "$(lv_field "$VG/media_cpool_cdata" stripes)"
  same "volumes" "hdd,hdd_corig,media_cpool,media_cpool_cdata,media_cpool_cmeta" \
    "$(lvs -a --noheadings -o lv_name "$VG" | tr -d ' []' | sort | paste -sd,)"
  files_hold
  sed -i 's/mode: .*/mode: writeback\n    state: absent/' /etc/tierd/10-media.yaml
  tierctl reload
  wait_for 180 not_cached
  wait_convergence converged
  files_hold
}
try "striped over both, with tierd killed again and again while it is made: twice the room, and nothing beside it" killed
finish
