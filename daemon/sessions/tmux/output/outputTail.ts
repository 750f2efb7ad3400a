import { closeSync, fstatSync, mkdirSync, read, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openRegular } from '../../../../schemas/files/openRegular.ts';
import type { TranscriptChunk, TranscriptMark } from '../../contract/adapter.ts';
import { isCaptureRunning } from './captureProcess.ts';
import { type DirectoryChanges, followChanges } from './directoryChanges.ts';
import { continueAt, epochOf, fileAfter, gapBefore, listOutputFiles, outputEnd } from './outputFiles.ts';
import { createPace } from './pace.ts';
import { RESIZES_FILE, type Resize, readResizes } from './resizes.ts';

export interface OutputPart {
  /** The offset of the first byte, or of the mark. */
  offset: number;
  /** At most 64 KB; empty for a mark. */
  bytes: Buffer;
  mark?: TranscriptMark;
}

export interface TailOptions {
  /** Where `splitSink` writes; created if missing. */
  directory: string;
  fromOffset: number;
  /** Stops reading at once. */
  signal?: AbortSignal;
  /**
   * Stops reading once everything is read and no capture process runs, or after two silent seconds: the pane is gone.
   */
  drain?: AbortSignal;
  /** The interval of looks while the pane prints constantly. Default: `STATE_MS`. */
  steadyMs?: number;
  /** The longest wait for a capture process of an earlier epoch that stores nothing. Default: `LEFT_MS`. */
  leftMs?: number;
  /** The time of constant printing before that. Default: that of `createPace`. */
  steadyAfterMs?: number;
  /** Leaves out the marks, for a reader that does not need them. */
  unmarked?: boolean;
}

/** A new title, or a paste mode, is seen within this time while the pane prints without pause. */
export const STATE_MS = 80;
/** Nobody needs the transcript so soon: it is gathered for longer before it is stored. */
const TRANSCRIPT_MS = 3 * STATE_MS;

const readLater = promisify(read);

const LARGEST_READ = 64 * 1024;
const SMALL_READ = 8 * 1024;
/** A burst is read at once. */
const BURST_MS = 20;
/** The longest wait for a silent capture process once its pane is gone. */
const DRAIN_MS = 2000;
/**
 * The capture process of an earlier epoch ends with its pane. It stays if its tmux server lives on and cannot be reached:
 * the socket was removed. The reader then goes on to the newer output, with a mark.
 */
const LEFT_MS = 10_000;
const LEFT_GAP = 'the process that stored the earlier output still ran, for a pane that devflow no longer reads';
/** After new output the reader looks again after these times, in case a notification was lost. A quiet pane costs nothing. */
const LOOK_AGAIN_MS = [1000, 5000];

/**
 * All output of a directory from an offset on, then new output. A mark stands where the pane changed its size or lost
 * output. No byte is left out between files or epochs, and none is read before the caller asks for it.
 */
