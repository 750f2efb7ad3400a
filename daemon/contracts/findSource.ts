import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { isSourceFile, mayHaveSource } from '../../schemas/contracts/autodev/sourceFiles.ts';
import { firstEntries } from '../../schemas/files/entries.ts';
import { orElse } from '../../schemas/orElse.ts';

/** Deeper directories, and further entries, are not looked at. */
const DEEPEST = 6;
const MOST_ENTRIES = 20_000;
/** Limits each directory: one with data must not hide its neighbours. */
const MOST_OF_ONE = 2_000;

/** The first file with source code, level by level; null if a repository has none. It follows no link. */
export function findSource(repo: string): string | null {
  let level = [''];
  let seen = 0;
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const directory of level) {
      for (const entry of entriesOf(join(repo, directory))) {
        seen += 1;
        if (seen > MOST_ENTRIES) return null;
        const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
        if (entry.isFile() && isSourceFile(path)) return path;
        if (entry.isDirectory() && mayHaveSource(entry.name)) next.push(path);
      }
    }
    level = next;
  }
  return null;
}

function entriesOf(directory: string): Dirent[] {
  return orElse(() => firstEntries(directory, MOST_OF_ONE), []);
}
