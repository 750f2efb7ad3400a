import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { RunEvent } from '../../schemas/events/index.ts';
import { blocksRun, gateFacts } from '../../schemas/gates/gateKinds.ts';
import { gateAbout } from '../../schemas/gates/gateWords.ts';
import { needsPerson, stallSentence } from '../../schemas/states/stall.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import { doubtCommand, doubtSentence } from '../core/messages/doubt.ts';
import { gatesOfPerson, gatesOfRules } from '../core/rules/rulesAt.ts';
import { isStalled, isUndecided } from '../core/run/query.ts';
import type { Approval, Run } from '../core/run/state.ts';
import { runTitle } from '../core/run/title.ts';
import type { EventBus } from '../events/bus.ts';

/** Delivers a notice in one way. The caller does not wait for it. */
export type Tell = (notice: Notice) => void;

export interface NotifyOptions {
  /** A way that is switched off is undefined. */
  ways: readonly (Tell | undefined)[];
  bus: Pick<EventBus, 'listen'>;
  openRuns(): readonly Run[];
  readRun(runId: string): Promise<Run | undefined>;
  log: Pick<Logger, 'warn'>;
}

/** Notifies a person whenever a gate or an agent's pane needs them. Returns a function that stops it. */
export function notifyPerson({ ways, bus, openRuns, readRun, log }: NotifyOptions): () => void {
  const enabled = ways.filter((way) => way !== undefined);
  if (enabled.length === 0) return () => {};

  function tellAll(notice: Notice): void {
    for (const tell of enabled) tell({ ...notice, text: withLocalTimes(notice.text) });
  }

  async function consider(runId: string, events: readonly RunEvent[]): Promise<void> {
    for (const held of heldBack(openRuns(), runId, events)) tellAll(held);
    if (!events.some(({ type }) => ASKS.includes(type))) return;
    const run = await readRun(runId);
    const notice = run && noticeOf(run, events);
    if (notice) tellAll(notice);
  }

  return bus.listen(null, ({ runId, events }) => {
    if (runId === null) return;
    consider(runId, events).catch((err: unknown) => log.warn({ err, runId }, 'could not notify the person'));
  });
}

/** A gate that a rule may pass calls nobody until the rule does not. */
const ASKS: readonly RunEvent['type'][] = [
  'approval.requested',
  'approval.rule_checked',
  'run.stalled',
  'message.doubted',
];

export interface Notice {
  title: string;
  text: string;
}

/** The notices about queued runs that come after one which has just ended without its work. */
export function heldBack(runs: readonly Run[], endedId: string, events: readonly RunEvent[]): Notice[] {
  const end = events.find(({ type }) => type === 'run.failed' || type === 'run.aborted');
  if (!end) return [];
  const how = end.type === 'run.failed' ? 'failed' : 'was aborted';
  return runs
    .filter(({ state, after, rank }) => state === 'created' && after === endedId && !rank?.isReleased)
    .map((run) => {
      const id = run.id.slice(0, 8);
      const ways = `devflow run move ${id} --release, or devflow run abort ${id}`;
      return { title: titleOf(run), text: `waits for run ${endedId.slice(0, 8)}, which ${how}: ${ways}` };
    });
}

/** The notice for new events: the last gate still to be decided, else a stall that needs a person, or a message in doubt. */
export function noticeOf(run: Run, events: readonly RunEvent[]): Notice | undefined {
  const title = titleOf(run);
  const asked = askedIn(run, events);
  if (asked) {
    const { id: approvalRequestId, subject } = asked;
    if (!blocksRun(asked)) return { title, text: String(subject.reason) };
    const { said } = gateFacts(asked);
    const words = said === null ? '' : `: ${subject[said]}`;
    const why = typeof subject.reason === 'string' ? `: ${subject.reason}${words}` : '';
    const how = `devflow approval show ${approvalRequestId.slice(0, 8)}`;
    const others = gatesOfPerson(run).filter(({ id, state }) => state === 'pending' && id !== approvalRequestId).length;
    const more = others > 0 ? `; ${counted(others, 'other gate waits', 'other gates wait')} too` : '';
    return { title, text: `${nameOf(asked)} waits for your decision${why}. ${how}${more}` };
  }
  const stalled = events.findLast((event) => event.type === 'run.stalled');
  const session = run.sessions.find(({ id }) => id === stalled?.payload.sessionId);
  if (isStalled(session) && needsPerson(session.stall.cause)) return { title, text: stallSentence(session) };
  const doubted = events.findLast((event) => event.type === 'message.doubted');
  const message = run.messages.find(({ id, state }) => id === doubted?.payload.messageId && state === 'uncertain');
  return message && { title, text: `${doubtSentence(run, message)} ${doubtCommand(message)}` };
}

function titleOf(run: Run): string {
  return `devflow: ${basename(run.repoPath)} ${run.id.slice(0, 8)}: ${runTitle(run)}`;
}

/** The last gate of these events that a person must decide, and no rule. */
function askedIn(run: Run, events: readonly RunEvent[]): Approval | undefined {
  const checked = gatesOfRules(run);
  const waits = run.approvals.filter((each) => isUndecided(each) && !checked.includes(each.id));
  const asked = events.flatMap((event): Approval[] => {
    if (event.type !== 'approval.requested' && event.type !== 'approval.rule_checked') return [];
    const gate = waits.find(({ id }) => id === event.payload.approvalRequestId);
    return gate ? [event.type === 'approval.requested' ? { ...gate, ...event.payload } : gate] : [];
  });
  return asked.at(-1);
}

/** `gate (phase, lane)`: what a person must decide about. */
function nameOf({ gateKey, phaseKey, assignment, laneId }: Approval): string {
  const parts = [phaseKey, gateAbout({ laneId, assignment })].filter((part) => part);
  return parts.length > 0 ? `${gateKey} (${parts.join(', ')})` : gateKey;
}
