# shellcheck shell=sh
# tmux commands for a key: a popup with a devflow in it, a script beside it. Needs server.sh, wishes.sh, and `here`.
# shellcheck disable=SC2154 # here, home: of devflow.tmux; long_enough: of server.sh

# As words of a command that is a format too, on the way through `run-shell`.
in_format() { quote "$(literal "$1")"; }

# Which devflow: with the home that the person named, else as the server's environment has it.
devflow_words() {
  # The client, for what is shown from there: a popup does not know its own.
  printf "env DEVFLOW_INTERNAL_TMUX_CLIENT='#{client_name}'"
  if [ -n "$home" ]; then printf ' %s' "$(in_format "DEVFLOW_HOME=$home")"; fi
}

size() {
  value=$(wish "popup-$1" 90%)
  case ${value%\%} in
    '' | *[!0-9]*) value=90% ;;
  esac
  printf '%s\n' "$value"
}

# popup WORD...: devflow with these words, in the directory of the pane. That one is expanded by display-popup itself, so
# that its name is never read as a command. -EE: what a devflow that fails says stays to be read.
popup() {
  command="display-popup -EE -w $(size width) -h $(size height) -d '##{pane_current_path}' --"
  command="$command $(devflow_words) $(in_format "$here/bin/devflow")"
  for word; do command="$command $word"; done
  printf 'run-shell -C %s\n' "$(quote "$command")"
}

# script NAME: one of ours beside the pane, told the client.
script() {
  printf 'run-shell -b %s\n' "$(quote "$(devflow_words) $(in_format "$here/tmux/plugin/$1") '#{client_name}'")"
}

# when_up COMMAND: the daemon marks this server while it runs, and the mark goes with it.
when_up() {
  sentence='devflow: it is not running: open the dashboard, or say devflow up'
  printf "if-shell -F '#{@devflow_by}' %s %s\n" "$(quote "$1")" "$(quote "display-message -d $long_enough $(quote "$sentence")")"
}
