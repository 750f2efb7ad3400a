import { isUtf8 } from 'node:buffer';
import type { TranscriptChunk } from '../../../schemas/rpc/views/session.ts';
import type { StoredChunk } from '../../store/transcripts.ts';

/** Text as text; what is no text also byte for byte. */
export function transcriptView({ seq, kind, bytes, endOffset, capturedAt }: StoredChunk): TranscriptChunk {
  const exact = isUtf8(bytes) ? {} : { base64: bytes.toString('base64') };
  return { seq, kind, content: bytes.toString('utf8'), ...exact, endOffset, capturedAt: capturedAt.toISOString() };
}
