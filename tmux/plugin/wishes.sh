# shellcheck shell=sh
# What the person has chosen, in options of theirs. Needs server.sh.

# Asked for once: a tmux costs milliseconds, and the server starts no sooner than its plugins are loaded.
newline='
'
options=$newline$(tmux show-options -g)$newline

is_set() {
  case $options in
    *"$newline$1 "* | *"$newline$1$newline"*) return 0 ;;
    *) return 1 ;;
  esac
}

# wish NAME DEFAULT: what the person chose, which may be nothing at all.
wish() {
  if is_set "@devflow-$1"; then tmux show-option -gqv "@devflow-$1"; else printf '%s\n' "$2"; fi
}

wished_home() {
  home=$(wish home '')
  # shellcheck disable=SC2088 # tmux hands over a quoted ~ as it is
  case $home in '~/'*) home=${HOME:-}/${home#'~/'} ;; esac
  printf '%s\n' "$home"
}
