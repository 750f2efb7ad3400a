# shellcheck shell=sh
# The person's choices, from their tmux options. Needs server.sh.

# Read once: each tmux call takes milliseconds, and the server waits for its plugins.
newline='
'
options=$newline$(tmux show-options -g)$newline

is_set() {
  case $options in
    *"$newline$1 "* | *"$newline$1$newline"*) return 0 ;;
    *) return 1 ;;
  esac
}

# wish NAME DEFAULT: the person's choice, which may be empty.
wish() {
  if is_set "@devflow-$1"; then tmux show-option -gqv "@devflow-$1"; else printf '%s\n' "$2"; fi
}

wished_home() {
  home=$(wish home '')
  # shellcheck disable=SC2088 # tmux does not expand a quoted ~
  case $home in '~/'*) home=${HOME:-}/${home#'~/'} ;; esac
  printf '%s\n' "$home"
}
