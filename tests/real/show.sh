# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What tests/try shows, in the booted kernel: the main job, at a pace that can be read. TIERD_PACE is the pause after each screen, in
# seconds; TIERD_SHELL leaves the person in a shell with all of it running.
. "$GUEST/lib.sh"
set +u
export PATH="$BIN:$PATH" LC_ALL=C.UTF-8
[[ -z ${TIERD_COLOR-} ]] || unset NO_COLOR
unset -f tierctl
pace=${TIERD_PACE:-3}
bold='' plain='' dim=''
if [[ ${TIERD_COLOR-} ]]; then bold=$'\e[1m' plain=$'\e[0m' dim=$'\e[2m'; fi
clear_screen() { [[ -z ${TIERD_COLOR-} ]] || printf '\e[2J\e[H'; }
say() { printf '\n%s# %s%s\n' "$dim" "$*" "$plain"; }
# run COMMAND LINE: as a person would type it.
run() {
  printf '%s$ %s%s\n' "$bold" "$1" "$plain"
  eval "$1"
  sleep "$pace"
}

clear_screen
say 'A slow hard disk (8 ms a request) with a volume full of files. No SSD.'
(spinning /dev/ubda && make_volume) >/dev/null || exit 1
run 'lsblk -o NAME,ROTA,SIZE,TYPE,MOUNTPOINTS'
run "df -h $DATA"
policy writeback
run 'cat /etc/tierd/10-media.yaml'
say 'tierd starts: it looks around, and waits.'
(start_tierd) || exit 1
run 'tierctl status'
run 'tierctl plan'

say 'Now a person plugs in an SSD. Nothing else is typed.'
tierctl watch 2>/dev/null &
watcher=$!
sleep 0.5
ssd=$(plug_ssd)
(wait_for 120 is_cached && wait_convergence converged) || exit 1
sleep 1
kill "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
sleep "$pace"

say "It is done: $ssd serves $VG/$LV, which stayed mounted the whole time."
run 'tierctl status'
run "lvs -a -o lv_name,lv_size,segtype,cache_mode,lv_tags,devices $VG"
run 'tierctl plan'
run "tierctl explain $ssd"
say 'And the files?'
if (files_hold); then echo "All $(wc -l </run/checksums) checksums hold."; else exit 1; fi

if [[ ${TIERD_SHELL-} ]]; then
  cat >/run/shell.rc <<RC
. "$GUEST/guest.sh"
export PATH="$BIN:\$PATH" PS1='tierd-sandbox# '
cd $DATA
RC
  say "A shell in the sandbox, tierd running. plug_ssd brings another SSD, pull $ssd takes one out; tierctl, lvs, busctl tree org.tierd1 …; exit ends it."
  setsid -c bash --rcfile /run/shell.rc -i </dev/tty0 >/dev/tty0 2>&1
fi
(stop_tierd)
rm -rf "${OUT:?}"/*
exit 0
