import { shellQuote } from '../../../../tmux/command/shellQuote.ts';

/** In the session's directory. */
export const HOOK_DIRECTORY = 'hooks';
export const HOOK_SCRIPT = 'hook.sh';

/**
 * Writes the event on standard input as one file, whole or not at all, and says nothing: what a hook prints may end up in the
 * conversation, and one that fails may hold the agent up. Takes the directory and the event's name.
 */
export const HOOK_SCRIPT_TEXT = `#!/bin/sh
umask 077
draft="$1/.$2.$$"
cat >"$draft" 2>/dev/null && mv -f "$draft" "$1/$(date +%s).$$.$2.json" 2>/dev/null
exit 0
`;

/** What a backend's settings name as the command of that event's hook. */
export function hookCommand(sessionDir: string, event: string): string {
  return ['/bin/sh', `${sessionDir}/${HOOK_SCRIPT}`, `${sessionDir}/${HOOK_DIRECTORY}`, event]
    .map(shellQuote)
    .join(' ');
}
