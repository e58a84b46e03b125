#!/bin/bash
# SPDX-License-Identifier: MIT
# Plug in an SSD and the volume is cached (main job, items 1 to 3)
# boot: -d 2G -t 1500
# weight: 60
. "$GUEST/lib.sh"

waits() {
  make_volume
  policy writeback
  start_tierd
  wait_convergence waiting
  holds "$(tierctl status)" 'waiting' 'media' 'lvm_hdd/hdd' 'fast'
  holds "$(tierctl plan)" 'fast' 'wait'
  tierctl plan --detailed-exitcode >/dev/null || fail "plan --detailed-exitcode says $? while only waiting"
  holds "$(manager PolicyFiles)" '10-media.yaml'
  same "changing commands so far" 0 "$(command_count)"
}
must "no SSD yet: it waits, and says for what" waits

becomes_cached() {
  start_writer /run/written
  plug_ssd >/run/ssd
  wait_for 120 is_cached
  wait_convergence converged
}
must "a blank SSD is plugged in: the volume becomes cached by itself" becomes_cached

filesystem_holds() {
  stop_writer
  (($(wc -l </run/written) >= 3)) || fail "the writer came to a stop"
  written_holds /run/written
  files_hold
}
try "the filesystem stays mounted and in use, every checksum holds" filesystem_holds
try "PV, pool and metadata are on the SSD alone, fenced and tagged, in the mode asked for" tier_is_whole "$(cat /run/ssd)" writeback

sizes() {
  local pool chunk data metadata spare extents
  pool=$(lv_field "$VG/$LV" pool_lv | tr -d '[]')
  chunk=$(lv_field "$VG/$pool" chunk_size)
  data=$(lvs -a --noheadings --nosuffix --units b -o lv_size -S 'lv_name=~_cdata$' "$VG" | tr -d ' ')
  metadata=$(lvs -a --noheadings --nosuffix --units b -o lv_size -S 'lv_name=~_cmeta$' "$VG" | tr -d ' ')
  # The spare is made by LVM when it repairs a pool: until then its room is kept back.
  spare=$(($(pvs --noheadings --nosuffix --units b -o pv_free "$(cat /run/ssd)")))
  same "chunk size" 65536 "$chunk"
  ((data / chunk <= 1000000)) || fail "$((data / chunk)) chunks"
  ((metadata >= 4194304 + 44 * (data / chunk))) || fail "metadata of $metadata bytes for $((data / chunk)) chunks"
  ((spare >= metadata)) || fail "a spare of $spare bytes for metadata of $metadata"
  # All that fits: less than one extent of data more would have had room.
  extents=$(pvs --noheadings --nosuffix -o pv_pe_count "$(cat /run/ssd)" | tr -d ' ')
  same "extents used" "$extents" $(((data + metadata + spare) / 4194304))
}
try "chunk size and metadata follow the rules, and nothing of the SSD is left over" sizes

shown() {
  tierctl plan --detailed-exitcode >/run/plan || fail "plan says $? when all is done"
  holds "$(cat /run/plan)" 'nothing'
  local text
  text=$(tierctl status)
  holds "$text" 'converged' 'media' 'lvm_hdd/hdd' 'write-?back' "$(basename "$(cat /run/ssd)")"
  tierctl status --json=short | jq -e . >/dev/null
  # Hits: read the same files again and again, past the page cache, until dm-cache has them.
  for _ in 1 2 3; do
    echo 3 >/proc/sys/vm/drop_caches
    cat "$DATA/folder-1"/* >/dev/null
  done
  local tier
  tier=$(busctl --list tree org.tierd1 | grep '^/org/tierd1/tier/' | head -n 1)
  same Mode writeback "$(on_bus "$tier" Tier Mode)"
  same Phase active "$(on_bus "$tier" Tier Phase)"
  same ChunkSize 65536 "$(on_bus "$tier" Tier ChunkSize)"
  (($(on_bus "$tier" Tier Size) > 200000000)) || fail "Size is $(on_bus "$tier" Tier Size)"
  (($(on_bus "$tier" Tier Used) > 0)) || fail "Used is $(on_bus "$tier" Tier Used)"
  wait_for 60 bash -c "busctl --json=short get-property org.tierd1 $tier org.tierd1.Tier HitRatios | jq -e '.data | has(\"read-1m\")'"
}
try "status shows mode, size, fill, dirty and hit ratios; plan says that nothing is to be done" shown

second_pass() {
  local before
  before=$(command_count)
  another_pass
  udevadm trigger --action=change --subsystem-match=block && settle
  another_pass
  wait_convergence converged
  same "changing commands" "$before" "$(command_count)"
}
try "a second pass runs no changing command" second_pass

survives_restart() {
  local before
  before=$(command_count)
  kill_tierd
  rm -rf /var/lib/tierd
  start_tierd
  wait_convergence converged
  same "changing commands" "$before" "$(command_count)"
}
try "killed, its state folder removed, started anew: it finds its own and has nothing to do" survives_restart

committed_first() { # no command of ours ever forced anything
  lacks "$(commands)" '--force' ' -ff' 'removemissing'
  lacks "$(commands)" '\['
}
try "no command was forced, none names a hidden volume" committed_first
stop_tierd
finish
