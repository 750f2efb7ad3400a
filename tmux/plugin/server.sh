# shellcheck shell=sh
# The tmux server that this runs in: its options, and a sentence for whoever looks at it.

# Without -u a tmux in the C locale would print what it holds with underscores in it.
tmux() { command tmux -u "$@"; }

# own NAME: an option of ours, empty without one.
own() { tmux show-option -gqv "@devflow_$1"; }

# A last word that ends in a semicolon would end the command.
set_own() { tmux set-option -g "@devflow_$1" "$2"; }

# wish NAME DEFAULT: what the person chose, which may be nothing at all.
wish() {
  if [ -n "$(tmux show-option -gq "@devflow-$1")" ]; then
    tmux show-option -gqv "@devflow-$1"
  else
    printf '%s\n' "$2"
  fi
}

wished_home() {
  home=$(wish home '')
  # shellcheck disable=SC2088 # tmux hands over a quoted ~ as it is
  case $home in '~/'*) home=${HOME:-}/${home#'~/'} ;; esac
  printf '%s\n' "$home"
}

# The number is one that no configuration has.
welcome='client-session-changed[4217]'

forget_options() {
  tmux set-hook -gu "$welcome" 2>/dev/null
  tmux show-options -g | while IFS=' ' read -r name _; do
    case $name in @devflow_*) tmux set-option -gu "$name" ;; esac
  done
}

# literal TEXT: as it is through a format, which a message and `run-shell` are.
literal() { printf '%s\n' "$1" | sed 's/#/##/g'; }

# quote TEXT: one word of a tmux command.
quote() { printf "'%s'\n" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")"; }

# say TEXT [CLIENT]: one line, which goes by itself. A message is also a time format.
say() {
  line=$(literal "devflow: ${1#devflow: }" | sed -e 's/%/%%/g' -e 1q)
  if [ -n "${2:-}" ]; then
    tmux display-message -c "$2" -- "$line"
  elif [ -n "$(tmux list-clients -F '#{client_name}' 2>/dev/null)" ]; then
    tmux display-message -- "$line"
  else
    # While a server starts nobody looks yet: the first who comes is told, by a hook that then goes.
    tmux set-hook -g "$welcome" "display-message $(quote "$line") ; set-hook -gu '$welcome'"
  fi
}
