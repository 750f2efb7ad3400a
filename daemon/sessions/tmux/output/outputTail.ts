import { closeSync, fstatSync, mkdirSync, read, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openRegular } from '../../../../schemas/files/openRegular.ts';
import type { TranscriptMark } from '../../adapter.ts';
import { isCaptureRunning } from './captureProcess.ts';
import { type DirectoryChanges, followChanges } from './directoryChanges.ts';
import { continueAt, epochOf, fileAfter, gapBefore, listOutputFiles, outputEnd } from './outputFiles.ts';
import { RESIZES_FILE, type Resize, readResizes } from './resizes.ts';

export interface OutputPart {
  /** Of the first byte, or where the mark stands. */
  offset: number;
  /** At most 64 KB; empty beside a mark. */
  bytes: Buffer;
  mark?: TranscriptMark;
}

export interface TailOptions {
  /** Where `splitSink` writes; made when it is missing. */
  directory: string;
  fromOffset: number;
  /** Ends the reading where it stands. */
  signal?: AbortSignal;
  /** Ends it once all is read and no sink writes any more (or for two seconds none did): the pane is gone. */
  drain?: AbortSignal;
}

const readLater = promisify(read);

const LARGEST_READ = 64 * 1024;
const SMALL_READ = 8 * 1024;
/** A burst is read as one. */
const BURST_MS = 20;
/** So long a sink that writes nothing is waited for, once its pane is gone. */
const DRAIN_MS = 2000;
/** After growth the reader looks again by itself, should a notification have been lost; a quiet pane costs nothing. */
const LOOK_AGAIN_MS = [1000, 5000];

/**
 * All that the sinks in a directory wrote from an offset on, and then what they write, with a mark where the pane changed
 * its size or output was lost. No byte is left out between files or epochs, and none is read before it is asked for.
 */
export async function* tailOutput(options: TailOptions): AsyncGenerator<OutputPart> {
  const { directory, fromOffset, signal, drain } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // At once: what is written from now on comes after what was lost.
  if (fromOffset > outputEnd(directory)) continueAt(directory, fromOffset);
  const changes = await followChanges(directory);
  const reader = new Reader(directory, changes);
  for (const each of [signal, drain]) each?.addEventListener('abort', changes.wake);
  try {
    reader.seek(fromOffset);
    for (let [looks, ended] = [0, false]; !signal?.aborted; ) {
      changes.clear();
      const part = await reader.read();
      if (part) {
        looks = 0;
        yield part;
      } else if (ended) {
        return;
      } else if (drain?.aborted) {
        // Read once more after it ended: what it wrote last.
        looks += 1;
        ended = !isCaptureRunning(`${directory}/`) || looks > DRAIN_MS / BURST_MS;
        changes.doubt();
        if (!ended) await pause(BURST_MS);
      } else {
        const again = LOOK_AGAIN_MS[looks];
        await changes.wait(again);
        if (again !== undefined) changes.doubt();
        looks += 1;
        if (!signal?.aborted) await pause(BURST_MS);
      }
    }
  } finally {
    for (const each of [signal, drain]) each?.removeEventListener('abort', changes.wake);
    changes.close();
    await reader.close();
  }
}

class Reader {
  readonly #directory: string;
  readonly #changes: DirectoryChanges;
  #name: string | undefined;
  #next: string | undefined;
  /** No sink writes the epoch of the present file any more. */
  #epochEnded = false;
  #resizeList: Resize[] = [];
  /** How many of them were told, or lie before where the reading began. */
  #told = 0;
  #fd: number | undefined;
  #position = 0;
  #offset = 0;
  /** Marks given so far at this offset. */
  #resizes = 0;
  #gaps = 0;

  constructor(directory: string, changes: DirectoryChanges) {
    this.#directory = directory;
    this.#changes = changes;
  }

