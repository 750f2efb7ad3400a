import type { NewEvent } from '../../schemas/events/index.ts';
import { MAIN } from '../../schemas/mainLane.ts';
import type { OutcomeOf } from './effect/outcome.ts';
import type { Run } from './run/state.ts';

/** Records that the person's checkout changed while an agent worked. A person must see it; nothing waits for a decision. */
export function checkoutChanged(run: Run, outcome: OutcomeOf<'workCommitted'>): NewEvent[] {
  const { phaseId, attempt, part, checkout } = outcome;
  const phase = run.phases.find(({ id }) => id === phaseId);
  if (!checkout || !phase) return [];
  const assignment = part?.assignment ?? phase.key;
  const laneId = phase.assignments.find(({ key }) => key === part?.assignment)?.laneId ?? MAIN;
  return [{ type: 'checkout.changed', phaseId, payload: { ...checkout, laneId, assignment, attempt } }];
}
