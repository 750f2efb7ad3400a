import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../../../schemas/errors.ts';
import { writeInside } from '../../../../schemas/files/insideRoot.ts';
import { readRegular, readRegularText } from '../../../../schemas/files/openRegular.ts';
import { compareText } from '../../../../schemas/text/compareText.ts';

/**
 * The files that `splitSink` writes, `<epoch>.000000` and so on, form one stream of bytes. A byte's offset counts all
 * bytes before it since the session began, in the order of epochs and files. Old files may be deleted; offsets stay.
 */
export interface OutputFile {
  name: string;
  epoch: string;
  /** The offset of its first byte. */
  start: number;
  size: number;
}

/** The byte at `position` of `file` has this offset. Files before it no longer belong to the stream. */
interface Anchor {
  file: string;
  position: number;
  offset: number;
}

const PART = /^(.+)\.(\d{6}|[a-z]{6})$/;
const EPOCH = /^(\d+)\.epoch$/;
const ANCHOR = 'offsets.json';
/** For an anchor, or for the reason of a gap. */
const MOST_BYTES = 64 * 1024;
const BEGINNING: Anchor = { file: '', position: 0, offset: 0 };

/**
 * The name for a new capture: `splitSink(directory, newEpoch(directory))`. Each pipe needs its own, also one that is
 * armed again. `gap` says in a few words why earlier output may be missing.
 */
export function newEpoch(directory: string, gap = ''): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const known = names(directory).map((name) => Number(EPOCH.exec(name)?.[1] ?? PART.exec(name)?.[1] ?? 0));
  const anchored = Number(PART.exec(readAnchor(directory).file)?.[1] ?? 0);
  for (let next = Math.max(0, ...[...known, anchored].filter(Number.isInteger)) + 1; ; next += 1) {
    const epoch = String(next).padStart(8, '0');
    const path = join(directory, `${epoch}.epoch`);
    try {
      writeFileSync(path, gap, { flag: 'wx', mode: 0o600 });
      return epoch;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      // The file was created, but the disk had no room for the reason.
      rmSync(path, { force: true });
      throw error;
    }
  }
}

/** Why output may be missing before this epoch; empty if none is. */
export function gapBefore(directory: string, epoch: string): string {
  return readRegularText(join(directory, `${epoch}.epoch`), MOST_BYTES)?.trim() ?? '';
}

/** In order, with current sizes: only the last file of an epoch under way grows. */
export function listOutputFiles(directory: string): OutputFile[] {
  const { file, position, offset } = readAnchor(directory);
  let start = offset - position;
  return names(directory)
    .filter((name) => PART.test(name) && order(name, file) >= 0)
    .sort(order)
    .map((name) => {
      const size = sizeOf(join(directory, name));
      // The anchor's own file was removed; this one follows it.
      if (order(name, file) > 0 && start < offset) start = offset;
      const found = { name, epoch: epochOf(name), start, size };
      start += size;
      return found;
    });
}

/** The name of the next file. */
export function fileAfter(directory: string, name: string): string | undefined {
  return names(directory)
    .filter((each) => PART.test(each) && order(each, name) > 0)
    .sort(order)[0];
}

/** The offset after the last byte written so far. */
export function outputEnd(directory: string): number {
  const last = listOutputFiles(directory).at(-1);
  return last ? last.start + last.size : readAnchor(directory).offset;
}

/** Deletes the files that lie wholly before an offset, but never the newest file. */
export function forgetBefore(directory: string, offset: number): void {
  const files = listOutputFiles(directory);
  const kept = files.findIndex(({ start, size }, index) => start + size > offset || index === files.length - 1);
  const first = files[kept];
  if (kept <= 0 || first === undefined) return;
  // The anchor first: after a crash in between, the files are ignored and deleted the next time.
  writeAnchor(directory, { file: first.name, position: 0, offset: first.start });
  for (const name of names(directory)) {
    const isOld = PART.test(name) ? order(name, first.name) < 0 : isOldEpoch(name, first.epoch);
    if (isOld) rmSync(join(directory, name), { force: true });
  }
}

/** After a loss (a power cut, an emptied directory), new output begins at this offset, past all that exists. */
export function continueAt(directory: string, offset: number): void {
  const last = listOutputFiles(directory).at(-1);
  writeAnchor(directory, { file: last?.name ?? '', position: last?.size ?? 0, offset });
}

export function epochOf(name: string): string {
  return PART.exec(name)?.[1] ?? '';
}

/** By epoch, then by number: `a.000000` comes before `a-b.000000`, which comparing names would not give. */
function order(a: string, b: string): number {
  return compareText(epochOf(a), epochOf(b)) || compareText(a, b);
}

function isOldEpoch(name: string, epoch: string): boolean {
  const found = EPOCH.exec(name)?.[1];
  return found !== undefined && found < epoch;
}

/** 0 for anything but a regular file. */
function sizeOf(path: string): number {
  const facts = lstatSync(path);
  return facts.isFile() ? facts.size : 0;
}

function names(directory: string): string[] {
  return readdirSync(directory);
}

function readAnchor(directory: string): Anchor {
  const read = readRegular(join(directory, ANCHOR), MOST_BYTES);
  return read.ok ? (JSON.parse(read.bytes.toString('utf8')) as Anchor) : BEGINNING;
}

function writeAnchor(directory: string, anchor: Anchor): void {
  const written = writeInside(directory, ANCHOR, JSON.stringify(anchor));
  if (!written.ok)
    throw new DevflowError('path_unsafe', `${join(directory, ANCHOR)} could not be written: ${written.fault}.`);
}
