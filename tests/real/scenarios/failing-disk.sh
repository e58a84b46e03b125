#!/bin/bash
# SPDX-License-Identifier: MIT
# A disk that says of itself that it is failing: not taken, and not trusted with what is dirty (issue: SMART health, by policy)
# boot: -d 2G -t 600
# weight: 60
. "$GUEST/lib.sh"
. "$GUEST/dirty.sh"
has_programs() {
  if ! command -v smartctl || ! command -v sdparm; then skip "smartmontools or sdparm is not installed"; fi
}
try "disks can be asked how they are, and told what to answer" has_programs
[[ $tried == ok ]] || finish

# begins_to_fail NODE, is_well_again NODE: what the disk says by its informational exceptions (SPC, mode page 1Ch, TEST).
begins_to_fail() { sdparm --quiet --set TEST=1 "$1"; }
is_well_again() { sdparm --quiet --set TEST=0 "$1"; }
health_is() { [[ $(device_field "$1" Health) == "$2" ]]; }

must "the slow volume" make_volume

refused() {
  local node
  node=$(plug_ssd)
  settle
  begins_to_fail "$node"
  settle
  policy writeback
  start_tierd
  (wait_for 40 explains "$node" 'failing' 'FAILURE PREDICTION THRESHOLD EXCEEDED') || fail "$(tierctl explain "$node" 2>&1)"
  wait_for 20 device_is "$node" failing
  holds "$(tierctl devices)" "${node#/dev/} .*failing"
  holds "$(tierctl status)" 'device-failing' 'it is not taken'
  ! is_cached || fail "the volume is cached"
  same "changing commands" 0 "$(command_count)"
  stop_tierd
  # It was repaired, or replaced: first sight is a restart here, and an hour otherwise.
  is_well_again "$node"
  settle
  start_tierd
  wait_for 120 is_cached
  wait_convergence converged
  health_is "$node" ok || fail "health: $(device_field "$node" Health)"
  tier_is_whole "$node" writeback
  echo "$node" >/run/ssd
}
must "a failing disk is not taken, with the reason; well again, it is" refused

demoted() {
  local node
  node=$(cat /run/ssd)
  start_writer /run/written
  make_dirty 8
  stop_tierd
  begins_to_fail "$node"
  settle
  start_tierd
  wait_for 120 mode_is writethrough
  wait_convergence converged
  stop_writer
  same "cache policy" smq "$(lv_field "$VG/$LV" cache_policy)"
  same "dirty blocks" 0 "$(tier_field media Dirty)"
  holds "$(tierctl explain media)" 'is failing' 'served as writethrough'
  holds "$(tierctl status)" 'device-failing' "tierctl detach $VG/$LV"
  dirt_holds
  rm -rf "$DATA/dirt"
  written_holds /run/written
  nothing_forced
}
try "a write-back cache whose disk begins to fail is drained and made write-through, under a writer" demoted
left_alone() {
  local node
  node=$(cat /run/ssd)
  sed -i 's/mode: .*/mode: writeback\n    on_failing_device: alert/' /etc/tierd/10-media.yaml
  tierctl reload
  wait_for 60 mode_is writeback
  wait_convergence converged
  holds "$(tierctl status)" 'device-failing'
}
try "with on_failing_device: alert it is write-back all the same, and said" left_alone
try "every file of the volume holds" files_hold
finish
