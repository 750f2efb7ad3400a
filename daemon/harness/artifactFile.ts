import { relative } from 'node:path';
import { readInside } from '../../schemas/insideRoot.ts';

/** Far above any artifact of ours; below what would hurt the daemon. */
export const LARGEST_BYTES = 16 * 1024 * 1024;

export type ArtifactFile = { ok: true; bytes: Buffer; data: unknown } | { ok: false; fault: string; bytes?: Buffer };

/**
 * Reads what an agent wrote; undefined when it is gone again. A link, a directory, a pipe, a huge or locked file and
 * broken JSON are faults with a sentence that the agent can act upon, never errors of the daemon's.
 */
export async function readArtifact(path: string, worktree: string): Promise<ArtifactFile | undefined> {
  const read = readInside(worktree, relative(worktree, path), LARGEST_BYTES);
  if (read.ok) return parse(read.bytes);
  return read.missing ? undefined : { ok: false, fault: read.fault };
}

function parse(bytes: Buffer): ArtifactFile {
  try {
    return { ok: true, bytes, data: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (error) {
    return { ok: false, fault: `the file is not JSON: ${(error as Error).message}`, bytes };
  }
}
