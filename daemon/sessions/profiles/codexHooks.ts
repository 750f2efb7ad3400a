import { hash } from '../../../schemas/hash.ts';

const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest'],
  ...['Stop', 'Interrupt', 'SessionEnd'],
];

/** Seconds. Codex caps hooks of Interrupt and SessionEnd at this time; a longer one would give another hash. */
const TIMEOUT = 3;

/** The source that Codex names for settings given by `-c`. */
const SOURCE = '/<session-flags>/config.toml';

/**
 * devflow's hooks as flags, each with the hash by which Codex trusts it. So devflow does not need
 * `--dangerously-bypass-hook-trust`, which would also run the repository's hooks, outside the sandbox and without
 * review. A Codex that computes the hash in another way asks before it starts (`Hooks need review`); it runs nothing
 * unasked.
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

/** The hash of Codex's own form of the entry: with its defaults, without what is not set. */
function trustedHash(label: string, command: string): string {
  return `sha256:${hash({ event_name: label, hooks: [{ type: 'command', command, timeout: TIMEOUT, async: false }] })}`;
}

/** Codex writes `SessionStart` as `session_start`. */
function labelOf(event: string): string {
  return event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
