import type { NewEvent } from '../../../schemas/events/index.ts';
import type { Applied } from '../../../schemas/events/run.ts';
import type { Run } from './state.ts';

/** The event for work that a branch of the person has; none if it is known. */
export function workApplied(run: Pick<Run, 'applied'>, { target, commit, onto, head, way }: Applied): NewEvent[] {
  const isKnown = run.applied.some(
    (known) => known.target === target && (known.commit === commit || (way === 'found' && known.head === head)),
  );
  return isKnown ? [] : [{ type: 'run.applied', phaseId: null, payload: { target, commit, onto, head, way } }];
}

/** When a person took the work over last; null if nobody did. */
export function appliedAt({ applied }: Pick<Run, 'applied'>): string | null {
  return applied.at(-1)?.at ?? null;
}
