import type { NewComment } from '../../../schemas/comments/comment.ts';
import type { Confirmation } from '../../../schemas/contracts/autodev/nextStep.ts';
import { isFlagTrue } from '../../../schemas/contracts/autodev/scan.ts';
import { defined } from '../../../schemas/defined.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { decidable } from '../../../schemas/gates/decidable.ts';
import { readValidated } from '../../artifacts/storedArtifact.ts';
import { textAt } from '../../contracts/exchange/keepFiles.ts';
import { gateToPass } from '../../core/continueRun.ts';
import { CONTRACT_DRIFT } from '../../core/exchange/drift.ts';
import { publishedFile } from '../../core/exchange/publish.ts';
import type { Signal } from '../../core/handleSignal.ts';
import { confirmedAt, passesGate } from '../../core/run/boundary.ts';
import { worktreeWith } from '../../core/run/lanes.ts';
import { type Here, hostOf, isHere } from '../../core/run/place.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import { boundWorktree, type Observed } from '../../core/run/worktreeState.ts';
import { snapshotCheckout } from '../../repository/change/snapshotCheckout.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { commitsSince, readWorktree } from '../../repository/worktree/readWorktree.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { driftsOf } from '../performers/driftsOf.ts';
import { placeComments } from './placeComments.ts';

/** Reads the artifacts, the branch and the worktree of a gate; or only where the given comments stand. */
export type Observe = (run: Run, approval: Approval, comments?: readonly NewComment[]) => Promise<Observed>;

/**
 * Adds the present state to a signal that passes an open gate, and their places to comments. Other signals stay as they
 * are.
 */
export async function withObserved(run: Run, signal: Signal, observe: Observe): Promise<Signal> {
  if (signal.type === 'continue') {
    const gate = gateToPass(run);
    return gate && !run.continued ? { ...signal, observed: await observe(run, gate) } : signal;
  }
  if (signal.type !== 'decide') return signal;
  const approval = run.approvals.find(({ id }) => id === signal.approvalRequestId);
  if (!approval || !decidable(approval, run.state).includes(signal.action)) return signal;
  const { comments = [] } = signal;
  if (passesGate(approval, signal.action)) return { ...signal, observed: await observe(run, approval) };
  if (comments.length === 0) return signal;
  return { ...signal, ...defined({ placed: (await observe(run, approval, comments)).placed }) };
}

/** Refuses for a run of another host: its files are not here. */
export const observeHere =
  (observe: Observe, here: Here): Observe =>
  (run, approval, comments) => {
    if (isHere(run, here)) return observe(run, approval, comments);
    const message = `What gate ${approval.gateKey} shows is on host ${hostOf(run, here)}, which does not answer.`;
    throw new DevflowError('host_unreachable', message, {
      runId: run.id,
      recoveryHint: 'Approve once that host is back, or reject or abort the run now. See devflow host list.',
    });
  };

/** Reads the run's files and its repository. Restores changed stored artifacts, and git's entry of a worktree. */
export const createObserve =
  (filters: string[], registryOf: (runId: string) => Promise<Registry>): Observe =>
  async (run, approval, comments) => {
    if (comments) return { commits: [], lostArtifacts: [], placed: await placeComments(run, approval, comments) };
    const { subject, gateKey } = approval;
    const confirms = confirmedAt(approval);
    const isUnconfirmed = confirms !== undefined && !isConfirmed(run, confirms);
    const { artifacts = [] } = subject as { artifacts?: { path: string; storedPath: string | null; hash: string }[] };
    const read = await Promise.all(
      artifacts.map(async (one) => ((await readValidated(one, worktreeWith(run, one.path))) ? [] : [one.path])),
    );
    const lostArtifacts = read.flat();
    if (gateKey === CONTRACT_DRIFT) {
      const files = run.published.map((each) => publishedFile(run, each));
      const drifts = await driftsOf(files, run.worktreeRoot, { registry: await registryOf(run.id) });
      return { commits: [], lostArtifacts, drifts };
    }
    const bound = boundWorktree(subject);
    if (bound && run.here) {
      const worktree = await snapshotCheckout({ path: run.worktreeRoot, runId: run.id, base: run.baseCommit });
      return { worktree, commits: [], lostArtifacts, isUnconfirmed };
    }
    if (!bound || run.branch === null) return { commits: [], lostArtifacts, isUnconfirmed };
    const place = worktreeOf(run);
    await registerWorktree({ ...place, startCommit: bound.head, filters });
    const now = await readWorktree({ ...place, lastKnown: bound.head });
    const commits = await commitsSince(run.repoPath, bound.head, now.head);
    return { worktree: now, commits, lostArtifacts, isUnconfirmed };
  };

function isConfirmed({ worktreeRoot }: Run, { path, key }: Confirmation): boolean {
  return isFlagTrue(textAt(worktreeRoot, path) ?? '', key);
}
