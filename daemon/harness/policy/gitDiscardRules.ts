import type { Finding, Word } from './finding.ts';
import { given, parseOptions } from './options.ts';

const DISCARD: Finding['rule'] = 'git_discard_changes';

/** Switching branches keeps uncommitted work; paths and --force overwrite it, and nothing has a copy. */
export function gitCheckoutRule(args: Word[]): Finding | undefined {
  const dashes = args.findIndex((word) => word.text === '--');
  const paths = dashes < 0 ? [] : args.slice(dashes + 1);
  const { options, operands } = parseOptions(dashes < 0 ? args : args.slice(0, dashes), ['-b', '-B', '--orphan']);
  if (given(options, '-f', '--force')) {
    return { rule: DISCARD, reason: 'git checkout --force throws away uncommitted work' };
  }
  // With -b the second word is where the branch begins; otherwise a branch comes alone, and what follows it is a path.
  const creates = given(options, '-b', '-B', '--orphan');
  const overwrites =
    paths.length > 0 ||
    given(options, '--pathspec-from-file') ||
    (!creates && (operands.length > 1 || operands.some(isPathspec)));
  return overwrites ? { rule: DISCARD, reason: 'git checkout of paths overwrites uncommitted work' } : undefined;
}

/** What no branch can be called: `.`, `./src`, `..`, `:/`, `*.ts`. */
function isPathspec({ text }: Word): boolean {
  return /^(\.|:)|[*?[]|\/$/.test(text);
}

export function gitSwitchRule(args: Word[]): Finding | undefined {
  const { options } = parseOptions(args, ['-c', '-C', '--create', '--force-create', '--orphan']);
  if (!given(options, '-f', '--force', '--discard-changes')) return undefined;
  return { rule: DISCARD, reason: 'git switch --discard-changes throws away uncommitted work' };
}

/** Only `--staged` alone leaves the files as they are. */
export function gitRestoreRule(args: Word[]): Finding | undefined {
  const { options, operands } = parseOptions(args, ['-s', '--source', '--pathspec-from-file', '--conflict']);
  const indexOnly = given(options, '-S', '--staged') && !given(options, '-W', '--worktree');
  if (indexOnly || (operands.length === 0 && !given(options, '--pathspec-from-file'))) return undefined;
  return { rule: DISCARD, reason: 'git restore overwrites uncommitted work' };
}

/** A stash is uncommitted work that was put aside. */
export function gitStashRule(args: Word[]): Finding | undefined {
  const { operands } = parseOptions(args, ['-m', '--message']);
  const what = operands[0]?.text;
  if (what !== 'drop' && what !== 'clear') return undefined;
  return { rule: 'git_stash_drop', reason: `git stash ${what} deletes work that is nowhere else` };
}
