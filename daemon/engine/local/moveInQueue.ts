import { DevflowError } from '../../../schemas/errors.ts';
import { rankBetween } from '../../core/run/rank.ts';
import type { QueueTarget } from '../runEngine.ts';
import type { Queued } from './runPlaces.ts';

/** The rank that brings the run there. Throws state_conflict if one of the two does not wait. Pure. */
export function rankAt(queue: readonly Queued[], runId: string, target: QueueTarget): string {
  if (!queue.some((each) => each.runId === runId)) throw notQueued(runId, 'has begun, or has ended');
  const others = queue.filter((each) => each.runId !== runId);
  const at = placeIn(others, runId, target);
  return rankBetween(others[at - 1]?.rank ?? null, others[at]?.rank ?? null);
}

/** How many of the others come before it. */
function placeIn(others: readonly Queued[], runId: string, target: QueueTarget): number {
  if (target === 'first') return 0;
  if (target === 'last') return others.length;
  const isBefore = 'before' in target;
  const other = isBefore ? target.before : target.after;
  if (other === runId) throw new DevflowError('usage', 'A run cannot be moved before or after itself.', { runId });
  const at = others.findIndex((each) => each.runId === other);
  if (at < 0) throw notQueued(other, 'does not wait for a place here');
  return isBefore ? at : at + 1;
}

function notQueued(runId: string, why: string): DevflowError {
  const message = `Run ${runId} ${why}: only queued runs have an order.`;
  return new DevflowError('state_conflict', message, { runId, recoveryHint: 'See devflow run list --state created.' });
}
