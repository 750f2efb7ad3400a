import { readdirSync } from 'node:fs';
import { lookInside, visitInside } from '../../../schemas/files/insideRoot.ts';
import type { RunnablePlace } from '../tmux/profile/profile.ts';
import { readText } from './worktreeFiles.ts';

const MOST_BYTES = 1024 * 1024;

/** The paths of the worktree from which a program would run something: hooks, plugins, servers, permission rules. */
export function findRunnable(worktree: string, places: readonly RunnablePlace[]): string[] {
  return places.flatMap((place) => {
    const looked = lookInside(worktree, place.path);
    if (!looked.ok) return looked.missing ? [] : [place.path];
    if ('unless' in place) return looked.facts.isDirectory() ? otherEntries(worktree, place) : [place.path];
    const read = place.when && readText(worktree, place.path, MOST_BYTES);
    return read?.ok && !place.when?.test(read.text) ? [] : [place.path];
  });
}

function otherEntries(worktree: string, { path, unless }: { path: string; unless: readonly string[] }): string[] {
  const found: string[] = [];
  const visited = visitInside(worktree, path, (directory) => {
    for (const name of readdirSync(directory)) if (!unless.includes(name)) found.push(`${path}/${name}`);
  });
  return visited.ok ? found.sort() : [path];
}
