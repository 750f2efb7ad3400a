import type { TranscriptChunk } from '../adapter.ts';
import { type TailOptions, tailOutput } from './outputTail.ts';

/** What the sinks in a directory wrote, as `SessionAdapter.capture` gives it. */
export async function* captureOutput(options: TailOptions): AsyncGenerator<TranscriptChunk> {
  for await (const { offset, bytes, mark } of tailOutput(options)) {
    const endOffset = BigInt(offset + bytes.length);
    const chunk = { seq: endOffset, content: '', capturedAt: new Date(), endOffset };
    yield mark ? { ...chunk, mark } : { ...chunk, bytes };
  }
}
