# shellcheck shell=sh
# The tmux server of this script: its options, and messages to its clients.

# Without -u, tmux in the C locale would print underscores for other characters.
tmux() { command tmux -u "$@"; }

# own NAME: one of devflow's options; empty if it is not set.
own() { tmux show-option -gqv "@devflow_$1"; }

# set_own NAME VALUE: sets such an option. A value that may end in a semicolon needs a space after it.
set_own() { tmux set-option -g "@devflow_$1" "$2"; }

# No other configuration uses this number.
welcome='client-session-changed[4217]'
# The daemon's hook for messages that nobody saw (daemon/statusLine/tell.ts).
missed='client-session-changed[4218]'

forget_options() {
  set -- set-hook -gu "$welcome" \; set-hook -gu "$missed"
  for name in $(tmux show-options -g | sed -n 's/^\(@devflow_[A-Za-z0-9_]*\).*/\1/p'); do
    set -- "$@" \; set-option -gu "$name"
  done
  tmux "$@" 2>/dev/null
}

# literal TEXT: escapes it for a format, as in messages and `run-shell`.
literal() {
  case $1 in
    *'#'*) printf '%s\n' "$1" | sed 's/#/##/g' ;;
    *) printf '%s\n' "$1" ;;
  esac
}

# quote TEXT: one word of a tmux command.
quote() {
  case $1 in
    *"'"*) printf "'%s'\n" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf "'%s'\n" "$1" ;;
  esac
}

# Milliseconds to read a sentence. tmux's default of 750 is too short.
long_enough=5000

# say TEXT [CLIENT]: shows one line until it times out or a key is pressed. A message is also a time format.
say() {
  line=$(literal "devflow: ${1#devflow: }" | sed -e 's/%/%%/g' -e 1q)
  if [ -n "${2:-}" ]; then
    tmux display-message -d "$long_enough" -c "$2" -- "$line"
  elif [ -n "$(tmux list-clients -F '#{client_name}' 2>/dev/null)" ]; then
    # tmux before 3.2 has no -d. The message then says that tmux is too old.
    tmux display-message -d "$long_enough" -- "$line" 2>/dev/null || tmux display-message -- "$line"
  else
    # While a server starts, it has no clients: a hook shows the message to the first one, and removes itself.
    tmux set-hook -g "$welcome" "display-message $(quote "$line") ; set-hook -gu '$welcome'"
  fi
}
