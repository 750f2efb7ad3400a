import type { TranscriptKind } from '../../schemas/enums.ts';

export interface NewChunk {
  kind: TranscriptKind;
  /** What was printed; `160x45` of a resize; a few words of a gap. */
  bytes: Buffer;
  /** Of a backend whose output is one stream: where in it the chunk ends. */
  endOffset?: number;
  /** Of a mark: which it is of its kind at its offset, from 1. */
  nth?: number;
}

/** How far a session's output is stored, and how many marks of each kind exactly there. */
export interface Extent {
  offset: number;
  resizes: number;
  gaps: number;
}

export const NOTHING_STORED: Extent = { offset: 0, resizes: 0, gaps: 0 };

/**
 * What of the chunks is not stored yet, in order: offered again after a kill or a lost connection they are left out, or
 * cut to the part that is new. Where the output between is missing, a `gap` says how many bytes. Pure.
 */
export function notYetStored(stored: Extent, offered: readonly NewChunk[]): NewChunk[] {
  const fresh: NewChunk[] = [];
  let { offset } = stored;
  for (const chunk of offered) {
    const { endOffset: end = offset, kind, bytes, nth = 1 } = chunk;
    const start = kind === 'output' ? end - bytes.length : end;
    if (start > offset) {
      fresh.push({ kind: 'gap', bytes: Buffer.from(`${start - offset} bytes`), endOffset: start });
    }
    if (kind === 'output') {
      if (end > offset) fresh.push(start < offset ? { ...chunk, bytes: bytes.subarray(offset - start) } : chunk);
    } else if (end > stored.offset || (end === stored.offset && nth > countAt(stored, kind))) {
      fresh.push(chunk);
    }
    offset = Math.max(offset, end);
  }
  return fresh;
}

function countAt({ resizes, gaps }: Extent, kind: 'resize' | 'gap'): number {
  return kind === 'resize' ? resizes : gaps;
}
