import type { NewEvent } from '../../../../schemas/events/index.ts';
import { storedArtifactPath } from '../../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../../schemas/mainLane.ts';
import { escalate } from '../gates/escalate.ts';
import type { Effect, PublishedFile } from '../run/effect.ts';
import type { Published } from '../run/exchangeState.ts';
import { placeOf } from '../run/lanes.ts';
import type { OutcomeOf } from '../run/outcome.ts';
import { currentPhase, isFrozen, isHeld } from '../run/query.ts';
import { restartPhase } from '../run/restartPhase.ts';
import type { Phase, Run } from '../run/state.ts';
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
    return [publish(run, phase, { assignment: key, contract: schema, path, bytes, over: before?.sha256 ?? null })];
  });
}

/** devflow's bytes go back to where a person wants them. */
export function restoreEffects(run: Run): Effect[] {
  return run.published
    .filter(({ isRestored }) => isRestored)
    .flatMap(({ phaseId, assignment, contract, path, sha256, drift }) => {
      const phase = run.phases.find(({ id }) => id === phaseId);
      const artifact = phase?.assignments.find(({ key }) => key === assignment)?.artifact;
      if (!phase || !artifact?.storedPath) return [];
      const bytes = { path: artifact.path, storedPath: artifact.storedPath, hash: sha256 };
      return [publish(run, phase, { assignment, contract, path, bytes, over: drift?.found ?? null })];
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
  { id: phaseId }: Phase,
  facts: Pick<Published, 'assignment' | 'contract' | 'path'> & {
    bytes: { path: string; storedPath: string; hash: string };
    over: string | null;
  },
): Effect {
  const key = `publishArtifact:${phaseId}:${facts.path}:${facts.bytes.hash}:${run.publications}`;
  return { type: 'publishArtifact', runId: run.id, key, phaseId, lane: placeOf(run, MAIN), ...facts };
}

/** The file is where its contract expects it. Its phase goes on; so does one that waited for it to be restored. */
export function artifactPublished(run: Run, outcome: OutcomeOf<'artifactPublished'>): NewEvent[] {
  const { phaseId, assignment, contract, path, sha256 } = outcome;
  const before = run.published.find((each) => each.path === path);
  if (before?.sha256 === sha256 && !before.isRestored) return [];
  const payload = { nth: run.publications + 1, assignment, contract, path, sha256 };
  const event: NewEvent = { type: 'artifact.published', phaseId, payload };
  const waiting = before?.isRestored ? currentPhase(run) : undefined;
  const isLast = run.published.filter(({ isRestored }) => isRestored).length === 1;
  return waiting && isLast ? [event, restartPhase(waiting, 'retry', waiting.changeRequest)] : [event];
}

/** Somebody else's file is where the artifact belongs. A person moves it away, or restores what devflow published. */
export function publishingRefused(run: Run, { phaseId, path }: OutcomeOf<'publishingRefused'>): NewEvent[] {
  const phase = currentPhase(run);
  if (isFrozen(run) || phase?.id !== phaseId || isHeld(run, phase)) return [];
  const reason = `${path} is not what devflow wrote there, so the artifact of ${phase.key} cannot be published`;
  return escalate(run, phase, { code: 'contract_drifted', reason });
}
