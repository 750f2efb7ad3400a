import type { Word } from '../call/call.ts';
import { given, type Option, parseOptions } from '../call/options.ts';
import type { Rule, Violation } from '../call/violation.ts';
import { isRemover } from './removal.ts';

type SubcommandRule = (args: Word[], name: string) => Iterable<Violation>;

/** Refuses a subcommand with one of these options, except in a dry run. */
function whenGiven(
  rule: Rule,
  names: readonly string[],
  reason: string,
  valued: readonly string[] = [],
): SubcommandRule {
  return function* (args) {
    const { options } = parseOptions(args, valued);
    if (!isDry(options) && given(options, ...names)) yield { rule, reason };
  };
}

function isDry(options: readonly Option[]): boolean {
  return given(options, '-n', '--dry-run') && !given(options, '--no-dry-run');
}

const PUSH_VALUED = ['-o', '--push-option', '--repo', '--receive-pack', '--exec'];

function* push(args: Word[]): Generator<Violation> {
  const { options, operands } = parseOptions(args, PUSH_VALUED);
  if (isDry(options)) return;
  const force = (reason: string): Violation => ({ rule: 'git_push_force', reason });
  const remove = (reason: string): Violation => ({ rule: 'git_push_delete', reason });
  if (given(options, '-f', '--force', '--force-with-lease', '--force-if-includes'))
    yield force('a forced push replaces history that others may have');
  if (given(options, '--mirror')) yield force('git push --mirror overwrites and deletes remote refs');
  if (given(options, '-d', '--delete', '--prune')) yield remove('it deletes branches of the remote');
  if (operands.some((word) => word.text.startsWith('+'))) yield force('a refspec with + is a forced push');
  if (operands.some((word) => /^:./.test(word.text)))
    yield remove('a refspec with an empty source deletes the branch of the remote');
}

/** Refuses all but a dry run: with clean.requireForce=false even `git clean` without options deletes. */
function* clean(args: Word[]): Generator<Violation> {
  const { options } = parseOptions(args, ['-e', '--exclude']);
  if (!isDry(options) && !options.some((option) => option.name === '-h'))
    yield { rule: 'git_clean', reason: 'git clean deletes untracked files, which git cannot restore' };
}

function* worktree(args: Word[]): Generator<Violation> {
  const { options, operands } = parseOptions(args, ['-b', '--reason']);
  const verb = operands[0]?.text;
  if (verb === 'remove' && given(options, '-f', '--force'))
    yield { rule: 'git_worktree_remove_force', reason: 'git worktree remove --force discards uncommitted work' };
  if (verb === 'add' && given(options, '-B')) yield lostCommits('git worktree add -B');
}

const BRANCH_VALUED = ['-u', '--set-upstream-to', '--sort', '--points-at', '--format'];

function* branch(args: Word[]): Generator<Violation> {
  const { options } = parseOptions(args, BRANCH_VALUED);
  const reason = 'it deletes a branch even if no other branch has its commits';
  if (given(options, '-D') || (given(options, '-d', '--delete') && given(options, '-f', '--force')))
    yield { rule: 'git_branch_force_delete', reason };
  else if (given(options, '-f', '--force', '-M', '-C')) yield lostCommits('a forced git branch');
}

function lostCommits(what: string): Violation {
  return {
    rule: 'git_branch_force_delete',
    reason: `${what} moves a branch away from commits that no other branch may have`,
  };
}

function discards(reason: string): Violation {
  return { rule: 'git_discard_changes', reason };
}

