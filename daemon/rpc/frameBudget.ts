import { DevflowError } from '../../schemas/errors.ts';

/** A connection, for the budget. */
export interface FrameHolder {
  refuse(error: DevflowError): void;
}

export interface FrameLimits {
  /** The most bytes of unfinished messages, over all connections. */
  totalBytes: number;
  /** The longest time from the first byte of a message to its last. */
  frameMs: number;
  connections: number;
}

export const FRAME_LIMITS: FrameLimits = { totalBytes: 64 * 1024 * 1024, frameMs: 60_000, connections: 4096 };

export interface FrameBudget {
  readonly limits: FrameLimits;
  /** Call it when a connection received a part of a message. */
  holds(holder: FrameHolder, bytes: number): void;
  bytes(): number;
}

/** Limits the bytes of all unfinished messages together. Over the limit, it refuses the message that stalled longest. */
export function createFrameBudget(limits: FrameLimits = FRAME_LIMITS): FrameBudget {
  /** Ordered by last progress. */
  const held = new Map<FrameHolder, number>();
  let total = 0;

  function holds(holder: FrameHolder, bytes: number): void {
    total += bytes - (held.get(holder) ?? 0);
    held.delete(holder);
    if (bytes > 0) held.set(holder, bytes);
  }

  return {
    limits,
    bytes: () => total,
    holds(holder, bytes) {
      holds(holder, bytes);
      while (total > limits.totalBytes) {
        const [slowest] = held.keys();
        if (slowest === undefined) return;
        holds(slowest, 0);
        slowest.refuse(tooLarge(`All unfinished messages together exceed ${limits.totalBytes} bytes.`, limits));
      }
    },
  };
}

export function tooSlow(limits: FrameLimits): DevflowError {
  return tooLarge(`A message was not finished within ${limits.frameMs / 1000} s.`, limits);
}

function tooLarge(message: string, limits: FrameLimits): DevflowError {
  return new DevflowError('frame_too_large', message, {
    recoveryHint: 'Send each message whole, and end it with a newline.',
    data: { ...limits },
  });
}
