import { lstat, readdir } from 'node:fs/promises';
import { pathIn, textOf } from '../git/pathBytes.ts';
import { NONE, type TreeChange } from './treeChanges.ts';

/**
 * Files at the paths of new files, ignored ones too. A file that the same change removes is no obstacle. Nor is a
 * directory if the change removes all files in it.
 */
export async function obstacles(root: string, changes: readonly TreeChange[]): Promise<string[]> {
  const leaving = new Set(changes.filter(({ newMode }) => newMode === NONE).map(({ path }) => path));
  const found = new Set<string>();
  const clear = new Set<string>();
  for (const { path } of changes.filter(({ oldMode }) => oldMode === NONE)) {
    const parts = path.split('/');
    let free = false;
    for (let depth = 1; depth < parts.length && !free; depth++) {
      const parent = parts.slice(0, depth).join('/');
      if (clear.has(parent)) continue;
      const facts = await lstat(pathIn(root, parent)).catch(() => undefined);
      if (facts?.isDirectory()) clear.add(parent);
      else {
        if (facts && !leaving.has(parent)) found.add(parent);
        free = true;
      }
    }
    if (free) continue;
    const facts = await lstat(pathIn(root, path)).catch(() => undefined);
    if (facts?.isDirectory())
      for (const inside of await filesIn(root, path)) if (!leaving.has(inside)) found.add(inside);
    if (facts && !facts.isDirectory()) found.add(path);
  }
  return [...found].map((path) => textOf(path));
}

async function filesIn(root: string, directory: string): Promise<string[]> {
  const entries = await readdir(pathIn(root, directory), { withFileTypes: true, encoding: 'buffer' });
  const lists = entries.map((entry) => {
    const path = `${directory}/${entry.name.toString('latin1')}`;
    return entry.isDirectory() ? filesIn(root, path) : [path];
  });
  return (await Promise.all(lists)).flat();
}
