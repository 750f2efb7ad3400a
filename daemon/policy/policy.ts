import { DevflowError } from '../../schemas/errors.ts';
import { literal } from './call/call.ts';
import type { Rule, Violation } from './call/violation.ts';
import { inspectCommand, MAX_SCRIPTS } from './inspect.ts';

/** The decision on a command: allowed, or the rule that it breaks. */
export interface PolicyResult {
  allowed: boolean;
  rule: Rule | null;
  /** One sentence without a full stop. */
  reason: string;
}

/**
 * Checks every suffix of an argv as a command, and each argument that looks like a shell script. It prevents accidents,
 * not attacks. docs/policy.md lists what it sees and what it misses. `makesEnvFiles`: it may write `.env` files below its
 * directory, as the set-up of a worktree may.
 */
export function checkPolicy(
  argv: readonly string[],
  { makesEnvFiles = false }: { makesEnvFiles?: boolean } = {},
): PolicyResult {
  if (argv.length === 0 || argv[0] === '')
    return { allowed: false, rule: 'shell_unreadable', reason: 'there is no program to run' };
  const found = firstOf(
    inspectCommand(
      { words: argv.map(literal), redirects: [] },
      { depth: 0, text: false, budget: { left: MAX_SCRIPTS }, makesEnvFiles },
    ),
  );
  return found ? { allowed: false, ...found } : { allowed: true, rule: null, reason: 'no rule forbids it' };
}

/** The first violation; one of `shell_unreadable` only if there is no other. */
function firstOf(violations: Iterable<Violation>): Violation | undefined {
  let unreadable: Violation | undefined;
  for (const found of violations) {
    if (found.rule !== 'shell_unreadable') return found;
    unreadable ??= found;
  }
  return unreadable;
}

/** Throws destructive_command_blocked or secret_access_blocked, with `{rule, argv}` as data, if the policy refuses. */
export function assertAllowed(argv: readonly string[]): void {
  const { allowed, rule, reason } = checkPolicy(argv);
  if (allowed) return;
  const code = rule === 'secret_access' ? 'secret_access_blocked' : 'destructive_command_blocked';
  throw new DevflowError(code, `devflow will not run "${argv.join(' ')}": ${reason}.`, {
    data: { rule, argv: [...argv] },
  });
}
