# shellcheck shell=sh
# tmux commands for a key: devflow in a popup, or a script in the background. Needs server.sh, wishes.sh, and `here`.
# shellcheck disable=SC2154 # here, home: from devflow.tmux; long_enough: from server.sh

# One word of a command that `run-shell` first expands as a format.
in_format() { quote "$(literal "$1")"; }

# The command for devflow, with the configured home, else the home of the server's environment.
devflow_words() {
  # Names the client, because a program in a popup cannot find its own.
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

# popup WORD...: devflow with these words, in the directory of the pane. display-popup itself expands the directory, so
# that its name is never read as a command. With -EE the popup stays open if devflow fails.
popup() {
  command="display-popup -EE -w $(size width) -h $(size height) -d '##{pane_current_path}' --"
  command="$command $(devflow_words) $(in_format "$here/bin/devflow")"
  for word; do command="$command $word"; done
  printf 'run-shell -C %s\n' "$(quote "$command")"
}

# script NAME: one of our scripts in the background, with the client as its argument.
script() {
  printf 'run-shell -b %s\n' "$(quote "$(devflow_words) $(in_format "$here/tmux/plugin/$1") '#{client_name}'")"
}

# when_up COMMAND: runs it if the daemon is up. The daemon marks this server while it runs.
when_up() {
  sentence='devflow: not running; open the dashboard, or run devflow up'
  printf "if-shell -F '#{@devflow_by}' %s %s\n" "$(quote "$1")" "$(quote "display-message -d $long_enough $(quote "$sentence")")"
}
