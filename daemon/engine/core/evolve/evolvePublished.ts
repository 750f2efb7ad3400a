import type { RunEvent } from '../../../../schemas/events/index.ts';
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
  const drift = run.published.find((each) => each.path === path)?.drift ?? null;
  const facts = { assignment, contract, path, sha256, at: ts };
  const entry: Published = { phaseId: phaseId ?? '', ...facts, drift: null, isRestored: false };
  const next = { ...run, published: [...run.published.filter((each) => each.path !== path), entry] };
  if (!isTheirs || !drift) return next;
  const theirs = (artifact: Artifact): Artifact => ({
    ...artifact,
    hash: sha256,
    storedPath: drift.storedPath,
    ...(drift.data === undefined ? {} : { data: drift.data }),
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
  return { ...run, published: run.published.map((each) => (each.path === path ? { ...each, drift } : each)) };
}
