import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { lookInside, readInside, writeInside } from '../../schemas/files/insideRoot.ts';
import { readRegular, readRegularText } from '../../schemas/files/openRegular.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { orElse } from '../../schemas/orElse.ts';
import { type DirectoryWatch, watchDirectory } from '../system/watchDirectory.ts';

/**
 * A file that a program replaces when it renews it, such as a log-in. A mount cannot be replaced, so the sandbox has a copy,
 * and a change of either becomes one of both.
 */
const Exchanged = z.object({
  /** The person's file. */
  theirs: z.string(),
  /** The own directory of the sandbox with the copy, outside, and the path below it. */
  root: z.string(),
  path: z.string(),
});
export type Exchanged = z.infer<typeof Exchanged>;

const FILE = 'exchanged.json';
/** The hash of what both had last, by path of the person's file. */
const SAME = 'exchanged-last.json';
/** More than any log-in needs. */
const MOST_BYTES = 1024 * 1024;

/** Begins to exchange these files, and does it once. */
export function exchangeFiles(directory: string, files: readonly Exchanged[]): void {
  writeInside(directory, FILE, JSON.stringify(files));
  for (const each of files) exchange(directory, each);
}

/** Exchanges the files of a sandbox whenever one changes, also what changed before. Returns how to stop. */
export async function watchExchanged(directory: string): Promise<() => void> {
  const files = parse(z.array(Exchanged), join(directory, FILE)) ?? [];
  const watches: DirectoryWatch[] = [];
  for (const file of files) {
    const look = () => exchange(directory, file);
    look();
    for (const path of [file.theirs, join(file.root, file.path)]) {
      const onNotice = (name: string | undefined) => {
        if (name === undefined || name === basename(path)) look();
      };
      // Without a watch, the next start exchanges them.
      watches.push(await watchDirectory(dirname(path), onNotice, { make: false, onRefused: () => {} }));
    }
  }
  return () => {
    for (const each of watches) each.close();
  };
}

/**
 * Brings the newer content to the other side. Anything but a JSON object stays where it is: it is half written, or no
 * log-in.
 */
function exchange(directory: string, { theirs, root, path }: Exchanged): void {
  const last = parse(z.record(z.string(), z.string()), join(directory, SAME)) ?? {};
  const outside = contentOf(readRegular(theirs, MOST_BYTES, { follow: true }));
  const own = readInside(root, path, MOST_BYTES);
  const inside = contentOf(own);
  if (own.ok && inside === undefined) return;
  const isRenewedInside =
    inside !== undefined &&
    inside.hash !== last[theirs] &&
    outside !== undefined &&
    (outside.hash === last[theirs] || changedAt(root, path) > changedAt(dirname(theirs), basename(theirs)));
  const newest = isRenewedInside ? inside : outside;
  if (newest === undefined) return;
  if (newest !== inside && newest.hash !== inside?.hash) writeInside(root, path, newest.bytes);
  if (newest !== outside && newest.hash !== outside?.hash) {
    const real = realpathSync.native(theirs);
    writeInside(dirname(real), basename(real), newest.bytes);
  }
  if (newest.hash !== last[theirs]) writeInside(directory, SAME, JSON.stringify({ ...last, [theirs]: newest.hash }));
}

function contentOf(read: ReturnType<typeof readInside>): { bytes: Buffer; hash: string } | undefined {
  if (!read.ok) return undefined;
  try {
    const value: unknown = JSON.parse(read.bytes.toString('utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
  } catch {
    return undefined;
  }
  return { bytes: read.bytes, hash: sha256hex(read.bytes) };
}

function changedAt(root: string, path: string): number {
  const looked = lookInside(root, path);
  if (!looked.ok) return 0;
  return looked.facts.isSymbolicLink() ? statSync(join(root, path)).mtimeMs : looked.facts.mtimeMs;
}

function parse<T>(schema: z.ZodType<T>, path: string): T | undefined {
  return orElse(() => schema.parse(JSON.parse(readRegularText(path, MOST_BYTES) ?? '')));
}
