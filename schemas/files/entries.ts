import { type Dirent, opendirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The first so many entries of a directory, by name. One directory may have millions. */
export function firstEntries(directory: string, most: number): Dirent[] {
  const opened = opendirSync(directory, { bufferSize: 1024 });
  try {
    const found: Dirent[] = [];
    for (let each = opened.readSync(); each && found.length < most; each = opened.readSync()) found.push(each);
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    opened.closeSync();
  }
}

/** Node puts this sign for bytes that are no UTF-8. A path with it leads to no file. */
const MISREAD = '\uFFFD';

/** The name of an entry as bytes, if it was no UTF-8 when the directory was listed. */
export function rawName(directory: string, name: string): Buffer | undefined {
  if (!name.includes(MISREAD)) return undefined;
  return readdirSync(directory, { encoding: 'buffer' }).find((each) => each.toString() === name);
}

/** The path of an entry for calls of the file system. */
export function rawPath(directory: string, name: string, raw = rawName(directory, name)): string | Buffer {
  return raw === undefined ? join(directory, name) : Buffer.concat([Buffer.from(`${directory}/`), raw]);
}
