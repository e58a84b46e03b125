#!/bin/bash
# SPDX-License-Identifier: MIT
# Installed as on a real machine, the main job under the hardened unit and real systemd
# boot: -s -d 2G -m 2G -t 3000
# weight: 140
. "$GUEST/lib.sh"
# The unit's own tierd, programs and policy folder: nothing of it is a test's.
unit_state() { systemctl show -P "$1" tierd.service; }

installed() {
  cmake --install "${BIN%/bin}" --prefix /usr >/run/installed
  systemd-analyze verify tierd.service
  systemctl daemon-reload
  busctl call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig
  udevadm control --reload
  journalctl --update-catalog
  [[ -x /usr/bin/tierctl ]] || fail "no tierctl"
  [[ -e /usr/share/polkit-1/actions/org.tierd1.policy ]] || fail "no polkit actions"
  # E09
  same "activation files" 1 "$(grep -l 'Name=org.tierd1$' /usr/share/dbus-1/system-services/* | wc -l)"
  [[ -e /usr/share/dbus-1/system.d/org.tierd1.conf ]] || fail "no bus policy"
  man_page=$(find /usr/share/man -name 'tierd.8*' -o -name 'tierctl.1*' | wc -l)
  ((man_page >= 2)) || fail "no man pages"
}
must "cmake --install puts every file in its place; systemd-analyze verify is content" installed

score() {
  systemd-analyze security --no-pager tierd.service | tail -n 1
  systemd-analyze security --threshold=30 tierd.service >/dev/null || fail "exposure above 3.0"
}
try "the sandbox scores 3.0 or better" score

starts() {
  make_volume
  policy writeback
  systemctl start tierd.service
  same ActiveState active "$(unit_state ActiveState)"
  wait_for 60 convergence_is waiting
  holds "$(unit_state StatusText)" 'wait'
}
must "systemctl start returns when it is ready, and its status line says what it waits for" starts

main_job() {
  plug_ssd >/run/ssd
  wait_for 150 is_cached
  wait_for 60 convergence_is converged
  tier_is_whole "$(cat /run/ssd)" writeback
  files_hold
}
must "the main job under the hardened unit" main_job

bus_reads_well() {
  local tree
  tree=$(busctl --list tree org.tierd1)
  holds "$tree" '^/org/tierd1$' '^/org/tierd1/tier/media' '^/org/tierd1/device/'
  busctl introspect org.tierd1 /org/tierd1 >/run/introspect
  holds "$(cat /run/introspect)" 'org.tierd1.Manager' '\.Plan +method +a\{sv\}' '\.Convergence +property +s +"converged"' '\.JobRemoved +signal' \
    'org.freedesktop.DBus.ObjectManager'
  busctl introspect org.tierd1 /org/freedesktop/LogControl1 | grep -q LogLevel
  systemctl service-log-level tierd.service debug
  same LogLevel debug "$(systemctl service-log-level tierd.service)"
  systemctl service-log-level tierd.service info
}
try "busctl tree and introspect read well; service-log-level works" bus_reads_well

journal() {
  journalctl --sync
  journalctl -u tierd.service -o json --no-pager >/run/journal
  jq -se 'map(select(.MESSAGE_ID != null)) | length > 0' /run/journal >/dev/null || fail "no MESSAGE_ID in the journal"
  jq -se 'map(select(.TIERD_EVENT != null)) | length > 0' /run/journal >/dev/null || fail "no TIERD_EVENT in the journal"
  jq -se 'map(select((.MESSAGE // "") | tostring | test("pvcreate|lvconvert"))) | length > 0' /run/journal >/dev/null || fail "no audit line of a command"
  local id
  for id in $(jq -r 'select(._PID != null and .TIERD_EVENT != null) | .MESSAGE_ID' /run/journal | sort -u); do
    journalctl --list-catalog "$id" | grep -q "$id" || fail "MESSAGE_ID $id is not in the catalog"
  done
}
try "the journal has events with MESSAGE_ID, fields and a catalog entry, and a line for each command" journal

policy_changed() { [[ $(manager PolicyChanged) == true ]]; }
reloads() {
  printf 'devices: {}\n' >/etc/tierd/20-more.yaml
  wait_for 30 policy_changed
  systemctl reload tierd.service
  holds "$(manager PolicyFiles)" '20-more.yaml'
  same PolicyChanged false "$(manager PolicyChanged)"
  same ActiveState active "$(unit_state ActiveState)"
}
try "a changed file is noticed, systemctl reload takes it" reloads

