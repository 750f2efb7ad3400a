import { DevflowError } from '../../schemas/errors.ts';
import { literal, type Rule } from './policy/finding.ts';
import { inspectCommand } from './policy/inspect.ts';

export type { Rule } from './policy/finding.ts';

/** Whether devflow would run a command itself (plan section 14.3), and if not, by which rule. */
export interface Judgement {
  allowed: boolean;
  rule: Rule | null;
  /** One sentence without a full stop. */
  reason: string;
}

/**
 * Judges an argv by reading it as its programs would: wrappers are unwrapped, shell scripts are parsed. It never
 * searches for text, so `git commit -m "drop database notes"` passes and `sh -c "rm -r -f x"` does not. What a file or
 * an interpreter's own code does (`node -e`, `psql -f`) is not known to it; worktrees and gates cover that.
 */
export function judge(argv: readonly string[]): Judgement {
  if (argv.length === 0 || argv[0] === '')
    return { allowed: false, rule: 'shell_unreadable', reason: 'there is no program to run' };
  const found = inspectCommand({ words: argv.map(literal), redirects: [] });
  return found ? { allowed: false, ...found } : { allowed: true, rule: null, reason: 'no rule forbids it' };
}

/** Throws destructive_command_blocked or secret_access_blocked, with `{rule, argv}` as data, unless `judge` allows it. */
export function assertAllowed(argv: readonly string[]): void {
  const { allowed, rule, reason } = judge(argv);
  if (allowed) return;
  const code = rule === 'secret_access' ? 'secret_access_blocked' : 'destructive_command_blocked';
  throw new DevflowError(code, `devflow will not run "${argv.join(' ')}": ${reason}.`, {
    data: { rule, argv: [...argv] },
  });
}
