import { dirname } from 'node:path';
import type { DocumentWrite } from '../../../schemas/contracts/cycle/documents/documentsOf.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { lookInside, readInside, writeInside } from '../../../schemas/files/insideRoot.ts';
import { LARGEST_BYTES } from '../readTree.ts';
import { writeWhole } from '../writeWhole.ts';

/** Throws before anything is written, if a document cannot be: a link or a directory is in its place. */
export function requireWritable(repo: string, writes: readonly DocumentWrite[]): void {
  for (const write of writes) {
    const { path } = write;
    requireDirectory(repo, dirname(path));
    if (write.kind === 'replace' && write.history) requireDirectory(repo, dirname(write.history.stem));
    readOld(repo, path);
  }
}

/** Writes the documents. Returns the paths of all files that it wrote. */
export function writeDocuments(repo: string, writes: readonly DocumentWrite[]): string[] {
  return writes.flatMap((write) => {
    const { path, text } = write;
    const old = readOld(repo, path);
    if (write.kind === 'replace') {
      const kept = old === undefined || !write.history ? [] : keep(repo, old, write.history);
      writeWhole(repo, path, text);
      return [...kept, path];
    }
    writeBytes(repo, path, appended(old, text));
    return [path];
  });
}

/** A line that was torn off stays a line of its own. */
function appended(old: Buffer | undefined, text: string): Buffer {
  if (old === undefined || old.length === 0) return Buffer.from(text);
  const isTorn = old[old.length - 1] !== '\n'.charCodeAt(0);
  return Buffer.concat([old, Buffer.from(isTorn ? `\n${text}` : text)]);
}

/** Keeps an old document under the first name that is free. A document is not kept twice. */
function keep(repo: string, bytes: Buffer, { stem, extension }: { stem: string; extension: string }): string[] {
  for (let number = 1; ; number += 1) {
    const path = `${stem}${number === 1 ? '' : `-${number}`}${extension}`;
    const found = lookInside(repo, path);
    if (!found.ok && found.missing) {
      writeBytes(repo, path, bytes);
      return [path];
    }
    const kept = readInside(repo, path, LARGEST_BYTES);
    if (kept.ok && kept.bytes.equals(bytes)) return [];
  }
}

/** The bytes of a document; undefined if there is none yet. */
function readOld(repo: string, path: string): Buffer | undefined {
  const file = readInside(repo, path, LARGEST_BYTES);
  if (file.ok) return file.bytes;
  if (file.missing) return undefined;
  throw unsafe(path, file.fault);
}

function requireDirectory(repo: string, path: string): void {
  const found = lookInside(repo, path);
  if (found.ok ? found.facts.isDirectory() : found.missing) return;
  throw unsafe(path, found.ok ? 'it is no directory, or a link' : found.fault);
}

function writeBytes(repo: string, path: string, bytes: Buffer): void {
  const written = writeInside(repo, path, bytes, 0o644, 0o755);
  if (!written.ok) throw unsafe(path, written.fault);
}

function unsafe(path: string, fault: string): DevflowError {
  return new DevflowError('path_unsafe', `devflow cannot write ${path}: ${fault}.`);
}
