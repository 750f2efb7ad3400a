import { closeSync, type FSWatcher, fstatSync, readSync, watch } from 'node:fs';
import { openRegular } from '../../../../schemas/files/openRegular.ts';
import type { RecordLine } from '../profile.ts';

export type Turn = Extract<RecordLine, { state: unknown }>;

export interface RecordFile {
  /** How the last turn of that conversation stands, of those since `since`; undefined when there was none. */
  look(): Turn | undefined;
  close(): void;
}

export interface RecordFileOptions {
  /** Known once a hook has told it; may become another. */
  path(): string | undefined;
  read(line: string): RecordLine | undefined;
  conversationId(): string | undefined;
  since: number;
  onChange(): void;
}

/** Of a long record the turns of the last so many bytes count. */
const READ_BYTES = 4 * 1024 * 1024;
/** Its first line says whose it is. */
const HEAD_BYTES = 256 * 1024;

/** Follows the record that a program keeps of its conversation, by byte offset; woken by the system, never by a clock. */
export function watchRecord({ path, read, conversationId, since, onChange }: RecordFileOptions): RecordFile {
  let file: { path: string; offset: number; owner?: string; turn?: Turn } | undefined;
  let watcher: FSWatcher | undefined;
  let closed = false;

  function follow(): void {
    if (watcher || closed || !file) return;
    try {
      watcher = watch(file.path, () => onChange());
      watcher.on('error', () => {});
    } catch {
      // Not there yet: some write it with the first prompt.
    }
  }

  function take(line: string): void {
    const told = read(line);
    if (!told || !file) return;
    // A conversation that goes on from another quotes that one's beginning after its own.
    if ('conversationId' in told) file.owner ??= told.conversationId;
    else if (told.at >= since) file.turn = told;
  }

  function readNew(): void {
    if (!file) return;
    const opened = openRegular(file.path, { follow: true });
    if (!opened.ok) return;
    const { fd } = opened;
    try {
      const { size } = fstatSync(fd);
      if (size < file.offset) file = { path: file.path, offset: 0 };
      if (file.offset === 0 && size > READ_BYTES) take(linesOf(fd, 0, HEAD_BYTES)[0]?.text ?? '');
      file.offset = Math.max(file.offset, size - READ_BYTES);
      for (const { text, bytes } of linesOf(fd, file.offset, size - file.offset)) {
        take(text);
        file.offset += bytes;
      }
    } finally {
      closeSync(fd);
    }
  }

  return {
    look() {
      const wanted = path();
      if (wanted === undefined || closed) return undefined;
      if (wanted !== file?.path) {
        watcher?.close();
        watcher = undefined;
        file = { path: wanted, offset: 0 };
      }
      follow();
      readNew();
      const isStranger = file.owner !== undefined && file.owner !== conversationId();
      return isStranger ? undefined : file.turn;
    },
    close() {
      closed = true;
      watcher?.close();
    },
  };
}

/** Whole lines only: what is still being written is read the next time. */
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
