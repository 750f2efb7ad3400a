import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxDirOf } from './ownPlaces.ts';

/** Removes the own directories of all sandboxes of an ended run: homes, temporary files, states of agent programs. */
export async function removeSandboxes({ runDir, sessionsDir }: { runDir: string; sessionsDir: string }): Promise<void> {
  const sessions = await namesIn(sessionsDir);
  const directories = [sandboxDirOf(runDir), ...sessions.map((name) => sandboxDirOf(join(sessionsDir, name)))];
  for (const directory of directories) await removeTree(directory);
}

/** Programs make directories that nobody may change, such as Go for its modules. */
async function removeTree(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true }).catch(async () => {
    await openAll(directory);
    await rm(directory, { recursive: true, force: true });
  });
}

async function openAll(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await openAll(join(directory, entry.name));
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch {
    return [];
  }
}
