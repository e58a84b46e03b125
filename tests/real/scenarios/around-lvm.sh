#!/bin/bash
# SPDX-License-Identifier: MIT
# LVM as it is on people's machines: devices file, held locks, other tools at work, a lost mode (A14, C15, promises 3 and 4)
# boot: -d 2G -t 3000
# weight: 150
. "$GUEST/lib.sh"

separately() {
  try "$@"
  (
    set -e
    take_down
    rm -f /etc/lvm/devices/* /etc/lvm/lvmlocal.conf
  )
}
must "the slow volume" make_volume

# A14 (i)
no_devices_file() {
  echo 'devices { use_devicesfile = 1 }' >/etc/lvm/lvmlocal.conf
  policy writeback
  start_tierd
  wait_convergence waiting
  plug_ssd >/run/ssd
  wait_for 120 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
  lacks "$(commands)" lvmdevices
}
separately "A14 devices files are in use and there is none: the volume is cached, no group gets lost" no_devices_file

# A14 (ii)
hidden() {
  echo 'devices { use_devicesfile = 1 }' >/etc/lvm/lvmlocal.conf
  local node host
  node=$(plug_ssd)
  vgcreate -qq --devicesfile "" another "$node"
  lvm lvmdevices -qq --adddev /dev/mapper/slow
  ! lvm lvmdevices -qq --deldev "$node" 2>/dev/null || true
  host=$(pull "$node")
  settle
  policy writeback
  start_tierd
  wait_convergence waiting
  node=$(replug "$host")
  refuses "$node" 'hidden-by-devices-file'
}
separately "A14 a disk that the devices file hides is refused, and said to be hidden" hidden

# C15
held_lock() {
  policy writeback
  start_tierd
  wait_convergence waiting
  wait_for 30 is_idle
  setsid flock -x "/run/lock/lvm/V_$VG" sleep 3000 &
  echo $! >/run/lock-holder
  wait_for 20 is_locked
  plug_ssd >/run/ssd
  # tierd goes on answering, and changes nothing that it cannot see.
  local end=$((SECONDS + 15)) began
  while ((SECONDS < end)); do
    began=${EPOCHREALTIME/./}
    manager State >/dev/null
    # Were it to wait for the lock, there would be no answer at all.
    ((${EPOCHREALTIME/./} - began < 8000000)) || fail "the bus was not answered for $(((${EPOCHREALTIME/./} - began) / 1000)) ms"
    sleep 0.2
  done
  ! convergence_is converged || fail "converged under a held lock"
  kill -- "-$(cat /run/lock-holder)"
  wait_for 180 is_cached
  wait_convergence converged
  tier_is_whole "$(cat /run/ssd)" writeback
}
is_locked() { ! flock -n "/run/lock/lvm/V_$VG" true; }
separately "C15 the group's lock is held by another: tierd answers, waits, and carries on when it is free" held_lock

# Other people's tools while tierd acts.
foreign_tools() {
  policy writeback
  start_tierd
  wait_convergence waiting
  # shellcheck disable=SC2016
  setsid bash -c 'i=0; while [[ ! -e /run/stop-foreign ]]; do
      lvcreate -qq -y -n other -L 8M $1 /dev/mapper/slow && lvcreate -qq -s -n other-snapshot -L 4M $1/other /dev/mapper/slow
      vgs >/dev/null; pvs -a >/dev/null; lsblk >/dev/null; blkid -p /dev/sd? >/dev/null
      udevadm trigger --action=change --subsystem-match=block
      lvremove -qq -y $1/other
      i=$((i + 1)); echo $i >/run/foreign
    done' foreign "$VG" >/run/foreign.log 2>&1 &
  wait_for 30 test -s /run/foreign
  plug_ssd >/run/ssd
  wait_for 180 is_cached
  wait_convergence converged 180
  touch /run/stop-foreign
  wait
  (($(cat /run/foreign) >= 2)) || fail "the other tools did not get to work"
  tier_is_whole "$(cat /run/ssd)" writeback
  files_hold
}
separately "other tools create, remove, scan and trigger meanwhile: the same end" foreign_tools

# Promise 4
shrinking_policy() {
  policy writeback
  start_tierd
  plug_ssd >/run/ssd
  wait_for 120 is_cached
  wait_convergence converged
  local before
  before=$(command_count)
  printf 'tiers:\n  media: {volume: lvm_hdd/hdd, kind: cache, device: fast, mode: "writeback' >/etc/tierd/10-media.yaml
  ! tierctl reload || fail "reload finds no fault in a broken file"
  holds "$(manager PolicyProblems)" '10-media.yaml'
  another_pass
  same "changing commands with a broken policy" "$before" "$(command_count)"
  rm /etc/tierd/10-media.yaml
  tierctl reload
  another_pass
  is_cached || fail "the tier is gone with its policy"
  same "changing commands without a policy" "$before" "$(command_count)"
  # Started with a broken one: nothing either.
  echo 'tiers: [' >/etc/tierd/10-media.yaml
  kill_tierd
  start_tierd
  another_pass
  is_cached || fail "the tier is gone with its policy"
  same "changing commands after a start with a broken policy" "$before" "$(command_count)"
}
separately "a policy that is broken or gone removes nothing" shrinking_policy

# Promise 3
foreign_pool() {
  local node
  node=$(plug_ssd)
  pvcreate -qq "$node"
  vgextend -qq "$VG" "$node"
  lvcreate -qq -y --type cache-pool -n mine -L 64M "$VG" "$node"
  lvconvert -qq -y --type cache --cachepool "$VG/mine" --cachemode writethrough "$VG/$LV"
  policy writeback
  start_tierd
  wait_for 60 is_idle
  another_pass
  same "changing commands" 0 "$(command_count)"
  same "mode of the foreign cache" writethrough "$(lv_field "$VG/$LV" cache_mode)"
  ! convergence_is converged || fail "a cache that tierd did not make counts as converged"
  stop_tierd
  lvconvert -qq -y --uncache "$VG/$LV"
}
separately "a cache that somebody else made is shown and left alone" foreign_pool

# E05
second_instance() {
  policy writeback
  start_tierd
  wait_for 60 is_idle
  local first status=0
  first=$(cat /run/tierd.pid)
  timeout 120 "$BIN/tierd" --tools "$COMMANDS/tools" >/run/second.log 2>&1 || status=$?
  ((status != 0 && status != 124)) || fail "the second one ended with $status"
  kill -0 "$first"
  manager State
  same "changing commands" 0 "$(command_count)"
}
separately "E05 a second tierd ends by itself, having changed nothing" second_instance
try "every file of the volume holds" files_hold
finish