export async function* tailOutput(options: TailOptions): AsyncGenerator<OutputPart> {
  const {
    directory,
    fromOffset,
    signal,
    drain,
    steadyMs = STATE_MS,
    steadyAfterMs,
    unmarked,
    leftMs = LEFT_MS,
  } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // First of all: new output comes after the lost output.
  if (fromOffset > outputEnd(directory)) continueAt(directory, fromOffset);
  const changes = await followChanges(directory);
  const reader = new Reader(directory, changes, { unmarked: unmarked === true, leftMs });
  const pace = createPace(steadyMs, performance.now(), steadyAfterMs);
  for (const each of [signal, drain]) each?.addEventListener('abort', changes.wake);
  try {
    reader.seek(fromOffset);
    for (let [looks, ended, isSilent] = [0, false, true]; !signal?.aborted; ) {
      changes.clear();
      const part = await reader.read();
      if (part) {
        looks = 0;
        isSilent = false;
        pace.took(part.bytes.length);
        yield part;
      } else if (ended) {
        return;
      } else if (drain?.aborted) {
        // Read once more after the process ended: its last output.
        looks += 1;
        reader.hurry();
        ended = !isCaptureRunning(`${directory}/`) || looks > DRAIN_MS / BURST_MS;
        changes.doubt();
        if (!ended) await pause(BURST_MS);
      } else {
        const steady = pace.next(performance.now());
        await changes.notify(steady === undefined);
        const isLate = await changes.wait(steady ?? LOOK_AGAIN_MS[looks]);
        if (steady !== undefined) {
          // While its file grows, the pane has no other.
          changes.look(isSilent);
          isSilent = true;
          continue;
        }
        if (isLate) changes.doubt();
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

/**
 * A directory of output in the form of `SessionAdapter.capture`. This second tail may lag behind the observer's as far
 * as its reader does. It continues from one program of the session to the next.
 */
export async function* captureOutput(options: TailOptions): AsyncGenerator<TranscriptChunk> {
  for await (const { offset, bytes, mark } of tailOutput({ steadyMs: TRANSCRIPT_MS, ...options })) {
    const endOffset = BigInt(offset + bytes.length);
    const chunk = { seq: endOffset, content: '', capturedAt: new Date(), endOffset };
    yield mark ? { ...chunk, mark } : { ...chunk, bytes };
  }
}

class Reader {
  readonly #directory: string;
  readonly #changes: DirectoryChanges;
  readonly #unmarked: boolean;
  #leftMs: number;
  /** Since when it waits for the capture process of the current file's epoch. */
  #leavingSince: number | undefined;
  #name: string | undefined;
  #next: string | undefined;
  /** No capture process still writes the current file's epoch. */
  #epochEnded = false;
  #resizeList: Resize[] = [];
  /** The number of resizes given out, or before the start of reading. */
  #resizesGiven = 0;
  #fd: number | undefined;
  #position = 0;
  #offset = 0;
  /** Marks given out so far at this offset. */
  #resizesHere = 0;
  #gaps = 0;

  constructor(
    directory: string,
    changes: DirectoryChanges,
    { unmarked, leftMs }: { unmarked: boolean; leftMs: number },
  ) {
    this.#directory = directory;
    this.#changes = changes;
    this.#unmarked = unmarked;
    this.#leftMs = leftMs;
  }

  /** Goes to the end of the earlier file, not the start of the next: a mark may stand between them. */
  seek(offset: number): void {
    const files = listOutputFiles(this.#directory);
    const file = files.find(({ start, size }) => offset <= start + size);
    this.#offset = Math.max(offset, file?.start ?? 0, files[0]?.start ?? 0);
    this.#name = file?.name;
    this.#position = file ? this.#offset - file.start : 0;
    this.#resizesGiven = readResizes(this.#directory).filter((resize) => resize.offset < this.#offset).length;
  }

  /** The next part; undefined if there is none now. */
  async read(): Promise<OutputPart | undefined> {
    for (;;) {
      const resize = this.#nextResize();
      if (resize && resize.offset <= this.#offset) return this.#resized(resize);
      const most = resize ? Math.min(LARGEST_READ, resize.offset - this.#offset) : LARGEST_READ;
      // Look before reading: once there is a next file, this one no longer grows.
      if (this.#changes.takeCreated()) this.#next = this.#findNext();
      const next = this.#next;
      const bytes = await this.#readFile(most);
      if (bytes.length > 0) return this.#taken(bytes);
      if (next === undefined) return undefined;
      let left = '';
      if (this.#leavesEpoch(next) && !this.#epochEnded) {
        const isStored = isCaptureRunning(`${this.#directory}/${epochOf(this.#name ?? '')}.`);
        if (isStored && !this.#hasWaited()) {
          setTimeout(this.#changes.wake, BURST_MS).unref();
          return undefined;
        }
        if (!isStored) {
          // Once more: the process's last output, in this file or in a further one.
          this.#epochEnded = true;
          this.#next = this.#findNext();
          continue;
        }
        left = LEFT_GAP;
      }
      const gap = await this.#advance(next, left);
      if (gap) return gap;
    }
  }

  /** The pane is gone: newer output must be read within the time for the rest. */
  hurry(): void {
    this.#leftMs = Math.min(this.#leftMs, DRAIN_MS / 2);
  }

  async close(): Promise<void> {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** True if the earlier capture process was silent for too long while newer output waits. */
  #hasWaited(): boolean {
    this.#leavingSince ??= performance.now();
    return performance.now() - this.#leavingSince >= this.#leftMs;
  }

  async #advance(next: string, left: string): Promise<OutputPart | undefined> {
    const noted = epochOf(next) === epochOf(this.#name ?? '') ? '' : gapBefore(this.#directory, epochOf(next));
    const reason = noted || left;
    await this.close();
    this.#name = next;
    this.#position = 0;
    this.#epochEnded = false;
    this.#leavingSince = undefined;
    this.#next = this.#findNext();
    if (reason === '' || this.#unmarked) return undefined;
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
    // A little new output is in the page cache: a thread would cost more than the read.
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
    this.#leavingSince = undefined;
    this.#position += bytes.length;
    this.#offset += bytes.length;
    this.#resizesHere = 0;
    this.#gaps = 0;
    return { offset, bytes };
  }

  /** The first resize that was not given out. It is late if the output after it was read before it was noted. */
  #nextResize(): Resize | undefined {
    if (this.#unmarked) return undefined;
    if (this.#changes.takeChanged(RESIZES_FILE)) this.#resizeList = readResizes(this.#directory);
    return this.#resizeList[this.#resizesGiven];
  }

  #resized({ columns, rows }: Resize): OutputPart {
    this.#resizesGiven += 1;
    this.#resizesHere += 1;
    return this.#marked({ kind: 'resize', columns, rows, nth: this.#resizesHere });
  }

  #marked(mark: TranscriptMark): OutputPart {
    return { offset: this.#offset, bytes: Buffer.alloc(0), mark };
  }
}
