import { relative } from 'node:path';
import { readInside } from '../../schemas/files/insideRoot.ts';

/** Far larger than any artifact, and small enough for the daemon's memory. */
export const LARGEST_BYTES = 16 * 1024 * 1024;

export type ArtifactFile = { ok: true; bytes: Buffer } | { ok: false; fault: string };

/**
 * Reads the file of an agent; undefined if it is gone. A link, a directory, a pipe and a huge or unreadable file are
 * faults. Each fault is a sentence that the agent can act on. None is an error of the daemon.
 */
export async function readArtifact(path: string, worktree: string): Promise<ArtifactFile | undefined> {
  const read = readInside(worktree, relative(worktree, path), LARGEST_BYTES);
  if (read.ok) return { ok: true, bytes: read.bytes };
  return read.missing ? undefined : { ok: false, fault: read.fault };
}