polkit_refuses() {
  id nobody >/dev/null
  # Anyone may look.
  runuser -u nobody -- busctl get-property org.tierd1 /org/tierd1 org.tierd1.Manager Convergence
  runuser -u nobody -- /usr/bin/tierctl status >/dev/null
  # Nobody may touch.
  ! runuser -u nobody -- busctl --timeout=300 call org.tierd1 /org/tierd1 org.tierd1.Manager Reload 'a{sv}' 0 2>/run/refused || fail "nobody reloads the policy"
  holds "$(cat /run/refused)" 'denied|authori[sz]|interactive'
}
try "nobody may look, and not touch" polkit_refuses

stops_and_starts() {
  systemctl restart tierd.service
  wait_for 60 convergence_is converged
  systemctl stop tierd.service
  same Result success "$(unit_state Result)"
  same ExecMainStatus 0 "$(unit_state ExecMainStatus)"
  # Bus activation brings it back once it is enabled, and only then.
  ! busctl call org.tierd1 /org/tierd1 org.freedesktop.DBus.Peer Ping 2>/dev/null || fail "a call starts a daemon that is not enabled"
  systemctl enable tierd.service
  busctl --timeout=300 call org.tierd1 /org/tierd1 org.freedesktop.DBus.Peer Ping
  same ActiveState active "$(unit_state ActiveState)"
  wait_for 60 convergence_is converged
}
try "restart, stop, and back by bus activation" stops_and_starts

watchdog() {
  mkdir -p /run/systemd/system/tierd.service.d
  printf '[Service]\nWatchdogSec=5\nRestart=on-failure\nRestartSec=100ms\n' >/run/systemd/system/tierd.service.d/quick.conf
  systemctl daemon-reload
  systemctl restart tierd.service
  local before
  before=$(unit_state MainPID)
  sleep 8 # fed from the loop: it lives on
  same MainPID "$before" "$(unit_state MainPID)"
  kill -STOP "$before"
  wait_for 60 bash -c "[[ \$(systemctl show -P MainPID tierd.service) != $before && \$(systemctl is-active tierd.service) == active ]]"
  journalctl --sync
  journalctl -u tierd.service --no-pager | grep -qi 'watchdog timeout' || fail "it was not the watchdog"
  wait_for 60 convergence_is converged
}
try "the watchdog is fed by the loop, and a stalled loop is restarted" watchdog

# tierd ends in the middle of a changing command, and not by its own will: the command goes on, though systemd restarts tierd.
killed() {
  systemctl stop tierd.service
  take_down
  wrap_tools
  mkdir -p /run/systemd/system/tierd.service.d
  printf '[Service]\nExecStart=\nExecStart=/usr/sbin/tierd --tools %s/tools\nReadWritePaths=%s\n' "$COMMANDS" "$COMMANDS" \
    >/run/systemd/system/tierd.service.d/quick.conf
  systemctl daemon-reload
  policy writeback
  systemctl start tierd.service
  wait_for 60 convergence_is waiting
  local before restarts
  before=$(unit_state MainPID)
  restarts=$(unit_state NRestarts)
  hook_before lvconvert "kill -KILL $before; while [[ -e /proc/$before ]]; do sleep 0.01; done"
  plug_ssd >/run/ssd
  wait_for 150 restarted "$restarts"
  journalctl --sync
  journalctl -u tierd.service --no-pager | grep -q 'status=9/KILL' || fail "it was not killed"
  wait_for 60 lvconvert_ended
  wait_for 150 convergence_is converged
  tier_is_whole "$(cat /run/ssd)" writeback
  same "times that lvconvert ran" 1 "$(commands | grep -c lvconvert)"
  files_hold
  rm /run/systemd/system/tierd.service.d/quick.conf
  systemctl daemon-reload
  systemctl restart tierd.service
  wait_for 60 convergence_is converged
}
restarted() { (($(unit_state NRestarts) > $1)) && [[ $(unit_state ActiveState) == active ]]; }
lvconvert_ended() { grep -qx "end $(commands | grep lvconvert | head -n 1 | cut -d' ' -f1) 0" "$COMMANDS/log"; }
try "killed during lvconvert: the command goes on, tierd is restarted and ends converged" killed

memory() { # figures for people; the goal is tested in tests/bench with a release build
  grep -E '^VmRSS|^Threads' "/proc/$(unit_state MainPID)/status"
}
try "resident memory" memory
try "every file of the volume holds" files_hold
finish
