import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from '../../../../schemas/files/openRegular.ts';
import { createReportedTimes } from '../../../../schemas/time/steadyTime.ts';
import type { RecordEntry, RecordLine } from '../profile/profile.ts';
import { createPathWatch } from './pathWatch.ts';

export interface RecordFile {
  /** The last entry since `since`, its time by the steady clock; undefined if there was none. */
  look(): RecordEntry | undefined;
  close(): void;
}

export interface RecordFileOptions {
  /** Known once a hook has named it or it was found; may change. */
  path(): string | undefined;
  read(line: string): RecordLine | undefined;
  conversationId(): string | undefined;
  /** By the steady clock. */
  since: number;
  onChange(): void;
}

/** Only the last bytes of a long record are read. */
const READ_BYTES = 4 * 1024 * 1024;
/** The first line names the conversation. */
const HEAD_BYTES = 256 * 1024;

/** Follows a program's record of its conversation by byte offset. Nothing is polled. */
export function watchRecord({ path, read, conversationId, since, onChange }: RecordFileOptions): RecordFile {
  let file: { path: string; offset: number; owner?: string; entry?: RecordEntry } | undefined;
  const watched = createPathWatch(() => onChange());
  let closed = false;
  let times = createReportedTimes();

  /** The first entries of a new record are as old as they say. */
  function begin(at: string): { path: string; offset: number } {
    times = createReportedTimes();
    return { path: at, offset: 0 };
  }

  function take(line: string): void {
    const parsed = read(line);
    if (!parsed || !file) return;
    // A continued conversation quotes the start of the earlier one after its own first line.
    if ('conversationId' in parsed) file.owner ??= parsed.conversationId;
    else takeEntry(parsed);
  }

  function takeEntry(entry: RecordEntry): void {
    const at = times.steady(entry.at);
    if (file && at >= since) file.entry = { ...entry, at };
  }

  function readNew(): void {
    if (!file) return;
    const opened = openRegular(file.path, { follow: true });
    if (!opened.ok) return;
    const { fd } = opened;
    try {
      const { size } = fstatSync(fd);
      if (size < file.offset) file = begin(file.path);
      if (file.offset === 0 && size > READ_BYTES) take(linesOf(fd, 0, HEAD_BYTES)[0]?.text ?? '');
      file.offset = Math.max(file.offset, size - READ_BYTES);
      for (const { text, bytes } of linesOf(fd, file.offset, size - file.offset)) {
        file.offset += bytes;
        take(text);
      }
      times.looked();
    } finally {
      closeSync(fd);
    }
  }

  return {
    look() {
      const wanted = path();
      if (wanted === undefined || closed) return undefined;
      if (wanted !== file?.path) file = begin(wanted);
      // Some programs write it with the first prompt.
      watched.follow(wanted);
      readNew();
      const isOtherConversation = file.owner !== undefined && file.owner !== conversationId();
      return isOtherConversation ? undefined : file.entry;
    },
    close() {
      closed = true;
      watched.close();
    },
  };
}

/** Whole lines only: a partial line is read the next time. */
function linesOf(fd: number, from: number, length: number): { text: string; bytes: number }[] {
  if (length <= 0) return [];
  const buffer = Buffer.alloc(length);
  const read = buffer.subarray(0, readSync(fd, buffer, 0, length, from));
  const lines: { text: string; bytes: number }[] = [];
  for (let start = 0; ; ) {
    const end = read.indexOf(0x0a, start);
    if (end < 0) return lines;
    lines.push({ text: read.toString('utf8', start, end), bytes: end + 1 - start });
    start = end + 1;
  }
}
