import type { Logger } from 'pino';
import type { AgentExit, AgentStall, SessionAdapter, SessionHandle, StartInput } from './adapter.ts';
import { createSessionLock, type SessionLock } from './sessionLock.ts';
import { createSignalLog, type SignalLog, STALL_OVER, stallFact } from './signals.ts';
import type { Transcripts } from './transcript/transcript.ts';

/** One entry of the manager's map: a session that this process was asked to hold, alive or not. */
export interface HeldSession {
  readonly input: StartInput;
  readonly adapter: SessionAdapter;
  readonly lock: SessionLock;
  readonly signals: SignalLog;
  /** Absent until the agent was started or adopted. */
  handle?: SessionHandle;
  lost: boolean;
  /** What keeps the agent from going on, as its adapter told last. */
  stall?: AgentStall;
  /** Undoes `watch`. */
  unwatch?: () => void;
  /** Undoes `watchStalls`. */
  unwatchStalls?: () => void;
  /** Set while the agent is being ended; what still waits for its turn then is let go. */
  ending?: Promise<void>;
  capturing: Promise<void>;
}

export function holdSession(input: StartInput, adapter: SessionAdapter): HeldSession {
  const [lock, signals] = [createSessionLock(), createSignalLog()];
  return { input, adapter, lock, signals, lost: false, capturing: Promise.resolve() };
}

/**
 * Listens for the agent's end and copies what it prints into the transcript, from when it is first attached. Resolves when
 * the copying has begun: an agent that is disposed of at once is still read to its end.
 */
export async function watch(
  held: HeldSession,
  handle: SessionHandle,
  ports: { transcripts: Transcripts; log: Pick<Logger, 'warn'>; onExit(exit: AgentExit): void },
): Promise<void> {
  held.handle = handle;
  held.lost = false;
  if (held.unwatch) return;
  held.unwatch = held.adapter.onExit(handle, ports.onExit);
  const forget = (before: bigint) => held.adapter.forgetOutput?.(handle, before);
  const from = held.adapter.streams ? await ports.transcripts.resume(handle.sessionId, forget) : 0n;
  held.capturing = copyOutput(held, handle, ports.transcripts, from).catch((error: unknown) => {
    ports.log.warn({ err: error, sessionId: handle.sessionId }, 'transcript capture ended');
  });
}

/** Listens for what keeps the agent from going on. Begun before its start: that may wait for a person already. */
export function watchStalls(held: HeldSession, onStall: (stall: AgentStall | undefined) => void): void {
  const { sessionId } = held.input;
  held.unwatchStalls ??= held.adapter.onStall?.({ sessionId }, (stall) => {
    const isNews = stall !== undefined || held.stall !== undefined;
    held.stall = stall;
    if (isNews) held.signals.note('stall', stall ? stallFact(stall) : STALL_OVER);
    onStall(stall);
  });
}

/** Ends the watching and the agent's attachment: `release` leaves the agent alive, `dispose` ends it. */
export async function detach(held: HeldSession, how: 'release' | 'dispose'): Promise<void> {
  held.unwatch?.();
  held.unwatch = undefined;
  held.unwatchStalls?.();
  held.unwatchStalls = undefined;
  held.stall = undefined;
  const { sessionId, sessionDir } = held.input;
  await held.adapter[how]({ ...held.handle, sessionId, sessionDir });
  held.handle = undefined;
}

async function copyOutput(
  held: HeldSession,
  handle: SessionHandle,
  transcripts: Transcripts,
  from: bigint,
): Promise<void> {
  for await (const chunk of held.adapter.capture(handle, from)) await transcripts.write(handle.sessionId, chunk);
}
