# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# For scenarios in which an lvm command is killed in its middle, and tierd with it. Sourced behind lib.sh and dirty.sh.

present() { sed -i '/state:/d' /etc/tierd/10-media.yaml; }
absent() {
  present
  echo '    state: absent' >>/etc/tierd/10-media.yaml
}
is_cached() { dmsetup table --target "${KIND:-cache}" | grep -q "^$VG-$LV:"; }
is_off() { not_cached && convergence_is converged; }
is_on() { is_cached && convergence_is converged; }

died() { ! tierd_runs; }
half_made() { tierctl --json=short status | jq -e '.alerts | map(select(.code == "half-made")) | length > 0' >/dev/null; }
settled() { is_idle && { half_made || convergence_is converged || convergence_is drift; }; }
waits_or_off() { is_idle && { convergence_is converged || convergence_is drift; }; }
# The commands in quotes that the alert names, as they stand there.
follow_advice() {
  tierctl --json=short status | jq -r '.alerts[] | select(.code == "half-made") | .details.message' | tee /run/advice
  grep -oE "'(dmsetup|lvchange|lvconvert|lvremove) [^']*'" /run/advice | tr -d "'" >/run/advised
  [[ -s /run/advised ]] || fail "nothing is advised"
  while read -r line; do eval "$line"; done </run/advised
}
# goes_on: tierd again, and what it advises, behind which there may be more; then nobody who writes is held up any longer.
goes_on() {
  start_tierd
  wait_for 60 settled
  for _ in 1 2; do
    half_made || break
    follow_advice
    tierctl reload
    wait_for 60 is_idle
    sleep 3
  done
  wait_for 60 timeout 2 touch "$DATA/written-after"
  rm -f "$DATA/written-after"
}
# nothing_left: of a cache that went by the policy.
nothing_left() {
  same "physical volumes of the group" /dev/mapper/slow "$(pvs --noheadings -o pv_name -S "vg_name=$VG" | tr -d ' ')"
  same "volumes" "$LV" "$(lvs -a --noheadings -o lv_name "$VG" | tr -d ' ' | paste -sd,)"
  same "devices" "$VG-$LV" "$(dmsetup info -c --noheadings -o name | grep "^$VG-" | paste -sd,)"
}

# In what the last command that was followed changed: the number of the N-th line of that name behind line FROM, and of the last one.
nth() { awk -v name="$1" -v n="$2" -v from="${3:-0}" 'NR > from && $0 == name && ++found == n { print NR }' /run/points; }
last() { awk -v name="$1" '$0 == name { at = NR } END { print at }' /run/points; }

# policy_over_two LAYOUT: MODE as `policy` has it.
policy_over_two() {
  policy "${2:-writeback}" 'count: 2'
  sed -i "s/^    device: fast/&\n    layout: $1/" /etc/tierd/10-media.yaml
}
