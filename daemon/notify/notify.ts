import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { RunEvent } from '../../schemas/events/index.ts';
import { withLocalTimes } from '../../schemas/localTime.ts';
import { needsPerson } from '../../schemas/states/stall.ts';
import { isStalled, stallSentence } from '../engine/core/stalled.ts';
import type { Run } from '../engine/core/state.ts';
import type { EventBus } from '../events/bus.ts';

/** One way in which a person hears of it. Nobody waits for it. */
export type Tell = (notice: Notice) => void;

export interface NotifyOptions {
  /** A way that is not wished for is undefined. */
  ways: readonly (Tell | undefined)[];
  bus: Pick<EventBus, 'listen'>;
  readRun(runId: string): Promise<Run | undefined>;
  log: Pick<Logger, 'warn'>;
}

/** Tells a person each time that they are needed: at a gate, or in an agent's pane. Returns how to stop. */
export function notifyPerson({ ways, bus, readRun, log }: NotifyOptions): () => void {
  const wished = ways.filter((way) => way !== undefined);
  if (wished.length === 0) return () => {};

  async function consider(runId: string, events: readonly RunEvent[]): Promise<void> {
    if (!events.some((event) => event.type === 'approval.requested' || event.type === 'run.stalled')) return;
    const run = await readRun(runId);
    const notice = run && noticeOf(run, events);
    if (notice) for (const tell of wished) tell({ ...notice, text: withLocalTimes(notice.text) });
  }

  return bus.listen(null, ({ runId, events }) => {
    consider(runId, events).catch((err: unknown) => log.warn({ err, runId }, 'a person was not notified'));
  });
}

export interface Notice {
  title: string;
  text: string;
}

/** What a person should hear of these events: one thing for each transition, the gate before what led to it. */
export function noticeOf(run: Run, events: readonly RunEvent[]): Notice | undefined {
  const title = `devflow: ${basename(run.repoPath)} ${run.id.slice(0, 8)}`;
  const asked = events.findLast((event) => event.type === 'approval.requested');
  if (asked) {
    const { gateKey, kind, phaseKey, approvalRequestId, subject } = asked.payload;
    if (kind === 'agent') return { title, text: String(subject.reason) };
    const why = typeof subject.reason === 'string' ? `: ${subject.reason}` : '';
    const how = `devflow approval show ${approvalRequestId.slice(0, 8)}`;
    return { title, text: `A decision is waited for at ${gateKey}${phaseKey ? ` (${phaseKey})` : ''}${why}. ${how}` };
  }
  const stalled = events.findLast((event) => event.type === 'run.stalled');
  const session = run.sessions.find(({ id }) => id === stalled?.payload.sessionId);
  if (!isStalled(session) || !needsPerson(session.stall.cause)) return undefined;
  return { title, text: stallSentence(session) };
}