  /** To the end of the file before rather than the beginning of the next, so that the mark between is told. */
  seek(offset: number): void {
    const files = listOutputFiles(this.#directory);
    const file = files.find(({ start, size }) => offset <= start + size);
    this.#offset = Math.max(offset, file?.start ?? 0, files[0]?.start ?? 0);
    this.#name = file?.name;
    this.#position = file ? this.#offset - file.start : 0;
    this.#told = readResizes(this.#directory).filter((resize) => resize.offset < this.#offset).length;
  }

  /** The next part; undefined when there is none now. */
  async read(): Promise<OutputPart | undefined> {
    for (;;) {
      const resize = this.#nextResize();
      if (resize && resize.offset <= this.#offset) return this.#resized(resize);
      const most = resize ? Math.min(LARGEST_READ, resize.offset - this.#offset) : LARGEST_READ;
      // Looked for first: once there is a next file, what the read finds in this one is all it will ever hold.
      if (this.#changes.takeCreated()) this.#next = this.#findNext();
      const next = this.#next;
      const bytes = await this.#readFile(most);
      if (bytes.length > 0) return this.#taken(bytes);
      if (next === undefined) return undefined;
      if (this.#leavesEpoch(next) && !this.#epochEnded) {
        if (isCaptureRunning(`${this.#directory}/${epochOf(this.#name ?? '')}.`)) {
          setTimeout(this.#changes.wake, BURST_MS).unref();
          return undefined;
        }
        // Once more: what it wrote last, in this file or in a further one.
        this.#epochEnded = true;
        this.#next = this.#findNext();
        continue;
      }
      const gap = await this.#advance(next);
      if (gap) return gap;
    }
  }

  async close(): Promise<void> {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  async #advance(next: string): Promise<OutputPart | undefined> {
    const reason = epochOf(next) === epochOf(this.#name ?? '') ? '' : gapBefore(this.#directory, epochOf(next));
    await this.close();
    this.#name = next;
    this.#position = 0;
    this.#epochEnded = false;
    this.#next = this.#findNext();
    if (reason === '') return undefined;
    this.#gaps += 1;
    return this.#marked({ kind: 'gap', reason, nth: this.#gaps });
  }

  #leavesEpoch(next: string): boolean {
    return this.#name !== undefined && epochOf(this.#name) !== epochOf(next);
  }

  #findNext(): string | undefined {
    if (this.#name !== undefined) return fileAfter(this.#directory, this.#name);
    return listOutputFiles(this.#directory)[0]?.name;
  }

  async #readFile(most: number): Promise<Buffer> {
    if (this.#name === undefined) return Buffer.alloc(0);
    this.#fd ??= this.#open(this.#name);
    if (this.#fd === undefined) return Buffer.alloc(0);
    const { size } = fstatSync(this.#fd);
    const length = Math.min(most, size - this.#position);
    if (length <= 0) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(length);
    // A little that was just written is in memory: a thread for it costs more than the reading.
    if (length < SMALL_READ) return buffer.subarray(0, readSync(this.#fd, buffer, 0, length, this.#position));
    const { bytesRead } = await readLater(this.#fd, buffer, 0, length, this.#position);
    return buffer.subarray(0, bytesRead);
  }

  #open(name: string): number | undefined {
    const opened = openRegular(join(this.#directory, name));
    return opened.ok ? opened.fd : undefined;
  }

  #taken(bytes: Buffer): OutputPart {
    const offset = this.#offset;
    this.#position += bytes.length;
    this.#offset += bytes.length;
    this.#resizes = 0;
    this.#gaps = 0;
    return { offset, bytes };
  }

  /** The first that was not told yet; late, where what came after it was read before it was noted. */
  #nextResize(): Resize | undefined {
    if (this.#changes.takeChanged(RESIZES_FILE)) this.#resizeList = readResizes(this.#directory);
    return this.#resizeList[this.#told];
  }

  #resized({ columns, rows }: Resize): OutputPart {
    this.#told += 1;
    this.#resizes += 1;
    return this.#marked({ kind: 'resize', columns, rows, nth: this.#resizes });
  }

  #marked(mark: TranscriptMark): OutputPart {
    return { offset: this.#offset, bytes: Buffer.alloc(0), mark };
  }
}
