#!/bin/sh
# The tmux plugin: its options, keys and scripts. tmux runs this file when it starts, through TPM or run-shell.
# `devflow.tmux unload` undoes everything.
here=$(CDPATH='' cd -P -- "${0%/*}" && pwd -P) || exit 1
. "$here/tmux/plugin/server.sh"
. "$here/tmux/plugin/wishes.sh"
. "$here/tmux/plugin/keys.sh"
. "$here/tmux/plugin/popup.sh"
. "$here/tmux/plugin/fit.sh"
. "$here/tmux/plugin/register.sh"

# Loading it again, perhaps with other keys, starts from scratch.
if is_set @devflow_loaded || is_set @devflow_key_dashboard; then
  for name in back jump picker approvals dashboard; do give_key_back "$name"; done
  forget_server
fi
forget_options
if [ "${1:-load}" = unload ]; then exit 0; fi

is_fit || exit 0
set_own loaded "$here"
home=$(wished_home)
take_key dashboard F 'the dashboard' "$(popup tui)"
take_key approvals A 'gates that wait for your decision' "$(when_up "$(popup tui --screen approvals)")"
take_key picker G 'all agents' "$(popup tui --screen sessions)"
take_key jump J 'the next agent that needs you' "$(script jump.sh)"
take_key back B 'back to where you were' "$(script back.sh)"
register_server
exit 0
