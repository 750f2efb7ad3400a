import { hash } from '../../../schemas/hash.ts';

const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest'],
  ...['Stop', 'Interrupt', 'SessionEnd'],
];

/** Seconds. More than that is not given to a hook of Interrupt or SessionEnd, and then the hash would be another. */
const TIMEOUT = 3;

/** Where Codex says that what comes by `-c` stands. */
const SOURCE = '/<session-flags>/config.toml';

/**
 * Devflow's hooks as flags, each with the hash by which Codex trusts it. So `--dangerously-bypass-hook-trust` is not needed,
 * which would have the repository's hooks run too, outside of the sandbox and without anybody having looked at them. A
 * Codex that makes the hash in another way asks before it starts (`Hooks need review`); it runs nothing unasked.
 */
export function codexHooks(hookCommand: (event: string) => string): string[] {
  const hooks = EVENTS.map((event) => ({ event, label: labelOf(event), command: hookCommand(event) }));
  const entries = hooks.map(
    ({ event, command }) =>
      `hooks.${event}=[{hooks=[{type="command",command=${JSON.stringify(command)},timeout=${TIMEOUT}}]}]`,
  );
  const trusted = hooks.map(
    ({ label, command }) =>
      `${JSON.stringify(`${SOURCE}:${label}:0:0`)}={trusted_hash="${trustedHash(label, command)}"}`,
  );
  return [...entries, `hooks.state={${trusted.join(',')}}`].flatMap((setting) => ['-c', setting]);
}

/** Of what Codex makes of the entry: its defaults are written out, and what is not said is left out. */
function trustedHash(label: string, command: string): string {
  return `sha256:${hash({ event_name: label, hooks: [{ type: 'command', command, timeout: TIMEOUT, async: false }] })}`;
}

/** `SessionStart` is `session_start` to it. */
function labelOf(event: string): string {
  return event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
