#!/bin/bash
# SPDX-License-Identifier: MIT
# After a reboot, which stops the kernel as a power cut does, the tier is there, recognised, and nothing is planned (main job, item 6; A20)
# host
# weight: 90
if [[ ${GUEST-} ]]; then # in the kernel
  . "$GUEST/lib.sh"
  . "$GUEST/dirty.sh"
  hdd_on_bus() { # the disks come in another order at the second boot
    scsi_disk /dev/ubda 0badcafe hdd >/run/hdd
    settle
  }
  first_boot() {
    hdd_on_bus
    vgcreate -q "$VG" "$(cat /run/hdd)"
    lvcreate -q -y -n "$LV" -L 700M "$VG"
    fill_volume
    cp /run/checksums "$OUT/checksums"
    policy writethrough
    start_tierd
    wait_convergence waiting
    scsi_disk /dev/ubdb 5ca1ab1e ssd >/run/ssd
    wait_for 120 is_cached
    wait_convergence converged
    tier_is_whole "$(cat /run/ssd)" writethrough
    make_dirty 4
    cp /run/dirt "$OUT/later"
    state_of_lvm | grep -v ' crtime' >"$OUT/state"
    objects | jq -r '.data[0] | keys[] | select(contains("/tier/"))' >"$OUT/tier"
    umount "$DATA"
    stop_tierd
  }
  second_boot() {
    scsi_disk /dev/ubdb 5ca1ab1e ssd >/run/ssd
    hdd_on_bus
    plug_ssd >/run/blank # a new, blank, matching disk: the tier has its own
    settle
    vgchange -qq -ay "$VG"
    mkdir -p "$DATA"
    mount "/dev/$VG/$LV" "$DATA"
    (cd "$DATA" && sha256sum --quiet -c "$TIERD_FIRST/later" && rm -r dirt)
    files_hold "$TIERD_FIRST/checksums"
  }
  recognised() {
    policy writethrough
    start_tierd
    wait_convergence converged
    tierctl plan --detailed-exitcode >/dev/null || fail "plan says $?"
    another_pass
    same "changing commands" 0 "$(command_count)"
    same "path of the tier on the bus" "$(cat "$TIERD_FIRST/tier")" "$(objects | jq -r '.data[0] | keys[] | select(contains("/tier/"))')"
    same Phase active "$(tier_field media Phase)"
    diff "$TIERD_FIRST/state" <(state_of_lvm) || fail "another state than before the reboot"
    tier_is_whole "$(cat /run/ssd)" writethrough
    same "State of its disk" serving "$(device_field "$(cat /run/ssd)" State)"
    same "what is on the blank disk" "" "$(wipefs -n --noheadings "$(cat /run/blank)")"
  }
  case $1 in
    first) must "converged before the reboot" first_boot ;;
    second)
      must "after the reboot the volume activates and every file holds, under other disk names" second_boot
      try "the tier is known as tierd's own, nothing is planned, a further blank disk is left alone" recognised
      ;;
  esac
  stop_tierd
  finish
fi

# shellcheck source=tests/real/host.sh
. "$(dirname "$0")/../host.sh"
disk hdd 1G
disk ssd 320M
part first -f "$DISKS/hdd" -f "$DISKS/ssd"
cases_of first
TIERD_FIRST=$OUT/first part second -f "$DISKS/hdd" -f "$DISKS/ssd"
status=$?
cases_of second
exit $status
