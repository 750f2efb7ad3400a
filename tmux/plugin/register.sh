# shellcheck shell=sh
# Registers this tmux server with a small file, so that the daemon updates its status line. Needs server.sh.
# shellcheck disable=SC2154 # home: from devflow.tmux

# Follows schemas/files/paths.ts. Fails without a home.
state_directory() {
  base=${home:-${DEVFLOW_HOME:-}}
  case $base in
    /*) printf '%s/state\n' "$base" ;;
    ?*) printf '%s/%s/state\n' "$PWD" "$base" ;;
    *)
      case ${XDG_STATE_HOME:-} in
        /*) printf '%s/devflow\n' "$XDG_STATE_HOME" ;;
        *) case ${HOME:-} in /*) ;; *) return 1 ;; esac && printf '%s/.local/state/devflow\n' "$HOME" ;;
      esac
      ;;
  esac
}

charset() {
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]-8* | *[Uu][Tt][Ff]8*) echo utf-8 ;;
    *) echo ascii ;;
  esac
}

# Renames a complete file into place, because the daemon may be reading.
register_server() (
  socket=$(tmux display-message -p '#{socket_path}')
  directory=$(state_directory) && directory=$directory/tmux-servers
  umask 077
  case $socket in /*) mkdir -p "$directory" 2>/dev/null || exit 0 ;; *) exit 0 ;; esac
  file=$directory/$(printf '%s\n' "$socket" | cksum | tr -c '0-9\n' -)
  printf 'socket %s\ncharset %s\n' "$socket" "$(charset)" >"$file.new" && mv -f "$file.new" "$file"
  set_own file "$file "
)

forget_server() {
  file=$(own file)
  if [ -n "$file" ]; then rm -f "${file% }"; fi
}
