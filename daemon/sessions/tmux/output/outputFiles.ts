import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../../../schemas/errors.ts';
import { writeInside } from '../../../../schemas/files/insideRoot.ts';
import { readRegular, readRegularText } from '../../../../schemas/files/openRegular.ts';

/**
 * The files that `splitSink` writes, `<epoch>.000000` and so on, as one stream of bytes: a byte's offset is how many were
 * written before it, in the order of epochs and files, since the session began. Old files may go; offsets stay.
 */
export interface OutputFile {
  name: string;
  epoch: string;
  /** The offset of its first byte. */
  start: number;
  size: number;
}

/** The byte at `position` of `file` has that offset, and the files before it are no part of the stream any more. */
interface Anchor {
  file: string;
  position: number;
  offset: number;
}

const PART = /^(.+)\.(\d{6}|[a-z]{6})$/;
const EPOCH = /^(\d+)\.epoch$/;
const ANCHOR = 'offsets.json';
/** Of an anchor or of the reason of a gap. */
const MOST_BYTES = 64 * 1024;
const BEGINNING: Anchor = { file: '', position: 0, offset: 0 };

/**
 * The name for a new sink: `splitSink(directory, newEpoch(directory))`. Each pipe, and each pipe armed again, needs one of
 * its own. `gap` says, in a few words, why output before it may be missing: a sink had died.
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
      // Made, and no room for what it was to say.
      rmSync(path, { force: true });
      throw error;
    }
  }
}

/** Why output may be missing before the first byte of that epoch; empty when none is. */
export function gapBefore(directory: string, epoch: string): string {
  return readRegularText(join(directory, `${epoch}.epoch`), MOST_BYTES)?.trim() ?? '';
}

/** In order, with the sizes of this moment: only the last one of an epoch that is still written grows. */
export function listOutputFiles(directory: string): OutputFile[] {
  const { file, position, offset } = readAnchor(directory);
  let start = offset - position;
  return names(directory)
    .filter((name) => PART.test(name) && order(name, file) >= 0)
    .sort(order)
    .map((name) => {
      const size = sizeOf(join(directory, name));
      // A file after an anchor that was itself removed.
      if (order(name, file) > 0 && start < offset) start = offset;
      const found = { name, epoch: epochOf(name), start, size };
      start += size;
      return found;
    });
}

/** The name of the file that comes after one. */
export function fileAfter(directory: string, name: string): string | undefined {
  return names(directory)
    .filter((each) => PART.test(each) && order(each, name) > 0)
    .sort(order)[0];
}

/** How much was written until now. */
export function outputEnd(directory: string): number {
  const last = listOutputFiles(directory).at(-1);
  return last ? last.start + last.size : readAnchor(directory).offset;
}

/** Deletes the files that lie wholly before an offset; the newest file stays. */
export function forgetBefore(directory: string, offset: number): void {
  const files = listOutputFiles(directory);
  const kept = files.findIndex(({ start, size }, index) => start + size > offset || index === files.length - 1);
  const first = files[kept];
  if (kept <= 0 || first === undefined) return;
  // First the anchor: killed in between, the files are left out, and deleted the next time.
  writeAnchor(directory, { file: first.name, position: 0, offset: first.start });
  for (const name of names(directory)) {
    const isOld = PART.test(name) ? order(name, first.name) < 0 : isOldEpoch(name, first.epoch);
    if (isOld) rmSync(join(directory, name), { force: true });
  }
}

/**
 * After a loss (files that a power cut took, a directory that was emptied): what is written from now on begins at that
 * offset, which is past the end of all there is.
 */
export function continueAt(directory: string, offset: number): void {
  const last = listOutputFiles(directory).at(-1);
  writeAnchor(directory, { file: last?.name ?? '', position: last?.size ?? 0, offset });
}

export function epochOf(name: string): string {
  return PART.exec(name)?.[1] ?? '';
}

/** By epoch, then by number: `a.000000` comes before `a-b.000000`, which a comparison of the names would not do. */
function order(a: string, b: string): number {
  return compare(epochOf(a), epochOf(b)) || compare(a, b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
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
    throw new DevflowError('path_unsafe', `${join(directory, ANCHOR)} cannot be written: ${written.fault}.`);
}
