import { defined } from '../../../schemas/defined.ts';
import { hash } from '../../../schemas/hash.ts';
import type { RightsHook } from '../../../schemas/repository/programRights.ts';
import { toToml } from './toml.ts';

const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest'],
  ...['Stop', 'Interrupt', 'SessionEnd'],
];

/** Seconds. Codex caps hooks of Interrupt and SessionEnd at this time; a longer one would give another hash. */
const TIMEOUT = 3;

/** The source that Codex names for settings given by `-c`. */
const SOURCE = '/<session-flags>/config.toml';

/** Of other events Codex ignores the matcher, also for the hash. */
const MATCHED = ['PreToolUse', 'PostToolUse', 'SessionStart'];

interface Handler extends Record<string, unknown> {
  type: 'command';
  command: string;
  timeout: number;
}

/** A group of one hook: devflow's, or one of the repository. */
interface Group {
  matcher?: string;
  hooks: readonly [Handler];
}

/**
 * devflow's hooks as flags, and those of the repository that a person allowed. Each comes with the hash by which Codex
 * trusts it. So devflow does not need `--dangerously-bypass-hook-trust`, which would also run what the worktree has,
 * outside the sandbox and without review. A Codex that computes the hash in another way asks before it starts (`Hooks
 * need review`); it runs nothing unasked.
 */
export function codexHooks(hookCommand: (event: string) => string, ofRepository: readonly RightsHook[] = []): string[] {
  const events = [...new Set([...EVENTS, ...ofRepository.map(({ event }) => event)])];
  const hooks = events.map((event) => {
    const own: Group = { hooks: [{ type: 'command', command: hookCommand(event), timeout: TIMEOUT }] };
    const theirs = ofRepository.filter((hook) => hook.event === event).map(groupOf);
    return { event, groups: EVENTS.includes(event) ? [own, ...theirs] : theirs };
  });
  const entries = hooks.map(({ event, groups }) => `hooks.${event}=${toToml(groups)}`);
  const trusted = hooks.flatMap(({ event, groups }) =>
    groups.map((group, at) => [`${SOURCE}:${labelOf(event)}:${at}:0`, { trusted_hash: trustedHash(event, group) }]),
  );
  return [...entries, `hooks.state=${toToml(Object.fromEntries(trusted))}`].flatMap((setting) => ['-c', setting]);
}

function groupOf({ event, matcher, command, options }: RightsHook): Group {
  const { timeout, ...others } = options;
  // Codex's own default, in whole seconds.
  const seconds = typeof timeout === 'number' ? Math.max(1, Math.floor(timeout)) : 600;
  const hooks: Group['hooks'] = [{ ...others, type: 'command', command, timeout: seconds }];
  return defined({ matcher: MATCHED.includes(event) ? matcher : undefined, hooks });
}

/** The hash of Codex's own form of the entry: with its defaults, without what is not set. */
function trustedHash(event: string, { matcher, hooks: [handler] }: Group): string {
  const normal = { ...handler, async: handler.async === true };
  return `sha256:${hash({ event_name: labelOf(event), matcher, hooks: [normal] })}`;
}

/** Codex writes `SessionStart` as `session_start`. */
function labelOf(event: string): string {
  return event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
