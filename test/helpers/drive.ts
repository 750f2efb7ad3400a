import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type FollowOptions, followRun } from '../../cli/run/followRun.ts';
import type { ApprovalDecisionAction } from '../../schemas/enums.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { EventView, RunDetail } from '../../schemas/rpc/views/run.ts';
import type { TestDaemon } from './daemon.ts';
import { PATIENCE_MS } from './patience.ts';
import { until } from './until.ts';

/** The payload of `approval.requested`. */
export interface Asked {
  approvalRequestId: string;
  gateKey: string;
  kind: string;
  phaseKey: string;
  laneId?: string;
  assignment?: string;
  attempt: number;
  subject: Record<string, unknown>;
}
export interface Answer {
  action: ApprovalDecisionAction;
  comment?: string;
  comments?: RpcParams<'approval.decide'>['comments'];
}

export interface DriveOptions {
  /**
   * The answer to a gate; undefined leaves it open. Absent: approves everything, and leaves agents alone whose turn ended. `nth`
   * counts the gates from 1.
   */
  decide?(asked: Asked, nth: number): Answer | undefined;
  /** Stops here; absent: at the end of the run. */
  stopAt?(event: EventView): boolean;
  /** How long the next event may take. */
  patienceMs?: number;
}

const approveAll = ({ kind }: Asked): Answer | undefined => (kind === 'turn' ? undefined : { action: 'approve' });

/** A run that asks one thing more often goes round in circles, and each event would renew the patience. */
const MOST_OF_ONE_GATE = 20;

export const TERMINAL = ['run.completed', 'run.failed', 'run.aborted'];

export async function startRun(
  daemon: TestDaemon,
  request: Partial<RpcParams<'run.start'>> & { repo: string },
): Promise<string> {
  const params = {
    template: 'development@1',
    requirements: 'Make it better.',
    bind: {},
    backend: { planner: 'fake', implementer: 'fake' } as const,
    dryRun: false,
    clientToken: randomUUID(),
    ...request,
  };
  const started = await daemon.ask('run.start', params);
  return (started as { runId: string }).runId;
}

/**
 * Follows a run across any number of crashes and decides its gates, each with one client token until it gets an answer.
 * Returns the log from its first event. Rejects on a gap or a double.
 */
export async function drive(daemon: TestDaemon, runId: string, options: DriveOptions = {}): Promise<EventView[]> {
  const { decide = approveAll, stopAt, patienceMs = PATIENCE_MS } = options;
  const events: EventView[] = [];
  const decisions: Promise<unknown>[] = [];
  const stop = new AbortController();
  let fault: unknown;
  let gates = 0;
  const timesAsked = new Map<string, number>();
  const fail = (error: unknown) => {
    fault ??= error;
    stop.abort();
  };

  async function answer(asked: Asked, nth: number): Promise<void> {
    const given = decide(asked, nth);
    if (!given) return;
    const approvalId = asked.approvalRequestId;
    const { state, kind } = await daemon.ask('approval.get', { approvalId });
    if (state !== 'pending' || kind === 'agent') return; // from an earlier drive, or answered in its pane
    await daemon.ask('approval.decide', { approvalId, clientToken: randomUUID(), ...given });
  }
  const timer = setTimeout(() => {
    fail(new Error(`run ${runId} did not come there; the last event: ${JSON.stringify(events.at(-1))}`));
  }, patienceMs);
  const following: FollowOptions = {
    connect: () => daemon.client(),
    runId,
    afterSeq: 0,
    signal: stop.signal,
    async wait() {
      await turn();
      await daemon.up();
    },
    onEvent(event) {
      if (event.seq !== events.length + 1) fail(new Error(`seq ${event.seq} came after ${events.length}`));
      events.push(event);
      timer.refresh();
      if (stopAt?.(event) || TERMINAL.includes(event.type)) return stop.abort();
      if (event.type !== 'approval.requested') return;
      gates += 1;
      const asked = event.payload as unknown as Asked;
      const gate = [asked.gateKey, asked.phaseKey, asked.laneId, asked.assignment].join(' ');
      const times = (timesAsked.get(gate) ?? 0) + 1;
      timesAsked.set(gate, times);
      if (times > MOST_OF_ONE_GATE) fail(new Error(`run ${runId} asks again and again: ${JSON.stringify(asked)}`));
      else decisions.push(answer(asked, gates).catch(fail));
    },
  };
  await followFromTheStart(daemon, following).catch(fail);
  clearTimeout(timer);
  await Promise.all(decisions);
  if (fault) throw fault;
  return events;
}

const AWAY = ['daemon_not_running', 'shutting_down'];

/** Following waits for a daemon that goes away, but not for one that goes away before its first answer. */
async function followFromTheStart(daemon: TestDaemon, options: FollowOptions): Promise<void> {
  for (;;) {
    await daemon.up();
    try {
      return await followRun(options);
    } catch (error) {
      if (!AWAY.includes((error as { code?: string }).code ?? '')) throw error;
      await turn();
    }
  }
}

/** The run once it has ended and its report is written. */
export function ended(daemon: TestDaemon, runId: string): Promise<RunDetail> {
  return until(`run ${runId} has its report`, async () => {
    const run = await daemon.ask('run.get', { runId });
    return run.finalReportPath === null ? undefined : run;
  });
}

/** The whole log, by pages. */
export async function readLog(daemon: TestDaemon, runId: string): Promise<EventView[]> {
  const events: EventView[] = [];
  for (;;) {
    const page = await daemon.ask('run.events', { runId, afterSeq: events.length, limit: 500 });
    events.push(...page);
    if (page.length < 500) return events;
  }
}
