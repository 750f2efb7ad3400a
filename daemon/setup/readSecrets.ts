import { readdirSync } from 'node:fs';
import { lookInside, readInside, visitInside } from '../../schemas/files/insideRoot.ts';
import { mayHoldSecrets } from '../policy/rules/secrets.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { secretsIn } from './secretsIn.ts';
import { type PlacedPath, readSetupState } from './setupState.ts';

const MOST_BYTES = 256 * 1024;
const MOST_FILES = 200;
const MOST_NAMES = 2_000;
const MOST_DEPTH = 5;

/** Both places of a worktree: a copy keeps the old values. */
type Places = Pick<PrivateGit, 'path' | 'repoPath'>;

/** The likely secrets in files that were copied or linked into a worktree, such as `.env`. */
export async function readSecrets(privateGit: Places & Pick<PrivateGit, 'gitDir'>): Promise<string[]> {
  return secretsOf(privateGit, (await readSetupState(privateGit)).placed);
}

/** Those in these paths. A cloned directory has packages, and none of its files are read. */
export function secretsOf(
  { path: worktree, repoPath }: Places,
  placed: readonly Pick<PlacedPath, 'path' | 'how'>[],
): string[] {
  const paths = placed.filter(({ how }) => how !== 'cloned').map(({ path }) => path);
  const values = [repoPath, worktree].flatMap((root) =>
    filesOf(root, paths).flatMap((path) => {
      const read = readInside(root, path, MOST_BYTES);
      return read.ok ? secretsIn(read.bytes.toString('utf8')) : [];
    }),
  );
  return [...new Set(values)];
}

/** The most likely first, because only so many are read. */
function filesOf(root: string, paths: readonly string[]): string[] {
  const files: string[] = [];
  const found: Found = { likely: [], perhaps: [] };
  for (const path of paths) {
    const looked = lookInside(root, path);
    if (looked.ok && looked.facts.isDirectory()) findIn(root, path, found, { names: MOST_NAMES }, 1);
    else files.push(path);
  }
  return [...files, ...found.likely, ...found.perhaps].slice(0, MOST_FILES);
}

type Found = Record<'likely' | 'perhaps', string[]>;

/** The files in a directory whose names say that they have secrets. */
function findIn(root: string, path: string, found: Found, left: { names: number }, depth: number): void {
  const directories: string[] = [];
  visitInside(root, path, (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      left.names -= 1;
      if (left.names < 0) return;
      const file = `${path}/${entry.name}`;
      // Of other files, a word of a fixture or a list would be masked everywhere.
      const how = entry.isDirectory() ? undefined : mayHoldSecrets(file);
      if (entry.isDirectory()) directories.push(file);
      else if (how) found[how].push(file);
    }
  });
  if (depth < MOST_DEPTH) for (const each of directories) findIn(root, each, found, left, depth + 1);
}
