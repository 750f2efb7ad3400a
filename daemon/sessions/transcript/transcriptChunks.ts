import { LONGEST_SECRET, maskSecrets, mayBeginSecret, safeLength } from './maskSecrets.ts';

/** Output of a session, or a mark in it, as it is stored; the store's `NewChunk`. */
export interface Piece {
  kind: 'output' | 'resize' | 'gap';
  bytes: Buffer;
  endOffset?: number;
  nth?: number;
}

export const LARGEST_CHUNK_BYTES = 64 * 1024;

/**
 * `safe`: up to the last word, which may be half a secret. `settled`: with the last word unless it looks like a secret,
 * for output that has stopped. `whole`: everything.
 */
export type Extent = 'safe' | 'settled' | 'whole';

export interface Composed {
  /** To be stored: at most 64 KB each, secrets masked, no character cut in two where possible. */
  chunks: Piece[];
  /** The tail that is held back. */
  rest: Piece[];
  /** For the next call: the printed bytes before what comes next. */
  context: Buffer;
}

/**
 * Stores the program's own bytes, with secrets masked byte for byte. `context` is the output before: it lets a secret
 * be found whole, wherever the output was cut. Pure.
 */
export function compose(pieces: readonly Piece[], context: Buffer, extent: Extent): Composed {
  const chunks: Piece[] = [];
  let before = context;
  const runs = joined(pieces);
  for (const [index, run] of runs.entries()) {
    if (run.kind !== 'output') {
      chunks.push(run);
      if (run.kind === 'gap') before = Buffer.alloc(0);
      continue;
    }
    const seen = Buffer.concat([before, run.bytes]);
    const text = seen.toString('latin1');
    const ready = index < runs.length - 1 ? text.length : readyLength(text, before.length, extent);
    const taken = run.bytes.subarray(0, Math.max(0, ready - before.length));
    const masked = Buffer.from(maskSecrets(text.slice(0, before.length + taken.length)), 'latin1');
    const start = run.endOffset === undefined ? undefined : run.endOffset - run.bytes.length;
    chunks.push(...cut(masked.subarray(before.length), start));
    if (taken.length < run.bytes.length) {
      const rest = [{ ...run, bytes: run.bytes.subarray(taken.length) }];
      return { chunks, rest, context: lastOf(seen.subarray(0, before.length + taken.length)) };
    }
    before = lastOf(seen);
  }
  return { chunks, rest: [], context: before };
}

/** Joins neighbours whose offsets follow each other. */
function joined(pieces: readonly Piece[]): Piece[] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1)?.at(-1);
    if (last?.kind === 'output' && piece.kind === 'output' && follows(last, piece)) groups.at(-1)?.push(piece);
    else groups.push([piece]);
  }
  return groups.map((group) => ({ ...(group.at(-1) as Piece), bytes: Buffer.concat(group.map(({ bytes }) => bytes)) }));
}

function follows(first: Piece, next: Piece): boolean {
  return next.endOffset === undefined || first.endOffset === next.endOffset - next.bytes.length;
}

function readyLength(text: string, from: number, extent: Extent): number {
  if (extent === 'whole') return text.length;
  const safe = safeLength(text);
  if (extent === 'safe' || mayBeginSecret(text.slice(Math.max(safe, from - 32)))) return safe;
  return text.length - unfinishedCharacter(text);
}

/** The number of bytes at the end that begin an incomplete UTF-8 character. */
function unfinishedCharacter(text: string): number {
  for (let back = 1; back <= Math.min(3, text.length); back += 1) {
    const byte = text.charCodeAt(text.length - back);
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** A copy, so that no large buffer stays in memory. */
function lastOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - LONGEST_SECRET)));
}

function cut(bytes: Buffer, start: number | undefined): Piece[] {
  const pieces: Piece[] = [];
  for (let from = 0; from < bytes.length; ) {
    const most = Math.min(from + LARGEST_CHUNK_BYTES, bytes.length);
    const to = most < bytes.length ? characterStart(bytes, most) : most;
    const endOffset = start === undefined ? {} : { endOffset: start + to };
    pieces.push({ kind: 'output', bytes: bytes.subarray(from, to), ...endOffset });
    from = to;
  }
  return pieces;
}

/** The nearest earlier place where a UTF-8 character may begin, or `at` itself. */
function characterStart(bytes: Buffer, at: number): number {
  for (let back = 0; back <= 3; back += 1) if (((bytes[at - back] as number) & 0xc0) !== 0x80) return at - back;
  return at;
}
