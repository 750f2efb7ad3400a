import { isUtf8 } from 'node:buffer';
import type { TranscriptChunk } from '../../../schemas/rpc/views/session.ts';
import type { StoredChunk } from '../../store/transcripts.ts';

/** Bytes that are not UTF-8 also travel as base64. */
export function transcriptView({ seq, kind, bytes, endOffset, capturedAt }: StoredChunk): TranscriptChunk {
  const exact = isUtf8(bytes) ? {} : { base64: bytes.toString('base64') };
  return { seq, kind, content: bytes.toString('utf8'), ...exact, endOffset, capturedAt: capturedAt.toISOString() };
}
