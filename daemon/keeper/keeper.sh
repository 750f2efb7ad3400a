#!/bin/sh
# keeper.sh RECORD NODE PROGRAM LOG PID [DAEMON WORD...]: the keeper of a daemon while it runs. It sleeps, and takes 0.2 MB.
# It starts DAEMON, or watches the daemon PID that another program started. After an end that nobody asked for it becomes
# `NODE PROGRAM RECORD ended PID CODE` (daemon/keeper/main.ts), which decides, waits, and becomes this script again.
# So a keeper keeps its pid. A signal that ends it ends the daemon in order; after kill -9 the daemon goes on.

record=$1 node=$2 program=$3 log=$4 daemon=$5
shift 5
stopping=
told=
first=
trap 'woken=1 stopping=1; end_daemon' TERM INT HUP

# Once: a second signal would end the daemon at once, out of order.
end_daemon() {
  [ -n "$daemon" ] && [ -z "$told" ] || return 0
  [ -z "$first" ] || is_alive "$daemon" || return 0
  told=1
  kill -TERM "$daemon" 2>/dev/null
}

# Sets `state` and `born`, the start time, of a process. Fails if that is not known.
look_at() {
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- ${stat##*) }
  [ $# -ge 20 ] || return 1
  state=$1
  shift 19
  born=$1
}

# A zombie has ended, too, and another process may have got the pid.
is_alive() {
  kill -0 "$1" 2>/dev/null || return 1
  look_at "$1" || return 0
  [ "$state" != Z ] && [ "$born" = "${first:-$born}" ]
}

# The daemon renames a full log, and under systemd these descriptors are the journal.
open_log() {
  if [ -f "$log" ] && [ -w "$log" ]; then exec >>"$log" 2>&1; fi
}

# An update removes Node and the program for a while, or leaves Node at another place.
await_program() {
  looks=0
  while
    [ -x "$node" ] || ! found=$(command -v node) ||
      ! "$found" -e 'process.exit(process.execve ? 0 : 1)' 2>/dev/null || node=$found
    [ ! -x "$node" ] || [ ! -r "$program" ]
  do
    [ "$looks" -ne 0 ] || echo "devflow: the daemon ended. Its keeper waits for $node and $program." >&2
    [ "$looks" -lt 600 ] || exit 127
    looks=$((looks + 1))
    sleep 1 &
    wait $!
    [ -z "$stopping" ] || exit 0
  done
}

open_log
if [ -n "$daemon" ]; then
  code=unknown
  if look_at "$daemon"; then first=$born; fi
  while is_alive "$daemon"; do
    sleep 1 &
    wait $!
  done
else
  "$@" &
  daemon=$!
  # `devflow up` reads there until the daemon is ready.
  exec 3>&-
  [ -z "$stopping" ] || end_daemon
  # A signal ends `wait` early.
  while
    woken=
    wait "$daemon"
    code=$?
    [ -n "$woken" ]
  do :; done
  [ "$code" -ne 0 ] || exit 0
fi
[ -z "$stopping" ] || exit 0
# Another process may get its pid.
ended=$daemon daemon=
open_log
await_program
exec "$node" "$program" "$record" ended "$ended" "$code"
