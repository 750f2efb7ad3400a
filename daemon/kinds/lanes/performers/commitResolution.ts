import { getValidated } from '../../../artifacts/storedArtifact.ts';
import type { EffectOf } from '../../../core/effect/effect.ts';
import type { Outcome } from '../../../core/effect/outcome.ts';
import { pathsOutside } from '../../../engine/performers/pathsOutside.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { commitResolution as commit } from '../../../repository/conflict/commitResolution.ts';
import { findResolution } from '../../../repository/conflict/findResolution.ts';
import type { ResolvedHunk } from '../../../repository/conflict/groupProof.ts';
import { proveResolution } from '../../../repository/conflict/proveResolution.ts';
import { measureWork } from '../../../repository/worktree/commitWork.ts';

/**
 * Checks what an agent made of a conflict, and commits it. After a crash, it finds and checks the commit of an earlier call,
 * and does what was left. A dropped test needs a person first.
 */
export const commitResolution: Performer<'commitResolution'> = async (effect, { faults }) => {
  const { phaseId, laneId, assignment, lane, onto, acceptsDroppedTests } = effect;
  const head = lane.startCommit;
  const bytes = await getValidated(effect.artifact, lane.path);
  const { hunks } = JSON.parse(bytes.toString()) as { hunks: ResolvedHunk[] };
  const earlier = await findResolution(lane, { laneId, head, onto });
  const input = { worktree: lane, head, onto, hunks };
  const known = earlier === undefined ? undefined : await proveResolution({ ...input, commit: earlier });
  const proof = known?.ok ? known : await proveResolution(input);
  const checked = { type: 'resolutionChecked' as const, phaseId, laneId, assignment, onto };
  if (!proof.ok) return { ...checked, faults: proof.faults, droppedTests: [] };
  const { tree, droppedTests } = proof;
  if (droppedTests.length > 0 && !acceptsDroppedTests) return { ...checked, faults: [], droppedTests };
  const made = await commit({ worktree: lane, head, onto, tree, runId: effect.runId, laneId, at: effect.at, earlier });
  faults.at('commitResolution.committed');
  if ('commit' in made) return resolved(effect, made.commit);
  return {
    ...checked,
    faults: ['The branch of the lane moved. Do not commit: devflow makes the commit.'],
    droppedTests: [],
  };
};

async function resolved(effect: EffectOf<'commitResolution'>, head: string): Promise<Outcome> {
  const { phaseId, laneId, assignment, lane, onto } = effect;
  // Compared with what landed: the files of `main` are no work of this lane.
  const outside = await pathsOutside(lane, { from: onto, to: head, base: onto }, effect.writeSet);
  const work = await measureWork(lane, onto, head);
  const committed = { work, head, outside };
  return { type: 'resolutionChecked', phaseId, laneId, assignment, onto, faults: [], droppedTests: [], committed };
}
