/** Used in this order if tmux cannot use the terminal's own type. */
const USUAL = 'tmux-256color screen-256color xterm-256color';

/**
 * One line without single quotes and backslashes, because a login shell on another host reads it. It tries rather than
 * looks the type up: only tmux itself knows what it can use. Standard error goes through a variable, which hides the
 * error of a try if a later one works.
 */
const SCRIPT = [
  'exec 3>&1; own=$TERM; name=$own; error=; [ -n "$own" ] || name="(none)"',
  `for term in "$own" ${USUAL}; do said=$(TERM=$term "$@" 2>&1 >&3 3>&-); status=$?`,
  'case $said in *"terminal failed"*|*"unsuitable terminal"*|*terminfo*) [ -n "$error" ] || error=$said; continue;; esac',
  '[ "$term" = "$own" ] || echo "devflow: tmux does not know the terminal type $name here; it used $term." >&2',
  '[ -z "$said" ] || echo "$said" >&2; exit $status; done',
  'echo "$error" >&2; exit 1',
].join('; ');

/**
 * A command that shows a pane, with a usual terminal type if tmux does not know the terminal's own one. A terminal's
 * type is often unknown on an older system or on another host. It says so on standard error when it ends.
 */
export function withKnownTerminal(argv: readonly string[]): string[] {
  return ['/bin/sh', '-c', SCRIPT, 'sh', ...argv];
}
