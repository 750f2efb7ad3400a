import type { TranscriptKind } from '../../schemas/enums.ts';

export interface NewChunk {
  kind: TranscriptKind;
  /** The output; `160x45` for a resize; a short description for a gap. */
  bytes: Buffer;
  /** Where the chunk ends in the output stream, if the backend has one. */
  endOffset?: number;
  /** For a resize or gap: its number among those of its kind at this offset, from 1. */
  nth?: number;
}

/** The end of a session's stored output, and the numbers of resizes and gaps stored at that offset. */
export interface Extent {
  offset: number;
  resizes: number;
  gaps: number;
}

export const NOTHING_STORED: Extent = { offset: 0, resizes: 0, gaps: 0 };

/**
 * The chunks, or parts of chunks, that are not stored yet, in order. A kill or a lost connection can offer chunks twice. A
 * `gap` says how many bytes of output are missing. Pure.
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
