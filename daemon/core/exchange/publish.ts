import type { NewEvent } from '../../../schemas/events/index.ts';
import { storedArtifactPath } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { Effect, EffectOf, PublishedFile } from '../effect/effect.ts';
import type { OutcomeOf } from '../effect/outcome.ts';
import { escalate, type Failure } from '../gates/escalate.ts';
import type { Published } from '../run/exchangeState.ts';
import { placeOf } from '../run/lanes.ts';
import { currentPhase, isFrozen, isHeld } from '../run/query.ts';
import { restartPhase } from '../run/restartPhase.ts';
import type { Phase, Run } from '../run/state.ts';
import { checkedDrifts, driftFailure, recordDrifts } from './drift.ts';
import { publishedPath } from './paths.ts';

/** The artifacts of a phase that must be published before it ends. */
export function publishEffects(run: Run, phase: Phase): Effect[] {
  return phase.assignments.flatMap(({ key, artifact }) => {
    const path = artifact && publishedPath(run, artifact.schema);
    if (!path || !artifact?.storedPath) return [];
    const before = run.published.find((each) => each.path === path);
    if (before?.sha256 === artifact.hash) return [];
    const { storedPath, hash, schema, path: written } = artifact;
    const bytes = { path: written, storedPath, hash };
    return [publish(run, phase.id, { assignment: key, contract: schema, path, bytes, over: before?.sha256 ?? null })];
  });
}

/** devflow's bytes go back to where a person wants them. */
export function restoreEffects(run: Run): Effect[] {
  return run.published
    .filter(({ isRestored }) => isRestored)
    .map((each) => {
      const { phaseId, assignment, contract, path, sha256, drift } = each;
      const bytes = { ...each.bytes, hash: sha256 };
      const restores = publishedFile(run, each);
      return publish(run, phaseId, { assignment, contract, path, bytes, over: drift?.found ?? null, restores });
    });
}

/** A published file, to compare with what is there. */
export function publishedFile(run: Run, { contract, path, sha256 }: Published): PublishedFile {
  const name = `drift-${run.publications + 1}-${path.slice(path.lastIndexOf('/') + 1)}`;
  return {
    contract,
    path,
    sha256,
    storedPath: storedArtifactPath(run.workspaceRoot, run.id, 'published', run.publications + 1, name),
  };
}

/** True while devflow's bytes are not back. */
export function isRestoring(run: Run): boolean {
  return run.published.some(({ isRestored }) => isRestored);
}

function publish(
  run: Run,
  phaseId: string,
  facts: Pick<EffectOf<'publishArtifact'>, 'assignment' | 'contract' | 'path' | 'bytes' | 'over' | 'restores'>,
): Effect {
  const key = `publishArtifact:${phaseId}:${facts.path}:${facts.bytes.hash}:${run.publications}`;
  return { type: 'publishArtifact', runId: run.id, key, phaseId, lane: placeOf(run, MAIN), ...facts };
}

/** The file is where its contract expects it. Its phase goes on; so does one that waited for it to be restored. */
export function artifactPublished(run: Run, outcome: OutcomeOf<'artifactPublished'>): NewEvent[] {
  const { phaseId, assignment, contract, path, sha256 } = outcome;
  const before = run.published.find((each) => each.path === path);
  if (before?.sha256 === sha256 && !before.isRestored) return [];
  // After the pause the file is found there, and the phase begins.
  if (before?.isRestored && isFrozen(run)) return [];
  const payload = { nth: run.publications + 1, assignment, contract, path, sha256 };
  const event: NewEvent = { type: 'artifact.published', phaseId, payload };
  const phase = before?.isRestored ? currentPhase(run) : undefined;
  const isLast = run.published.filter(({ isRestored }) => isRestored).length === 1;
  // Another file may have been refused meanwhile: then a person decides about that one first.
  const isWaiting = phase?.state === 'failed' && !isHeld(run, phase);
  return isWaiting && isLast ? [event, restartPhase(phase, 'retry', phase.changeRequest)] : [event];
}

/** Somebody else's file is where the artifact belongs. A person moves it away, or restores what devflow published. */
export function publishingRefused(run: Run, { phaseId, path, drift }: OutcomeOf<'publishingRefused'>): NewEvent[] {
  const phase = currentPhase(run);
  if (isFrozen(run) || !phase || isHeld(run, phase)) return [];
  // Once more somebody changed what a person wants back.
  if (run.published.some((each) => each.path === path && each.isRestored)) {
    if (drift) {
      const drifts = checkedDrifts(run, [drift]);
      return [...recordDrifts(run, phase, drifts), ...restoringFails(run, phase, driftFailure(phase, drifts))];
    }
    return restoringFails(run, phase, notWritten(path, 'it cannot go back'));
  }
  if (phase.id !== phaseId) return [];
  return escalate(run, phase, notWritten(path, `the artifact of ${phase.key} cannot be published`));
}

function notWritten(path: string, so: string): Failure {
  return { code: 'contract_drifted', reason: `${path} is not what devflow wrote there, so ${so}` };
}

/** The phase that waits for its files failed already. It begins once more, and a person decides again. */
export function restoringFails(run: Run, phase: Phase, failure: Failure): NewEvent[] {
  if (phase.state !== 'failed') return escalate(run, phase, failure);
  const again = restartPhase(phase, 'retry', phase.changeRequest);
  return [again, ...escalate(run, { ...phase, attempts: phase.attempts + 1 }, failure)];
}
