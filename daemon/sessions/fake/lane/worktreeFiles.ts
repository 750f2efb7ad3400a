import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { lookInside, readInside, writeInside } from '../../../../schemas/files/insideRoot.ts';
import { repositoryPathFault } from '../../../../schemas/files/repositoryPath.ts';

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Replaces a file atomically. Two agents that write at once use different drafts. It does not recreate a removed
 * worktree.
 */
export function writeWhole(cwd: string, path: string, content: string): void {
  const written = writeInside(cwd, path, content, 0o644);
  if (!written.ok) throw new Error(written.fault);
}

/** The text of a file; empty if there is none. */
export function readText(cwd: string, path: string): string {
  const read = readInside(cwd, path, MOST_BYTES);
  if (!read.ok && !read.missing) throw new Error(read.fault);
  return read.ok ? read.bytes.toString('utf8') : '';
}

/** False for a link, and for a path that leaves the worktree. */
export function hasFile(cwd: string, path: string): boolean {
  if (repositoryPathFault(path) !== undefined) return false;
  const there = lookInside(cwd, path);
  return there.ok && there.facts.isFile();
}

export function isDirectory(cwd: string, path: string): boolean {
  const there = lookInside(cwd, path);
  return there.ok && there.facts.isDirectory();
}

/** Removes a file that is left without a line. */
export function writeOrRemove(cwd: string, path: string, content: string): void {
  if (content.trim() !== '') writeWhole(cwd, path, content);
  else if (lookInside(cwd, path).ok) rmSync(join(cwd, path));
}
