import { defined } from '../../../schemas/defined.ts';
import { ensureArtifactDirectory } from '../../artifacts/artifactDirectory.ts';
import type { EffectOf } from '../../core/effect/effect.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import { snapshotSince } from '../../repository/change/snapshotCheckout.ts';
import { commitAndList } from '../../repository/worktree/commitWork.ts';
import { readWorktree, stateOf } from '../../repository/worktree/readWorktree.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { commitSubject } from './commitSubject.ts';
import { pathsOutside } from './pathsOutside.ts';
import type { Performer, PerformerPorts } from './performer.ts';
import { endWatch } from './watchCheckout.ts';
import { cutBySteps, workFacts } from './workFacts.ts';

/** Commits what the agent changed, so agents need no git. After a crash the trailers identify the commit. */
export const commitWork: Performer<'commitWork'> = async (effect, ports) => {
  const { runId, phaseId, phaseKey, attempt, lane, since, part, bindsWorktree, hasGate, except } = effect;
  const { faults, config } = ports;
  faults.at('commitWork.before_commit');
  if (lane.isCheckout) return commitSnapshot(effect, ports);
  await registerWorktree({ ...lane, startCommit: since, filters: config.git.filters });
  ensureArtifactDirectory(lane.path);
  const { work: made, listed } = await commitAndList({
    worktree: lane,
    since,
    subject: await commitSubject(effect),
    trailers: { run: runId, phase: phaseKey, attempt, ...defined({ task: part?.assignment }) },
    ...(await cutBySteps(effect)),
  });
  faults.at('commitWork.after_commit');
  const work = { ...made, ...(await workFacts(effect, made)) };
  const checkout = await endWatch(lane, effect.key);
  const committed = { type: 'workCommitted' as const, phaseId, attempt, work, ...defined({ checkout }) };
  if (part) {
    const head = work.commit ?? since;
    const outside = await pathsOutside(lane, { from: since, to: head, base: part.base }, part.writeSet);
    return { ...committed, part: { assignment: part.assignment, head, outside } };
  }
  const isAsked = hasGate || work.nestedRepositories !== undefined;
  if (!bindsWorktree || !isAsked) return committed;
  // The turn had ended before git listed the files, so a second listing would bring the same.
  const worktree = await (listed ? stateOf(listed, except) : readWorktree({ ...lane, except }));
  return { ...committed, worktree };
};

/** In a person's checkout, the work is a snapshot: their branch and index stay as they are. */
async function commitSnapshot(
  { runId, phaseId, attempt, lane, since, bindsWorktree, hasGate }: EffectOf<'commitWork'>,
  { faults }: Pick<PerformerPorts, 'faults'>,
): Promise<Outcome> {
  const { worktree, work } = await snapshotSince({ path: lane.path, runId, base: lane.startCommit }, since);
  faults.at('commitWork.after_commit');
  const bound = bindsWorktree && hasGate ? { worktree } : {};
  return { type: 'workCommitted', phaseId, attempt, work, ...bound };
}
