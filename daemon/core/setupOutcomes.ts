import type { NewEvent } from '../../schemas/events/index.ts';
import { decide } from './decide.ts';
import type { OutcomeOf } from './effect/outcome.ts';
import { currentPhase } from './run/query.ts';
import type { Run } from './run/state.ts';

/** A late outcome belongs to a set-up that is not due any more. */
function isDue(run: Run, type: 'placeWorktree' | 'finishSetup', { laneId, nth }: { laneId: string; nth: number }) {
  return decide(run).some((effect) => effect.type === type && effect.laneId === laneId && effect.nth === nth);
}

export function worktreePlaced(run: Run, { type: _, ...placed }: OutcomeOf<'worktreePlaced'>): NewEvent[] {
  const phaseId = currentPhase(run)?.id ?? null;
  return isDue(run, 'placeWorktree', placed) ? [{ type: 'worktree.placed', phaseId, payload: placed }] : [];
}

export function setupFinished(run: Run, { type: _, ...finished }: OutcomeOf<'setupFinished'>): NewEvent[] {
  const phaseId = currentPhase(run)?.id ?? null;
  return isDue(run, 'finishSetup', finished) ? [{ type: 'worktree.set_up', phaseId, payload: finished }] : [];
}

/** The effect that found it out is due again after the next set-up. */
export function setupOutdated(run: Run, { type: _, ...outdated }: OutcomeOf<'setupOutdated'>): NewEvent[] {
  const lane = run.lanes.find(({ id }) => id === outdated.laneId);
  if (lane?.setup?.state !== 'done' || lane.setup.nth !== outdated.nth) return [];
  return [{ type: 'worktree.outdated', phaseId: currentPhase(run)?.id ?? null, payload: outdated }];
}

/** A failed step of a set-up fails the set-up. */
export function setupEffectFailed(
  { phaseId, laneId, nth }: { phaseId: string; laneId: string; nth: number },
  reason: string,
): NewEvent[] {
  const payload = { laneId, nth, ok: false, reason, changed: [], excluded: [], ms: 0 };
  return [{ type: 'worktree.set_up', phaseId, payload }];
}

/** A person goes on without the set-up. */
export function goOnWithout(run: Run, laneId: string, phaseId: string): NewEvent[] {
  const { nth = 0 } = run.lanes.find(({ id }) => id === laneId)?.setup ?? {};
  const reason = 'a person goes on without it';
  const facts = { laneId, nth: nth + 1, ok: false, reason, changed: [], excluded: [], ms: 0 };
  return [{ type: 'worktree.set_up', phaseId, payload: { ...facts, withoutSetup: true } }];
}
