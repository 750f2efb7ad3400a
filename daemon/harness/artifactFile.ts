import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Far above any artifact of ours; below what would hurt the daemon. */
const LARGEST_BYTES = 16 * 1024 * 1024;

export type ArtifactFile = { ok: true; bytes: Buffer; data: unknown } | { ok: false; fault: string; bytes?: Buffer };

/**
 * Reads what an agent wrote; undefined when it is gone again. A link that leads out of the worktree, a directory, a
 * pipe, a huge or locked file and broken JSON are faults with a sentence that the agent can act upon, never errors of
 * the daemon's.
 */
export async function readArtifact(path: string, worktree: string): Promise<ArtifactFile | undefined> {
  try {
    return await readGuarded(path, worktree);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (!['EACCES', 'EPERM', 'ELOOP', 'ENOTDIR'].includes(code)) throw error;
    return { ok: false, fault: `the file cannot be read (${code})` };
  }
}

async function readGuarded(path: string, worktree: string): Promise<ArtifactFile> {
  const real = await realpath(path);
  const root = await realpath(worktree);
  if (!real.startsWith(join(root, sep)))
    return { ok: false, fault: 'the file is a link that leads out of the worktree' };
  // Before opening: opening a pipe would wait for a writer.
  const facts = await stat(real);
  if (!facts.isFile()) return { ok: false, fault: 'this is not a regular file' };
  if (facts.size > LARGEST_BYTES) return { ok: false, fault: `the file is larger than ${LARGEST_BYTES} bytes` };
  return parse(await readFile(real));
}

function parse(bytes: Buffer): ArtifactFile {
  try {
    return { ok: true, bytes, data: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (error) {
    return { ok: false, fault: `the file is not JSON: ${(error as Error).message}`, bytes };
  }
}
