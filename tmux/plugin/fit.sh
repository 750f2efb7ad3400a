# shellcheck shell=sh
# Checks whether the plugin can work here. Needs server.sh, and `here`.
# shellcheck disable=SC2154 # here: where devflow.tmux is

# What devflow needs (daemon/doctor/checks/programs.ts). A version without a number is from tmux's development branch.
is_new_enough() {
  version=$(command tmux -V 2>/dev/null)
  version=${version#tmux }
  version=${version#next-}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%[!0-9]*}
  case $major in '' | *[!0-9]*) return 0 ;; esac
  [ "$major" -gt 3 ] || { [ "$major" -eq 3 ] && [ "${minor:-0}" -ge 3 ]; }
}

is_fit() {
  if ! is_new_enough; then
    say "tmux $version is too old: it needs 3.3, and 3.5 is recommended; no key is bound"
    return 1
  fi
  if [ ! -f "$here/dist/cli.cjs" ]; then
    # The path comes last, because a narrow terminal cuts the end.
    say "not built, so no key is bound: run npm ci in $here"
    return 1
  fi
}
