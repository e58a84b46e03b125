#!/bin/bash
# SPDX-License-Identifier: MIT
# Conformance: after each kind of action, the kernel and LVM are as foretold
# boot: -d 2G -t 1500
# weight: 150
. "$GUEST/lib.sh"

every_action() {
  make_volume
  local blank occupied spare
  blank=$(plug_ssd)
  occupied=$(plug_ssd)
  spare=$(plug_ssd)
  settle
  # Story A's SSD: a GPT with one vfat partition.
  sfdisk -q "$occupied" <<<$'label: gpt\nstart=2048, size=200000, type=uefi'
  settle
  mkfs.vfat "${occupied}1" >/dev/null
  settle
  "$BIN/tierd-conformance" "$VG/$LV" "$blank" "$occupied" "$spare"
  files_hold
}
try "observed after equals foretold after, for each action kind" every_action
finish
