# shellcheck shell=sh
# The tmux server that this runs in: its options, and a sentence for whoever looks at it.

# Without -u a tmux in the C locale would print what it holds with underscores in it.
tmux() { command tmux -u "$@"; }

# own NAME: an option of ours, empty without one.
own() { tmux show-option -gqv "@devflow_$1"; }

# A last word that ends in a semicolon would end the command.
set_own() { tmux set-option -g "@devflow_$1" "$2"; }

# The number is one that no configuration has.
welcome='client-session-changed[4217]'
# The daemon's, for what nobody was there to hear (daemon/statusLine/tell.ts).
missed='client-session-changed[4218]'

forget_options() {
  set -- set-hook -gu "$welcome" \; set-hook -gu "$missed"
  for name in $(tmux show-options -g | sed -n 's/^\(@devflow_[A-Za-z0-9_]*\).*/\1/p'); do
    set -- "$@" \; set-option -gu "$name"
  done
  tmux "$@" 2>/dev/null
}

# literal TEXT: as it is through a format, which a message and `run-shell` are.
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

# Milliseconds in which a sentence can be read; tmux's own 750 are for a word.
long_enough=5000

# say TEXT [CLIENT]: one line, which goes by itself or by any key. A message is also a time format.
say() {
  line=$(literal "devflow: ${1#devflow: }" | sed -e 's/%/%%/g' -e 1q)
  if [ -n "${2:-}" ]; then
    tmux display-message -d "$long_enough" -c "$2" -- "$line"
  elif [ -n "$(tmux list-clients -F '#{client_name}' 2>/dev/null)" ]; then
    # Before 3.2, which is then what it says, there is no -d.
    tmux display-message -d "$long_enough" -- "$line" 2>/dev/null || tmux display-message -- "$line"
  else
    # While a server starts nobody looks yet: the first who comes is told, by a hook that then goes.
    tmux set-hook -g "$welcome" "display-message $(quote "$line") ; set-hook -gu '$welcome'"
  fi
}
