# shellcheck shell=sh
# Keys after the prefix, and what a person had on them before. Needs server.sh and wishes.sh.

# A line of list-keys is itself the command that binds.
bound() { tmux list-keys -T prefix "$1" 2>/dev/null | sed -n 1p; }

# The same, so that it binds all of what it says: with its note, which list-keys tells apart from it, and with the
# semicolon that ends an argument written as one that does not end a command (within braces it never does).
bound_in_full() {
  line=$(bound "$1")
  [ -n "$line" ] || return 0
  case $line in
    *'{'*) ;;
    *';"'*) line=$(printf '%s\n' "$line" | sed -e 's/\([^\\]\);" /\1\\\\;" /g' -e 's/\([^\\]\);"$/\1\\\\;"/') ;;
  esac
  note=$(tmux list-keys -N -P '' -T prefix "$1" 2>/dev/null | sed -n -e 's/^[^ ]* *//' -e 1p)
  case $line in
    *' -N '*) printf '%s\n' "$line" ;;
    *) printf 'bind-key %s%s\n' "${note:+-N $(quote "$note")}" "${line#bind-key}" ;;
  esac
}

# take_key NAME DEFAULT NOTE COMMAND: binds the key that the person wishes for NAME; none when the wish is empty.
take_key() {
  key=$(wish "key-$1" "$2")
  [ -n "$key" ] || return 0
  case $key in *\;) key="${key%;}\\;" ;; esac
  kept=$(bound_in_full "$key")
  # The spaces: see set_own.
  if ours=$(tmux bind-key -N "devflow: $3" "$key" "$4" \; set-option -g "@devflow_key_$1" "$key " \; \
    set-option -g "@devflow_kept_$1" "$kept " \; list-keys -T prefix "$key" 2>/dev/null); then
    set_own "ours_$1" "$ours "
  else
    say "tmux knows no key $key (@devflow-key-$1)"
  fi
}

# A key that was bound anew since then is not ours to give back.
give_key_back() {
  key=$(own "key_$1")
  key=${key% }
  [ -n "$key" ] && [ "$(bound "$key") " = "$(own "ours_$1")" ] || return 0
  kept=$(own "kept_$1")
  tmux unbind-key "$key"
  if [ "$kept" != ' ' ]; then printf '%s\n' "$kept" | tmux source-file -; fi
}
