import { DevflowError } from '../../../schemas/errors.ts';
import type { ChangeRequest } from '../../../schemas/rpc/views/start.ts';
import { type Checkout, withCheckout } from '../checkout/checkout.ts';
import { createGit } from '../git/git.ts';
import { commonBase, treeOf } from '../privateGit/history.ts';
import { defaultBase, findCommit, refuseUnknown } from './namedCommit.ts';
import { type CommittableFiles, commitFiles } from './uncommittedChange.ts';

/** A change as two commits: what it starts from, and what it comes to. */
export interface ResolvedChange {
  /** The branch that the person compares with, or the ref as it was given. */
  baseBranch: string;
  baseCommit: string;
  head: string;
}

/**
 * Finds the commits of a change in a person's checkout. Changes that are not committed become a commit object that no branch
 * has. Index, refs and files stay as they are, and no program of the repository runs. Throws branch_missing, nothing_to_review,
 * usage, git_failed or path_unsafe.
 */
export async function resolveChange(repoPath: string, change: ChangeRequest): Promise<ResolvedChange> {
  const { of = 'commits', head } = change;
  if (of !== 'commits' && head !== undefined) {
    throw new DevflowError('usage', `A review of ${WHAT[of]} takes no head: it is what the checkout has.`, {
      recoveryHint: 'Leave out --head, or leave out --staged and --worktree.',
    });
  }
  return withCheckout(repoPath, createGit(), (checkout) =>
    of === 'commits' ? changeOfCommits(checkout, change) : changeOfFiles(checkout, change, of),
  );
}

const WHAT: Readonly<Record<CommittableFiles, string>> = {
  staged: 'staged changes',
  worktree: 'uncommitted changes',
};

async function changeOfCommits(checkout: Checkout, { base, head: given = 'HEAD' }: ChangeRequest) {
  const head = await findCommit(checkout, given);
  if (head === undefined) return refuseUnknown(checkout, given, '--head');
  const against = await baseOf(checkout, base);
  const baseCommit = await mergeBase(checkout, against, { name: given, commit: head });
  if (!(await isSame(checkout, baseCommit, head))) return { baseBranch: against.name, baseCommit, head };
  const message =
    baseCommit === head
      ? `Nothing to review: ${given} has no commits that ${against.name} does not have.`
      : `Nothing to review: ${given} has the same files as its base in ${against.name}.`;
  throw nothing(message, 'Name another base with --base <ref>, or review uncommitted changes with --worktree.');
}

async function changeOfFiles(checkout: Checkout, { base }: ChangeRequest, of: CommittableFiles) {
  const parent = await headCommit(checkout);
  const head = await commitFiles(checkout, parent, of);
  const own = { name: checkout.branch ?? 'HEAD', commit: parent };
  const against = base === undefined ? own : await baseOf(checkout, base);
  const baseCommit = await mergeBase(checkout, against, { name: 'HEAD', commit: parent });
  if (!(await isSame(checkout, baseCommit, head))) return { baseBranch: against.name, baseCommit, head };
  const hint =
    of === 'staged'
      ? 'Stage the changes with git add, or review all uncommitted changes with --worktree.'
      : 'Change a file first, or review commits: devflow review --base <ref>.';
  throw nothing(`Nothing to review: there are no ${WHAT[of]} in ${checkout.path}.`, hint);
}

function nothing(message: string, recoveryHint: string): DevflowError {
  return new DevflowError('nothing_to_review', message, { recoveryHint });
}

async function headCommit(checkout: Checkout): Promise<string> {
  const commit = await findCommit(checkout, 'HEAD');
  return commit ?? refuseUnknown(checkout, 'HEAD', '--head');
}

interface NamedCommit {
  name: string;
  commit: string;
}

async function baseOf(checkout: Checkout, given: string | undefined): Promise<NamedCommit> {
  if (given === undefined) return defaultBase(checkout);
  const commit = await findCommit(checkout, given);
  return commit === undefined ? refuseUnknown(checkout, given, '--base') : { name: given, commit };
}

async function mergeBase({ privateGit }: Checkout, base: NamedCommit, head: NamedCommit): Promise<string> {
  const found = await commonBase(privateGit, base.commit, head.commit);
  if (found !== undefined) return found;
  throw new DevflowError('branch_missing', `${base.name} and ${head.name} have no commit in common.`, {
    recoveryHint: 'Name another base with --base <ref>. In a shallow clone, first run git fetch --unshallow.',
  });
}

async function isSame({ privateGit }: Checkout, one: string, other: string): Promise<boolean> {
  return one === other || (await treeOf(privateGit, one)) === (await treeOf(privateGit, other));
}
