import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { RunEvent } from '../schemas/events/index.ts';
import { needsPerson } from '../schemas/states/stall.ts';
import { visible } from '../schemas/visible.ts';
import { isStalled, stallSentence } from './engine/core/stalled.ts';
import type { Run } from './engine/core/state.ts';
import type { EventBus } from './events/bus.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** A program that has not ended by then is ended: it was to show something, not to wait for an answer. */
const PATIENCE_MS = 30_000;

export interface NotifyOptions {
  /** `notify.command`: a program and its arguments, to which a title and a text are appended; absent for none. */
  command: readonly string[] | undefined;
  bus: Pick<EventBus, 'listen'>;
  readRun(runId: string): Promise<Run | undefined>;
  log: Pick<Logger, 'warn'>;
  patienceMs?: number;
}

/**
 * Runs the user's program, without a shell, each time a person is needed: at a gate, or in an agent's pane. Nobody waits
 * for it, and a fault of it is only logged. Returns how to stop.
 */
export function notifyPerson({ command, bus, readRun, log, patienceMs = PATIENCE_MS }: NotifyOptions): () => void {
  const [program, ...args] = command ?? [];
  if (program === undefined) return () => {};

  function show({ title, text }: Notice): void {
    const child = spawn(program as string, [...args, visible(title), visible(text)], {
      ...{ stdio: 'ignore', timeout: patienceMs, killSignal: 'SIGKILL', env: withoutSecrets(process.env) },
    });
    child.on('error', (err) => log.warn({ err, program }, 'notify.command could not be run'));
    child.on('exit', (code, signal) => {
      if (code !== 0) log.warn({ program, code, signal }, 'notify.command failed');
    });
    // It must not keep a daemon that stops.
    child.unref();
  }

  async function consider(runId: string, events: readonly RunEvent[]): Promise<void> {
    if (!events.some((event) => event.type === 'approval.requested' || event.type === 'run.stalled')) return;
    const run = await readRun(runId);
    const notice = run && noticeOf(run, events);
    if (notice) show(notice);
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