/** Switching branches keeps uncommitted work. Paths and --force overwrite it without a copy. */
function* checkout(args: Word[]): Generator<Violation> {
  const dashes = args.findIndex((word) => word.text === '--');
  const paths = dashes < 0 ? [] : args.slice(dashes + 1);
  const { options, operands } = parseOptions(dashes < 0 ? args : args.slice(0, dashes), ['-b', '-B', '--orphan']);
  // With -b the second word is the start of the branch. Otherwise a word after the branch is a path.
  const creates = given(options, '-b', '-B', '--orphan');
  const named = operands.length > 1 || operands.some(({ text }) => /^(?:\.|:)|[*?[]|\/$/.test(text));
  if (given(options, '-f', '--force')) yield discards('git checkout --force discards uncommitted work');
  else if (paths.length > 0 || given(options, '--pathspec-from-file') || (!creates && named))
    yield discards('git checkout of paths overwrites uncommitted work');
  if (given(options, '-B')) yield lostCommits('git checkout -B');
}

function* switchTo(args: Word[]): Generator<Violation> {
  const { options } = parseOptions(args, ['-c', '-C', '--create', '--force-create', '--orphan']);
  if (given(options, '-f', '--force', '--discard-changes'))
    yield discards('git switch --discard-changes discards uncommitted work');
  if (given(options, '-C', '--force-create')) yield lostCommits('git switch -C');
}

/** Only `--staged` alone does not change files. */
function* restore(args: Word[]): Generator<Violation> {
  const { options, operands } = parseOptions(args, ['-s', '--source', '--pathspec-from-file', '--conflict']);
  const indexOnly = given(options, '-S', '--staged') && !given(options, '-W', '--worktree');
  if (!indexOnly && (operands.length > 0 || given(options, '--pathspec-from-file')))
    yield discards('git restore overwrites uncommitted work');
}

/** A stash is uncommitted work. */
function* stash(args: Word[]): Generator<Violation> {
  const what = parseOptions(args, ['-m', '--message']).operands[0]?.text;
  if (what === 'drop' || what === 'clear')
    yield { rule: 'git_stash_drop', reason: `git stash ${what} deletes work that git cannot restore` };
}

function* remove(args: Word[]): Generator<Violation> {
  const { options } = parseOptions(args);
  if (isDry(options) || given(options, '--cached') || !given(options, '-f', '--force')) return;
  if (given(options, '-r'))
    yield { rule: 'rm_recursive_force', reason: 'git rm -rf deletes directories with their uncommitted work' };
  else yield discards('git rm --force deletes files with uncommitted work');
}

function* reflog(args: Word[]): Generator<Violation> {
  const { options, operands } = parseOptions(args);
  if (/^(?:expire|delete)$/.test(operands[0]?.text ?? '') && !isDry(options))
    yield discards('git reflog expire removes the last reference to some commits');
}

function* fetch(args: Word[]): Generator<Violation> {
  const { options, operands } = parseOptions(args, ['-o', '--upload-pack', '--depth', '--deepen', '-j', '--jobs']);
  if (isDry(options)) return;
  const forced = given(options, '-f', '--force');
  const overwrites = ({ text }: Word) =>
    /^\+?[^:]*:./.test(text) && !/:\/\/|:refs\/(?:remotes|devflow)\//.test(text) && (forced || text.startsWith('+'));
  if (operands.slice(1).some(overwrites)) yield lostCommits('a forced git fetch');
}

function* submodule(args: Word[]): Generator<Violation> {
  const { options, operands } = parseOptions(args);
  if (/^(?:deinit|update|add)$/.test(operands[0]?.text ?? '') && given(options, '-f', '--force'))
    yield discards(`git submodule ${operands[0]?.text} --force discards uncommitted work`);
}

/** Programs that git runs on the files that it finds. */
function* runsOnFiles(args: Word[], name: string): Generator<Violation> {
  const attached = /^(?:-O|--open-files-in-pager=|-x|--extcmd=)(.+)$/s;
  const runs = args.some(
    ({ text }, i) =>
      isRemover(attached.exec(text)?.[1] ?? '') ||
      (/^(?:-x|--extcmd)$/.test(text) && isRemover(args[i + 1]?.text ?? '')),
  );
  if (runs) yield { rule: 'find_delete', reason: `git ${name} would delete the files that it finds` };
}

function* rewrites(args: Word[], name: string): Generator<Violation> {
  if (!isDry(parseOptions(args).options)) yield discards(`git ${name} rewrites or deletes commits`);
}

/** Without -u it changes only the index. */
function* readTree(args: Word[]): Generator<Violation> {
  const { options } = parseOptions(args);
  if (given(options, '--reset') && given(options, '-u') && !isDry(options))
    yield { rule: 'git_reset_hard', reason: 'git read-tree --reset -u discards uncommitted work' };
}

function* gc(args: Word[]): Generator<Violation> {
  const prune = parseOptions(args).options.find((option) => option.name === '--prune')?.value?.text;
  if (prune !== undefined && !/^(?:never|false)$|\d+\.(?:week|month|year)/.test(prune))
    yield discards('git gc --prune deletes unreferenced commits');
}

/** Subcommands that discard work or commits. */
export const GUARDED: Record<string, SubcommandRule> = {
  reset: whenGiven('git_reset_hard', ['--hard'], 'git reset --hard discards uncommitted work'),
  'read-tree': readTree,
  'checkout-index': whenGiven(
    'git_discard_changes',
    ['-f', '--force'],
    'git checkout-index -f overwrites uncommitted work',
  ),
  'update-ref': whenGiven(
    'git_branch_force_delete',
    ['-d', '--stdin'],
    'git update-ref can delete a branch even if no other branch has its commits',
    ['-m'],
  ),
  push,
  'send-pack': push,
  clean,
  worktree,
  branch,
  checkout,
  switch: switchTo,
  restore,
  stash,
  rm: remove,
  reflog,
  fetch,
  submodule,
  grep: runsOnFiles,
  difftool: runsOnFiles,
  gc,
  'filter-branch': rewrites,
  'filter-repo': rewrites,
  prune: rewrites,
};
