import type { Finding, Word } from './finding.ts';
import { given, parseOptions } from './options.ts';

export function gitResetRule(args: Word[]): Finding | undefined {
  const { options } = parseOptions(args);
  if (!given(options, '--hard')) return undefined;
  return { rule: 'git_reset_hard', reason: 'git reset --hard throws away uncommitted work' };
}

/** Every clean but a dry run: with clean.requireForce=false in a configuration even the bare form deletes. */
export function gitCleanRule(args: Word[]): Finding | undefined {
  const { options } = parseOptions(args, ['-e', '--exclude']);
  if (given(options, '-n', '--dry-run') || options.some((option) => option.name === '-h')) return undefined;
  return { rule: 'git_clean', reason: 'git clean deletes files that are nowhere else' };
}

const PUSH_VALUED = ['-o', '--push-option', '--repo', '--receive-pack', '--exec'];

export function gitPushRule(args: Word[]): Finding | undefined {
  const { options, operands } = parseOptions(args, PUSH_VALUED);
  if (given(options, '-f', '--force', '--force-with-lease', '--force-if-includes')) {
    return { rule: 'git_push_force', reason: 'a forced push replaces history that others may have' };
  }
  if (given(options, '--mirror'))
    return { rule: 'git_push_force', reason: 'git push --mirror overwrites and deletes remote refs' };
  if (given(options, '-d', '--delete', '--prune'))
    return { rule: 'git_push_delete', reason: 'it deletes branches of the remote' };
  if (operands.some((word) => word.text.startsWith('+'))) {
    return { rule: 'git_push_force', reason: 'a refspec with + is a forced push' };
  }
  if (operands.some((word) => /^:./.test(word.text))) {
    return { rule: 'git_push_delete', reason: 'a refspec with an empty source deletes the branch of the remote' };
  }
  return undefined;
}

export function gitWorktreeRule(args: Word[]): Finding | undefined {
  const { options, operands } = parseOptions(args);
  if (operands[0]?.text !== 'remove' || !given(options, '-f', '--force')) return undefined;
  return { rule: 'git_worktree_remove_force', reason: 'git worktree remove --force throws away uncommitted work' };
}

export function gitBranchRule(args: Word[]): Finding | undefined {
  const { options } = parseOptions(args, ['-u', '--set-upstream-to', '--sort', '--points-at', '--format']);
  const forced = given(options, '-d', '--delete') && given(options, '-f', '--force');
  if (!forced && !given(options, '-D')) return undefined;
  return { rule: 'git_branch_force_delete', reason: 'it deletes a branch whether or not its commits are elsewhere' };
}

/** The plumbing behind `git branch -D`. */
export function gitUpdateRefRule(args: Word[]): Finding | undefined {
  const { options } = parseOptions(args, ['-m']);
  if (!given(options, '-d', '--stdin')) return undefined;
  return {
    rule: 'git_branch_force_delete',
    reason: 'git update-ref can delete a branch whether or not its commits are elsewhere',
  };
}
