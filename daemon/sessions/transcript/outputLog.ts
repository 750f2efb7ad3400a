import type { TranscriptChunk } from '../contract/adapter.ts';

/** One agent's output since this process attached: numbered from 1, readable while it grows. */
export interface OutputLog {
  push(content: string): void;
  /** Chunks after `fromSeq`, then new ones; ends after `end()`. Several readers may read at once. */
  read(fromSeq: bigint): AsyncIterable<TranscriptChunk>;
  end(): void;
  lastAt(): Date | undefined;
}

/** Keeps at most `limit` chunks. A reader that falls further behind sees a gap in `seq`. */
export function createOutputLog(limit = 10_000): OutputLog {
  const chunks: TranscriptChunk[] = [];
  let last = 0n;
  let ended = false;
  const readers: (() => void)[] = [];

  function wakeAll(): void {
    for (const wake of readers.splice(0)) wake();
  }

  async function* read(fromSeq: bigint): AsyncGenerator<TranscriptChunk> {
    let seen = fromSeq;
    while (true) {
      const first = chunks[0]?.seq ?? last + 1n;
      const next = chunks[Number(seen >= first ? seen - first + 1n : 0n)];
      if (next) {
        seen = next.seq;
        yield next;
      } else if (ended) {
        return;
      } else {
        await new Promise<void>((wake) => readers.push(wake));
      }
    }
  }

  return {
    push(content) {
      if (ended) return;
      last += 1n;
      chunks.push({ seq: last, content, capturedAt: new Date() });
      if (chunks.length > limit) chunks.shift();
      wakeAll();
    },
    read,
    end() {
      ended = true;
      wakeAll();
    },
    lastAt: () => chunks.at(-1)?.capturedAt,
  };
}
