# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced behind lib.sh: a cache with dirty blocks, and what must hold of them.

begin() {
  policy "$@"
  start_tierd
  plug_ssd >/run/ssd
  wait_for 180 is_cached
  wait_convergence converged
}
dirty() { tier_field media Dirty; }
is_dirty() { (($(dirty) >= $1)); }
# make_dirty: so much, of random data that is read back later.
make_dirty() {
  mkdir -p "$DATA/dirt"
  local i
  for ((i = 0; i < $1; i++)); do
    dd if=/dev/urandom of="$DATA/dirt/$i" bs=1M count=1 oflag=direct status=none
    dd if="$DATA/dirt/$i" of=/dev/null bs=1M iflag=direct status=none
    dd if=/dev/urandom of="$DATA/dirt/$i" bs=1M count=1 oflag=direct conv=notrunc status=none
  done
  sync
  (cd "$DATA" && find dirt -type f -print0 | sort -z | xargs -0 sha256sum) >/run/dirt
}
dirt_holds() {
  sync
  echo 3 >/proc/sys/vm/drop_caches
  (cd "$DATA" && sha256sum --quiet -c /run/dirt) || fail "what was dirty has changed"
}
nothing_forced() { lacks "$(commands)" ' (-f|-ff|--force)( |$)'; }
given_back() {
  same "the disk's signatures" "" "$(wipefs -n "$1" 2>/dev/null || true)"
  same "physical volumes of the group" /dev/mapper/slow "$(pvs --noheadings -o pv_name -S "vg_name=$VG" | tr -d ' ')"
  same "volumes" "$LV" "$(lvs -a --noheadings -o lv_name "$VG" | tr -d ' ' | paste -sd,)"
}
mode_is() { [[ $(lv_field "$VG/$LV" cache_mode) == "$1" ]]; }
policy_is() { [[ $(lv_field "$VG/$LV" cache_policy) == "$1" ]]; }
# slow_down MS: the disk behind the cache takes so long for each write.
slow_down() {
  local table
  table=$(dmsetup table slow)
  dmsetup suspend --nolockfs --noflush slow
  dmsetup load slow --table "$(awk -v ms="$1" '{$6 = ms; print}' <<<"$table")"
  dmsetup resume slow
}
