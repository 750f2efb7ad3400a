import { DevflowError } from '../../schemas/errors.ts';

/** One connection, as the budget sees it. */
export interface FrameHolder {
  refuse(error: DevflowError): void;
}

export interface FrameLimits {
  /** Bytes of unfinished messages that all connections may keep together. */
  totalBytes: number;
  /** How long one message may take from its first byte to its last. */
  frameMs: number;
  connections: number;
}

export const FRAME_LIMITS: FrameLimits = { totalBytes: 64 * 1024 * 1024, frameMs: 60_000, connections: 4096 };

export interface FrameBudget {
  readonly limits: FrameLimits;
  /** A connection got more of a message, or the rest of it. */
  holds(holder: FrameHolder, bytes: number): void;
  bytes(): number;
}

/** Bounds what all unfinished messages cost together. Over the bound, the one that stood still longest is refused. */
export function createFrameBudget(limits: FrameLimits = FRAME_LIMITS): FrameBudget {
  /** In the order of their last progress. */
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
        slowest.refuse(tooLarge(`all unfinished messages together are larger than ${limits.totalBytes} bytes`, limits));
      }
    },
  };
}

export function tooSlow(limits: FrameLimits): DevflowError {
  return tooLarge(`a message was not finished within ${limits.frameMs / 1000} s`, limits);
}

function tooLarge(message: string, limits: FrameLimits): DevflowError {
  return new DevflowError('frame_too_large', message, {
    recoveryHint: 'Send each message whole, and end it with a newline.',
    data: { ...limits },
  });
}
