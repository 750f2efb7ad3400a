import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { ApplyPlan } from '../../../schemas/rpc/methods/runApply.ts';
import { RUN_STATES } from '../../../schemas/states/run.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { visible } from '../../../schemas/text/visible.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { branchInTheWay, OWN_BRANCHES } from '../git/git.ts';
import { countCommits, isAncestor } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed, type WorkCommit } from '../privateGit/workCommit.ts';
import { readChanges } from '../tree/treeChanges.ts';
import { assertWritable } from './changes.ts';
import { type Combined, combine } from './combine.ts';
import { wasInterrupted } from './interrupted.ts';
import { linesByHand, pushRemote } from './linesByHand.ts';
import { findWanted, refusalOfMove, type WantedCommit } from './moved.ts';
import { assertHasBranch, assertReady } from './ready.ts';
import { unready } from './refusals.ts';
import { sizeOf } from './size.ts';

/** The run, and how a person wants to apply it. */
export interface ApplyWish extends WantedCommit {
  runState: ApplyPlan['runState'];
  baseBranch: string;
  /** The title of the run. */
  title: string;
  /** What its agents say that they did; null: nothing. */
  summary: string | null;
  /** Further facts that a person should know. */
  notes: string[];
  way: 'auto' | 'merge' | 'squash' | 'branch';
  newBranch: string | undefined;
}

/** The plan of an apply, and the resulting tree. */
export interface Planned {
  plan: ApplyPlan;
  combined: Exclude<Combined, { does: 'nothing' }> | undefined;
}

/**
 * Plans an apply; changes nothing. With `strict` an obstacle is thrown, otherwise the plan contains it. A branch that
 * moved is the first obstacle, and only with `strict`: without it a person is asked.
 */
export async function planApply(checkout: Checkout, wish: ApplyWish, strict: boolean): Promise<Planned> {
  const privateGit: PrivateGit = { ...checkout.privateGit, branch: wish.work };
  const found = await findWanted(privateGit, wish);
  const plan = await emptyPlan(checkout, wish, found);
  const refusal = refusalOfMove(plan, wish);
  if (found.head === wish.baseCommit && !found.moved)
    return { plan: nothing(plan, 'the run made no commits'), combined: undefined };
  try {
    const planned =
      wish.way === 'branch'
        ? { plan: await planBranch(checkout, wish, plan), combined: undefined }
        : await planMerge(checkout, { ...wish, way: wish.way }, plan);
    const isRefused = planned.plan.does === 'nothing' ? await isLost(checkout, plan) : strict;
    if (refusal && isRefused) throw refusal;
    return planned;
  } catch (error) {
    if (strict) throw refusal ?? error;
    if (!(error instanceof DevflowError)) throw error;
    const { code, message, hint } = toErrorRecord(error);
    const files = Array.isArray(error.data.files) ? error.data.files.map(String) : [];
    return { plan: { ...plan, blocked: { code, message, hint, files } }, combined: undefined };
  }
}

/** A branch that was set back has nothing to apply, but that is not what the run made. */
async function isLost({ privateGit, commit }: Checkout, { moved }: ApplyPlan): Promise<boolean> {
  if (!moved || moved.hasApproved) return false;
  const isKnown = commit !== null && (await commitNamed(privateGit, moved.approved)) !== undefined;
  return !(isKnown && (await isAncestor(privateGit, moved.approved, commit)));
}

async function emptyPlan(
  checkout: Checkout,
  wish: ApplyWish,
  { head, hasBranch, moved }: WorkCommit & Pick<ApplyPlan, 'moved'>,
): Promise<ApplyPlan> {
  const { runId, runState, baseBranch, way, newBranch, title } = wish;
  const target = way === 'branch' ? (newBranch ?? null) : checkout.branch;
  // For a merge by hand, the name of the branch would mean its newest commit at that time.
  const isNamed = hasBranch && !moved && wish.at === undefined;
  const byHand = moved && wish.acceptedHead === undefined ? moved.approved : head;
  const work = isNamed ? wish.work : byHand;
  return {
    runId,
    runState,
    repoPath: checkout.path,
    target,
    onto: way === 'branch' ? null : checkout.commit,
    head,
    moved,
    does: 'nothing',
    sentence: '',
    commits: [],
    commitCount: 0,
    totals: { files: 0, insertions: 0, deletions: 0 },
    notes: [...wish.notes, ...(await notesOf(checkout, wish, head, hasBranch))],
    blocked: null,
    lines: linesByHand({
      repoPath: checkout.path,
      work,
      hasBranch: isNamed,
      way,
      newBranch,
      head: byHand,
      remote: pushRemote(checkout.settings),
      baseBranch,
      title,
    }),
    applied: false,
    commit: null,
  };
}

