import type { TranscriptChunk } from '../contract/adapter.ts';
import type { Piece } from './transcriptChunks.ts';

/** An agent's output; a stream has bytes and an offset. */
export type Printed = Pick<TranscriptChunk, 'content' | 'bytes' | 'endOffset' | 'mark'>;

export function pieceOf({ content, bytes = Buffer.from(content), endOffset, mark }: Printed): Piece {
  const at = endOffset === undefined ? {} : { endOffset: Number(endOffset) };
  if (mark === undefined) return { kind: 'output', bytes, ...at };
  const text = mark.kind === 'resize' ? `${mark.columns}x${mark.rows}` : mark.reason;
  return { kind: mark.kind, bytes: Buffer.from(text), nth: mark.nth, ...at };
}

/**
 * Splits a piece at an offset. A mark before it is dropped; one exactly there is kept, since the store knows whether it
 * has it.
 */
export function splitAt(piece: Piece, offset: number): { old?: Piece; fresh?: Piece } {
  const { bytes, endOffset, kind } = piece;
  if (endOffset === undefined) return { fresh: piece };
  if (kind !== 'output') return endOffset < offset ? {} : { fresh: piece };
  if (endOffset <= offset) return { old: piece };
  const start = endOffset - bytes.length;
  if (start >= offset) return { fresh: piece };
  const old = { ...piece, bytes: bytes.subarray(0, offset - start), endOffset: offset };
  return { old, fresh: { ...piece, bytes: bytes.subarray(offset - start) } };
}
