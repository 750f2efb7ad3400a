import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../../schemas/files/removeTree.ts';
import { sandboxDirOf } from './ownPlaces.ts';

/** Removes the own directories of all sandboxes of an ended run: homes, temporary files, states of agent programs. */
export async function removeSandboxes({ runDir, sessionsDir }: { runDir: string; sessionsDir: string }): Promise<void> {
  const sessions = await readdir(sessionsDir).catch(() => []);
  const directories = [sandboxDirOf(runDir), ...sessions.map((name) => sandboxDirOf(join(sessionsDir, name)))];
  for (const directory of directories) await removeTree(directory);
}
