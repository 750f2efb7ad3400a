import { sleepUntil } from '../../system/clock.ts';
import type { Performer } from './performer.ts';

/** Waits for the time-out of a gate. */
export const expireApproval: Performer<'expireApproval'> = async (effect, { clock }, signal) => {
  const { approvalRequestId, since, timeoutMs } = effect;
  await sleepUntil(new Date(Date.parse(since) + timeoutMs), clock, signal);
  return { type: 'approvalExpired', approvalRequestId, since };
};
