#!/bin/bash
# SPDX-License-Identifier: MIT
# What is known of a cache by watching it: its figures, and how dirty it was when last seen (issue item 10, 6; story B)
# boot: -d 2G -t 600
# weight: 80
. "$GUEST/lib.sh"

readonly STATE=/var/lib/tierd/caches.json
# write_on: the volume is written to and read from, the same place again and again, so that the cache takes it.
write_on() {
  # shellcheck disable=SC2016
  setsid bash -c '
    exec </dev/null
    while [[ ! -e /run/stop-writing ]]; do
      for i in 0 1 2 3 4 5 6 7; do
        dd if=/dev/urandom of="$1/folder-1/again" bs=128K count=1 seek=$i oflag=direct conv=notrunc status=none || exit
        dd if="$1/folder-1/again" of=/dev/null bs=128K count=1 skip=$i iflag=direct status=none
      done
    done' writer "$DATA" &
}
figure() { tier_field media "$1" | jq -e "$2"; }

figures() {
  policy writeback
  start_tierd
  plug_ssd >/run/ssd
  wait_for 180 is_cached
  wait_convergence converged
  write_on
  # Of both, and a mean is what a request may take here: more than nothing, less than a second.
  wait_for 60 figure ServiceTimes '."tier-write" and ."origin-write" and ([.[]] | all(. >= 0 and . < 1000000))'
  wait_for 60 figure PromotionRate '. > 0'
  wait_for 60 figure HitRatios '."write-1m" > 0'
  same "what GetStatistics says of it" true "$(busctl --json=short call org.tierd1 /org/tierd1 org.tierd1.Manager GetStatistics ao 0 |
    jq '.data[0][] | select(has("PromotionRate")) | has("ServiceTimes") and has("Full") and has("DemotionRate")')"
  holds "$(tierctl show media)" PromotionRate= "ServiceTimes=.*tier-write"
}
must "the slow volume" make_volume
must "its figures are on the bus: service times of the SSD and of the disk, promotions, hits" figures

is_lost() { [[ $(tier_field media Phase) == lost ]]; }
remembered_dirty() { jq -e '[.caches[].dirty] | max > 0' "$STATE"; }
last_seen() {
  wait_for 60 remembered_dirty
  kill_tierd
  pull "$(cat /run/ssd)" >/dev/null
  jq '[.caches[].dirty] | max' "$STATE" >/run/dirty
  start_tierd
  same "LastKnownDirty" "$(cat /run/dirty)" "$(figure LastKnownDirty '.[0]')"
  wait_for 30 is_lost
  touch /run/stop-writing
}
try "how dirty it was is known after the daemon was killed and the SSD pulled" last_seen
finish
