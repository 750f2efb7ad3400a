import { DevflowError } from '../../../schemas/errors.ts';
import type { ApplyPlan } from '../../../schemas/rpc/methods/runApply.ts';
import { type Checkout, withCheckout } from '../checkout/checkout.ts';
import { createGit } from '../git/git.ts';
import { inTurn } from '../git/inTurn.ts';
import { commonDirectory } from '../git/repositoryFiles.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { messageOf } from './commitMessage.ts';
import { finishInterrupted, releaseFinished } from './interrupted.ts';
import { type ApplyWish, type Planned, planApply } from './plan.ts';
import { unready } from './refusals.ts';
import { makeBranch, updateCheckout } from './update.ts';

/** The part of a shown plan that a person agreed to. */
export type Agreed = Pick<ApplyPlan, 'target' | 'onto' | 'head'>;

/** Plans an apply in this checkout. Changes nothing, except that it releases a lock that a killed daemon left. */
export async function previewApply(repoPath: string, wish: ApplyWish): Promise<ApplyPlan> {
  return inTurn(await queueOf(repoPath), () =>
    withCheckout(repoPath, createGit(), async (checkout) => {
      await releaseFinished(checkout);
      return (await planApply(checkout, wish, false)).plan;
    }),
  );
}

async function queueOf(repoPath: string): Promise<string> {
  return `apply ${await commonDirectory(repoPath)}`;
}

/**
 * Applies a run's work to the branch of this checkout, or to a new branch. It checks everything before it writes the first
 * file. A second call finishes an interrupted one. Throws branch_moved, checkout_unready, apply_conflict, branch_exists,
 * branch_missing, usage or git_failed.
 */
export async function applyWork(repoPath: string, wish: ApplyWish, agreed?: Agreed): Promise<ApplyPlan> {
  return inTurn(await queueOf(repoPath), () => applyNow(repoPath, wish, agreed).catch(asDevflowError));
}

async function applyNow(repoPath: string, wish: ApplyWish, agreed?: Agreed): Promise<ApplyPlan> {
  const git = createGit({ runId: wish.runId });
  if (wish.way !== 'branch') await withCheckout(repoPath, git, finishInterrupted);
  return withCheckout(repoPath, git, async (checkout) => {
    const planned = await planApply(checkout, wish, true);
    const { plan } = planned;
    if (plan.does === 'nothing') return plan;
    if (agreed) assertAgreed(agreed, plan);
    return { ...plan, applied: true, commit: await doApply(checkout, wish, planned) };
  });
}

/** A full or read-only disk is no bug of devflow, so it gets a sentence and a hint. */
function asDevflowError(error: NodeJS.ErrnoException): never {
  if (error instanceof DevflowError || error.syscall === undefined) throw error;
  throw new DevflowError('git_failed', `devflow could not write its files for the apply: ${error.message}.`, {
    cause: error,
    recoveryHint: 'Fix the cause (for example, free disk space), then apply again.',
  });
}

function assertAgreed(agreed: Agreed, plan: ApplyPlan): void {
  if ((['target', 'onto', 'head'] as const).every((name) => agreed[name] === plan[name])) return;
  throw unready('The branch or the work changed after you confirmed.', 'Run devflow run apply again.');
}

async function doApply(checkout: Checkout, wish: ApplyWish, { plan, combined }: Planned): Promise<string> {
  const why = `devflow run apply ${wish.runId}: ${plan.does.replace('_', '-')}`;
  if (!combined) {
    await makeBranch(checkout, wish.newBranch as string, plan.head, why);
    return plan.head;
  }
  const { does, tree, onto } = combined;
  const target = plan.target as string;
  const to =
    does === 'fast_forward' ? plan.head : await makeCommit(checkout.privateGit, wish, { does, tree, onto, plan });
  await updateCheckout(checkout, { branch: target, from: onto, to, why });
  return to;
}

async function makeCommit(
  privateGit: PrivateGit,
  { runId, work, title, summary }: ApplyWish,
  { does, tree, onto, plan }: { does: 'merge' | 'squash'; tree: string; onto: string; plan: ApplyPlan },
): Promise<string> {
  const parents = does === 'merge' ? [onto, plan.head] : [onto];
  const flags = parents.flatMap((parent) => ['-p', parent]);
  const message = messageOf(does, { runId, work, title, summary, target: plan.target as string });
  return (await privateGit.objects(['commit-tree', tree, ...flags, '-F', '-'], { input: message })).stdout;
}
