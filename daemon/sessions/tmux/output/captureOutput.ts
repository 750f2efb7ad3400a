import type { TranscriptChunk } from '../../adapter.ts';
import { type TailOptions, tailOutput } from './outputTail.ts';

/**
 * What the sinks in a directory wrote, as `SessionAdapter.capture` gives it. A tail of its own beside the observer's: it
 * may lag behind as far as its reader does, and goes on from one program of the session to the next. The second one
 * costs 0.04 % of a core for a spinner, and 0.7 % for 10 MB a second.
 */
export async function* captureOutput(options: TailOptions): AsyncGenerator<TranscriptChunk> {
  for await (const { offset, bytes, mark } of tailOutput(options)) {
    const endOffset = BigInt(offset + bytes.length);
    const chunk = { seq: endOffset, content: '', capturedAt: new Date(), endOffset };
    yield mark ? { ...chunk, mark } : { ...chunk, bytes };
  }
}
