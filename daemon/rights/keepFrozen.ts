import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside, readInside, visitInside, writeInside } from '../../schemas/files/insideRoot.ts';
import type { FrozenFile } from './readRights.ts';

/**
 * Makes the directory contain exactly these files. Hooks and servers of agents run them, so whatever an agent changed or
 * added there is undone. A file that is as it should be stays untouched: it may be running.
 */
export function keepFrozen(directory: string, files: ReadonlyMap<string, FrozenFile>): void {
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(directory, { force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  removeOthers(directory, '', expectedIn(files));
  for (const [path, { bytes, executable }] of files) {
    const mode = executable ? 0o500 : 0o400;
    if (isAsFrozen(directory, path, bytes, mode)) continue;
    const written = writeInside(directory, path, bytes, mode);
    if (!written.ok)
      throw new DevflowError('path_unsafe', `${join(directory, path)} cannot be written: ${written.fault}.`);
  }
}

/** The names in each directory, and of each whether it is a directory. */
function expectedIn(files: ReadonlyMap<string, unknown>): Map<string, Map<string, boolean>> {
  const expected = new Map<string, Map<string, boolean>>();
  for (const path of files.keys()) {
    const names = path.split('/');
    for (const [at, name] of names.entries()) {
      const parent = names.slice(0, at).join('/');
      const there = expected.get(parent) ?? new Map<string, boolean>();
      expected.set(parent, there.set(name, at < names.length - 1));
    }
  }
  return expected;
}

function removeOthers(root: string, path: string, expected: ReadonlyMap<string, ReadonlyMap<string, boolean>>): void {
  const wanted = expected.get(path) ?? new Map<string, boolean>();
  const below: string[] = [];
  visitInside(root, path, (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const isDirectory = wanted.get(entry.name);
      const isGood = isDirectory === undefined ? false : isDirectory ? entry.isDirectory() : entry.isFile();
      // A link is removed itself, never what it leads to.
      if (!isGood) rmSync(join(directory, entry.name), { recursive: true, force: true });
      else if (isDirectory) below.push(path === '' ? entry.name : `${path}/${entry.name}`);
    }
  });
  for (const each of below) removeOthers(root, each, expected);
}

function isAsFrozen(root: string, path: string, bytes: Buffer, mode: number): boolean {
  const looked = lookInside(root, path);
  if (!looked.ok || (looked.facts.mode & 0o777) !== mode) return false;
  const read = readInside(root, path, bytes.length);
  return read.ok && read.bytes.equals(bytes);
}