async function notesOf(checkout: Checkout, wish: ApplyWish, head: string, hasBranch: boolean): Promise<string[]> {
  const { runState, baseBranch, way, work } = wish;
  const notes: string[] = [];
  if (runState !== 'completed') notes.push(`The run is ${stateOf(RUN_STATES, runState).word}, not completed.`);
  if (!hasBranch) notes.push(`The branch ${work} is gone. This is its last known commit.`);
  if (way !== 'branch') {
    const { branch, commit, privateGit } = checkout;
    if (branch !== null && branch !== baseBranch)
      notes.push(`The run started from ${baseBranch}, but ${branch} is checked out.`);
    const ahead = commit === null ? 0 : await countCommits(privateGit, head, commit);
    if (ahead > 0) notes.push(`${branch ?? 'HEAD'} has ${counted(ahead, 'commit')} that the work does not have.`);
    if (await wasInterrupted(checkout))
      notes.push('An earlier apply was interrupted here. The next apply cleans up first.');
  }
  return notes;
}

function nothing(plan: ApplyPlan, why: string): ApplyPlan {
  return { ...plan, does: 'nothing', sentence: `Nothing to apply: ${why}.` };
}

async function planBranch(
  checkout: Checkout,
  { newBranch, baseCommit }: ApplyWish,
  plan: ApplyPlan,
): Promise<ApplyPlan> {
  if (newBranch === undefined) {
    throw new DevflowError('usage', 'The new branch needs a name.', { recoveryHint: 'Add --branch <name>.' });
  }
  const { head } = plan;
  const size = await sizeOf(checkout, { onto: baseCommit, head, tree: head });
  const sentence = `Make the branch ${newBranch} at ${head.slice(0, 12)}. No checkout changes.`;
  await assertNewBranch(checkout, newBranch);
  return { ...plan, ...size, does: 'branch', sentence };
}

/** Throws usage if the name is not valid, and branch_exists if the branch exists. */
async function assertNewBranch({ privateGit }: Checkout, name: string): Promise<void> {
  const args = ['check-ref-format', '--branch', name];
  const { stdout, exitCode } = await privateGit.objects(args, { read: true, accept: [0, 1, 128, 129] });
  // git resolves `@{-1}` to the name of another branch.
  if (exitCode !== 0 || stdout !== name || name === 'HEAD')
    throw new DevflowError('usage', `"${name}" is not a valid branch name.`, {
      recoveryHint: 'Choose a name that git accepts: --branch <name>.',
    });
  if (`${name}/`.startsWith(`${OWN_BRANCHES}/`))
    throw new DevflowError('usage', `devflow cannot make the branch ${name}: branches below devflow/ belong to runs.`, {
      recoveryHint: 'Choose another name: --branch <name>.',
    });
  if ((await commitNamed(privateGit, `refs/heads/${name}`)) !== undefined)
    throw new DevflowError('branch_exists', `The branch ${name} already exists.`);
  const beside = ['for-each-ref', '--format=%(refname:lstrip=2)', `refs/heads/${name.split('/')[0]}`];
  const { stdout: branches } = await privateGit.objects(beside, { read: true });
  const inTheWay = branchInTheWay(branches.split('\n'), name);
  if (inTheWay !== undefined)
    throw new DevflowError('branch_exists', `The branch ${name} cannot be beside the branch ${inTheWay}.`);
}

async function planMerge(
  checkout: Checkout,
  wish: ApplyWish & { way: 'auto' | 'merge' | 'squash' },
  plan: ApplyPlan,
): Promise<Planned> {
  const { branch: target, commit: onto } = assertHasBranch(checkout);
  const combined = await combine(checkout, { onto, head: plan.head, way: wish.way, target });
  if (combined.does === 'nothing') return { plan: nothing(plan, combined.why), combined: undefined };
  assertNoRuns(checkout.path, target);
  const size = await sizeOf(checkout, { onto, head: plan.head, tree: combined.tree });
  await assertReady(checkout);
  await assertWritable(checkout, await readChanges(checkout.privateGit, onto, combined.tree), combined.tree);
  if (combined.does !== 'fast_forward' && !checkout.privateGit.hasIdentity) {
    const hint = 'Set both with git config --global, then apply again.';
    throw unready('The commit needs an author, and git has no user.name and user.email.', hint);
  }
  return {
    plan: { ...plan, ...size, does: combined.does, sentence: sentenceOf(combined.does, target, plan, wish) },
    combined,
  };
}

/** An agent may be working on such a branch, and its run continues from the commit that it knows. */
function assertNoRuns(path: string, target: string): void {
  if (!target.startsWith('devflow/')) return;
  const message = `${path} has the branch ${target} checked out, which belongs to a run.`;
  throw unready(message, 'Name your own checkout with --repo <dir>, or make a new branch with --branch <name>.');
}

function sentenceOf(
  does: Exclude<Combined['does'], 'nothing'>,
  target: string,
  { head }: ApplyPlan,
  wish: ApplyWish,
): string {
  if (does === 'fast_forward') return `Fast-forward ${target} to ${head.slice(0, 12)}.`;
  if (does === 'merge') return `Merge the work into ${target} with a merge commit.`;
  return `Add the work to ${target} as one commit, "${visible(wish.title)}".`;
}
