import { shellQuote } from '../../../../tmux/command/command.ts';

/** Both are in the session's directory. */
export const HOOK_DIRECTORY = 'hooks';
export const HOOK_SCRIPT = 'hook.sh';

/**
 * Writes the event from standard input as one file, whole or not at all. It prints nothing and never fails: output may
 * end up in the conversation, and a failure may stop the agent. Arguments: the directory and the event's name.
 */
export const HOOK_SCRIPT_TEXT = `#!/bin/sh
umask 077
draft="$1/.$2.$$"
cat >"$draft" 2>/dev/null && mv -f "$draft" "$1/$(date +%s).$$.$2.json" 2>/dev/null
exit 0
`;

/** The command of that event's hook, for a backend's settings. */
export function hookCommand(sessionDir: string, event: string): string {
  return ['/bin/sh', `${sessionDir}/${HOOK_SCRIPT}`, `${sessionDir}/${HOOK_DIRECTORY}`, event]
    .map(shellQuote)
    .join(' ');
}
