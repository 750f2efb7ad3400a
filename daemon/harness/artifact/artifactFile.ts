import { relative } from 'node:path';
import { readInside } from '../../../schemas/files/insideRoot.ts';

/** Far larger than any artifact, and small enough for the daemon's memory. */
export const LARGEST_BYTES = 16 * 1024 * 1024;

export type ArtifactFile = { ok: true; bytes: Buffer; data: unknown } | { ok: false; fault: string; bytes?: Buffer };

/**
 * Reads what an agent wrote; undefined if the file is gone. A link, a directory, a pipe, a huge or unreadable file and broken
 * JSON are faults, with a sentence that the agent can act on. None is an error of the daemon.
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
