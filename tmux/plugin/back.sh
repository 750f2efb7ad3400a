#!/bin/sh
# back.sh CLIENT: shows that client what it showed before it went to an agent (see cli/attach/back.ts).
plugin=$(CDPATH='' cd -P -- "${0%/*}" && pwd -P) || exit 1
. "$plugin/server.sh"
name=back_$(printf '%s' "$1" | tr -c 'A-Za-z0-9' _)
place=$(own "$name")
tmux set-option -gu "@devflow_$name"
# If the pane is gone, its session may still be there.
for target in "$place" "${place%%:*}"; do
  if [ -n "$target" ] && tmux switch-client -c "$1" -t "$target" 2>/dev/null; then exit 0; fi
done
say 'there is no place to go back to' "$1"
