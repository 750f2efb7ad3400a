import { defined } from '../../../schemas/defined.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { Published } from '../run/exchangeState.ts';
import { patchAssignments, patchPhase } from '../run/patch.ts';
import type { Artifact, Run } from '../run/state.ts';

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** Files that devflow published, and what others made of them. */
export function evolvePublished(run: Run, event: Of<'artifact.published'> | Of<'contract.drifted'>): Run {
  const next = { ...run, publications: event.payload.nth };
  return event.type === 'artifact.published' ? published(next, event) : drifted(next, event);
}

function published(run: Run, { payload, phaseId, ts }: Of<'artifact.published'>): Run {
  const { assignment, contract, path, sha256, isTheirs } = payload;
  const before = run.published.find((each) => each.path === path);
  const drift = before?.drift ?? null;
  const artifact = run.phases
    .find(({ id }) => id === phaseId)
    ?.assignments.find(({ key }) => key === assignment)?.artifact;
  const made = { path: artifact?.path ?? '', storedPath: artifact?.storedPath ?? '' };
  const theirBytes = { path: before?.bytes.path ?? made.path, storedPath: drift?.storedPath ?? '' };
  // The assignment may have begun again when its file goes back.
  const kept = before?.sha256 === sha256 ? before.bytes : made;
  const facts = { assignment, contract, path, sha256, at: ts, bytes: isTheirs ? theirBytes : kept };
  const entry: Published = { phaseId: phaseId ?? '', ...facts, drift: null, isRestored: false };
  const next = { ...run, published: [...run.published.filter((each) => each.path !== path), entry] };
  if (!isTheirs || !drift) return next;
  const theirs = (artifact: Artifact): Artifact => ({
    ...artifact,
    hash: sha256,
    storedPath: drift.storedPath,
    ...defined({ data: drift.data }),
  });
  return patchPhase(next, phaseId, (phase) => ({
    assignments: patchAssignments(
      phase,
      ({ key }) => key === assignment,
      ({ artifact }) => ({ artifact: artifact && theirs(artifact) }),
    ),
  }));
}

function drifted(run: Run, { payload }: Of<'contract.drifted'>): Run {
  const { nth: _, contract: __, published: ___, path, ...drift } = payload;
  const changed = (each: Published): Published => ({ ...each, drift, isRestored: false });
  return { ...run, published: run.published.map((each) => (each.path === path ? changed(each) : each)) };
}
