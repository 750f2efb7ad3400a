import { wallTimeOf } from '../../../schemas/time/steadyTime.ts';
import type { SessionSignal } from '../contract/adapter.ts';
import { stallFact } from '../contract/signals.ts';
import type { Attachment, DeliveryWait } from './attachment.ts';
import type { AgentStatus } from './profile/evidence.ts';
import type { StallReport } from './stall/stall.ts';

/** All evidence about an agent, oldest first, and last the rule that decided. */
export function explainAgent(
  { observer, hung }: Attachment,
  waits: DeliveryWait,
  { last }: StallReport,
): SessionSignal[] {
  const status = observer.status();
  const signals: SessionSignal[] = status.signals.map(({ at, source, fact, says }) => ({
    at: new Date(wallTimeOf(at)),
    source,
    fact: says === undefined ? fact : `${fact} (${says})`,
  }));
  signals.push(...hung.facts());
  const waiting = waits.now;
  if (waiting)
    signals.push({ at: new Date(wallTimeOf(waiting.since)), source: 'prompt', fact: `waits: ${waiting.for.for}` });
  if (last?.stall) signals.push({ at: new Date(wallTimeOf(last.at)), source: 'stall', fact: stallFact(last.stall) });
  signals.sort((a, b) => a.at.getTime() - b.at.getTime());
  return [...signals, { at: new Date(), source: 'rule', fact: `${status.state}: ${status.rule}` }];
}

export function hintOf({ state, detail, until }: AgentStatus): string {
  if (state === 'READY') return 'READY';
  return `${state} ${detail}${until === undefined ? '' : ` until ${new Date(until).toISOString()}`}`;
}
