import { type Dirent, opendirSync } from 'node:fs';

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
