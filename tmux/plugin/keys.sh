# shellcheck shell=sh
# Binds keys after the prefix, and restores the person's earlier bindings. Needs server.sh and wishes.sh.

# The binding of a key. list-keys prints the command that binds it.
bound() { tmux list-keys -T prefix "$1" 2>/dev/null | sed -n 1p; }

# The same, as a command that restores everything. It adds the note, which list-keys prints separately. It escapes a
# semicolon at the end of an argument, which would end the command (but not within braces).
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

# take_key NAME DEFAULT NOTE COMMAND: binds the key that the person chose for NAME. An empty choice binds none.
take_key() {
  key=$(wish "key-$1" "$2")
  [ -n "$key" ] || return 0
  case $key in *\;) key="${key%;}\\;" ;; esac
  kept=$(bound_in_full "$key")
  # For the spaces, see set_own.
  if ours=$(tmux bind-key -N "devflow: $3" "$key" "$4" \; set-option -g "@devflow_key_$1" "$key " \; \
    set-option -g "@devflow_kept_$1" "$kept " \; list-keys -T prefix "$key" 2>/dev/null); then
    set_own "ours_$1" "$ours "
  else
    say "tmux knows no key $key (@devflow-key-$1)"
  fi
}

# Leaves a key alone that was bound again since then.
give_key_back() {
  key=$(own "key_$1")
  key=${key% }
  [ -n "$key" ] && [ "$(bound "$key") " = "$(own "ours_$1")" ] || return 0
  kept=$(own "kept_$1")
  tmux unbind-key "$key"
  if [ "$kept" != ' ' ]; then printf '%s\n' "$kept" | tmux source-file -; fi
}
