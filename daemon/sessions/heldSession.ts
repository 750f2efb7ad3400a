import type { Logger } from 'pino';
import type { AgentExit, SessionAdapter, SessionHandle, StartInput } from './contract/adapter.ts';
import { createSignalLog, type SignalLog } from './contract/signals.ts';
import type { Transcripts } from './transcript/transcript.ts';

/** Runs one piece of work after another. A failure goes to its caller and blocks nobody. */
interface SessionLock {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when all work requested so far is done. */
  idle(): Promise<void>;
}

export function createSessionLock(): SessionLock {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
    async idle() {
      await last;
    },
  };
}

/** One entry of the manager's map: a session that this process holds, whether its agent is alive or dead. */
export interface HeldSession {
  readonly input: StartInput;
  readonly adapter: SessionAdapter;
  readonly lock: SessionLock;
  readonly signals: SignalLog;
  /** Absent until the agent is started or adopted. */
  handle?: SessionHandle;
  lost: boolean;
  /** Stops `watch`. */
  unwatch?: () => void;
  /** A start was tried since the last `detach`. */
  isStarted: boolean;
  /** Set while the agent is being ended. Work that still waits for the lock is then refused. */
  ending?: Promise<void>;
  capturing: Promise<void>;
}

export function holdSession(input: StartInput, adapter: SessionAdapter): HeldSession {
  const [lock, signals] = [createSessionLock(), createSignalLog()];
  return { input, adapter, lock, signals, lost: false, isStarted: false, capturing: Promise.resolve() };
}

/**
 * Listens for the agent's end and copies its output into the transcript. Resolves when copying has begun, so an agent
 * that is disposed at once is still read to its end.
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

/** Stops watching and detaches: `release` leaves the agent alive, `dispose` ends it. */
export async function detach(held: HeldSession, how: 'release' | 'dispose'): Promise<void> {
  held.unwatch?.();
  held.unwatch = undefined;
  held.isStarted = false;
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
