import { dirname, join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { readRegular } from '../../../schemas/files/openRegular.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { LARGEST_BYTES, readArtifact } from './artifactFile.ts';
import { storeArtifact } from './artifactStore.ts';

/** An artifact from the log: the places of its bytes, and their hash. */
export interface JudgedArtifact {
  path: string;
  storedPath: string | null;
  hash: string;
}

/** Stores a validated artifact under its name, and a spare copy under its hash in case somebody changes the first. */
export async function keepArtifact(storedPath: string, worktree: string, bytes: Buffer): Promise<void> {
  await storeArtifact(spareOf(worktree, sha256hex(bytes)), bytes);
  await storeArtifact(storedPath, bytes);
}

/**
 * The only way to read a judged artifact: its bytes with the recorded hash, or undefined. It restores a changed or removed
 * copy from the spare copy, or from the agent's own file if that is unchanged.
 */
export async function readJudged(artifact: JudgedArtifact, worktree: string): Promise<Buffer | undefined> {
  const { storedPath, hash } = artifact;
  const isIt = (bytes: Buffer | undefined) => bytes !== undefined && sha256hex(bytes) === hash;
  const read = (path: string) => {
    const there = readRegular(path, LARGEST_BYTES);
    return there.ok ? there.bytes : undefined;
  };
  const stored = storedPath === null ? undefined : read(storedPath);
  if (isIt(stored)) return stored;
  const candidates = [read(spareOf(worktree, hash)), (await readArtifact(artifact.path, worktree))?.bytes];
  const found = candidates.find(isIt);
  // The bytes are usable even if the restore fails.
  if (found && storedPath !== null) await storeArtifact(storedPath, found).catch(() => {});
  return found;
}

/** Like `readJudged`, but throws `artifact_changed` if the bytes are lost. */
export async function getJudged(artifact: JudgedArtifact, worktree: string): Promise<Buffer> {
  const bytes = await readJudged(artifact, worktree);
  if (bytes) return bytes;
  throw new DevflowError('artifact_changed', lostSentence(artifact));
}

export function lostSentence({ storedPath, path }: Pick<JudgedArtifact, 'storedPath' | 'path'>): string {
  return `The file ${storedPath ?? path} changed after validation, and devflow has no unchanged copy.`;
}

/** Beside the worktree, in the run's own directory. No phase key begins with a dot. */
function spareOf(worktree: string, hash: string): string {
  return join(dirname(worktree), 'artifacts', '.bytes', hash);
}
