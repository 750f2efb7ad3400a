import { DevflowError } from '../errors.ts';

/** The largest message either side accepts. */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;

const NEWLINE = 0x0a;

/** A message as one line. JSON has no raw newline, so the newline is the whole framing. */
export function encodeFrame(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

export interface FrameDecoder {
  /**
   * Takes what arrived and calls `onFrame` for every line that it completes; empty lines are passed over.
   * Throws `frame_too_large` once a line is longer than the limit; nothing can be pushed after that.
   */
  push(chunk: Buffer, onFrame: (text: string) => void): void;
  /** Bytes held of an unfinished line; never more than the limit. */
  buffered(): number;
  /** Drops the unfinished line. */
  drop(): void;
}

/** Splits a byte stream into lines. A chunk is looked at once and kept as it came until its line ends. */
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
