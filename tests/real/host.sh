# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the scenarios that boot more than once, on the machine itself. Such a file runs itself again in the kernels that it boots,
# with the name of a part as its argument.
set -u
: "${OUT:?is set by tests/real/run}"
REAL=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SHARD=${SHARD:-1} SHARDS=${SHARDS:-1}
DISKS=$OUT/disks
mkdir -p "$DISKS"
trap 'rm -rf "$DISKS"' EXIT

# try "WHAT MUST HOLD" COMMAND [ARG...]: as in lib.sh.
failures=0
try() {
  local what=$1 began=$SECONDS result=ok
  shift
  echo "=== $what"
  (
    set -eu
    "$@"
  )
  case $? in
    0) ;;
    77) result=skip ;;
    *) result=fail failures=$((failures + 1)) ;;
  esac
  printf '%s\t%s\t%d\n' $result "$what" $((SECONDS - began)) | tee -a "$OUT/cases"
  tried=$result
}
must() {
  try "$@"
  [[ $tried != fail ]] || exit 1
}

# part NAME [BOOT OPTION]... : the part of this file runs in a kernel of its own; its /out is $OUT/NAME. TIERD_ variables reach it.
part() {
  local name=$1
  shift
  rm -rf "${OUT:?}/$name"
  mkdir -p "$OUT/$name"
  "$REAL/boot" -o "$OUT/$name" -t 2000 "$@" "$0" "${name%%.*}"
}
# cases_of NAME: what that part tried counts as cases of the scenario.
cases_of() { [[ ! -e $OUT/$1/cases ]] || cat "$OUT/$1/cases" >>"$OUT/cases"; }
# disk NAME SIZE: an empty file for boot -f; copy_disk FROM TO.
disk() { rm -f "$DISKS/$1" && truncate -s "$2" "$DISKS/$1"; }
copy_disk() { cp --sparse=always "$DISKS/$1" "$DISKS/$2"; }
