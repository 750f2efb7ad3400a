import { DevflowError } from '../errors.ts';

/** The largest message either side accepts. */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;

const NEWLINE = 0x0a;

/** A message as one line. JSON contains no raw newline, so a newline ends each message. */
export function encodeFrame(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

export interface FrameDecoder {
  /**
   * Takes a chunk and calls `onFrame` for every complete line. It skips empty lines.
   * Throws `frame_too_large` when a line exceeds the limit, and at every later call.
   */
  push(chunk: Buffer, onFrame: (text: string) => void): void;
  /** Buffered bytes of an unfinished line; at most the limit. */
  buffered(): number;
  /** Drops the unfinished line. */
  drop(): void;
}

/** Splits a byte stream into lines. It scans each chunk once and joins chunks only when a line ends. */
export function createFrameDecoder(maxBytes: number = MAX_FRAME_BYTES): FrameDecoder {
  let parts: Buffer[] = [];
  let held = 0;
  let refused = false;

  const refuse = (): never => {
    refused = true;
    parts = [];
    held = 0;
    throw new DevflowError('frame_too_large', `a message is larger than the limit of ${maxBytes} bytes`, {
      data: { limit: maxBytes },
    });
  };
  const complete = (last: Buffer): string => {
    if (held === 0) return last.toString('utf8');
    parts.push(last);
    const line = Buffer.concat(parts, held + last.length).toString('utf8');
    parts = [];
    held = 0;
    return line;
  };

  return {
    push(chunk, onFrame) {
      if (refused) refuse();
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        if (held + end - start > maxBytes) refuse();
        const line = complete(chunk.subarray(start, end));
        start = end + 1;
        if (line.trim() !== '') onFrame(line);
      }
      const rest = chunk.length - start;
      if (rest === 0) return;
      if (held + rest > maxBytes) refuse();
      parts.push(start === 0 ? chunk : chunk.subarray(start));
      held += rest;
    },
    buffered: () => held,
    drop() {
      parts = [];
      held = 0;
    },
  };
}
