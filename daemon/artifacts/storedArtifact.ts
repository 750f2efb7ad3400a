import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isDiskFull } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { readInside, writeInside } from '../../schemas/files/insideRoot.ts';
import { readRegular } from '../../schemas/files/openRegular.ts';
import { runDirWith } from '../../schemas/files/runPaths.ts';
import { sha256hex } from '../../schemas/hash.ts';

/** Far larger than any artifact, and small enough for the daemon's memory. */
export const LARGEST_BYTES = 16 * 1024 * 1024;

type ArtifactFile = { ok: true; bytes: Buffer } | { ok: false; fault: string };

/**
 * Reads the file of an agent; undefined if it is gone. A link, a directory, a pipe and a huge or unreadable file are
 * faults. Each fault is a sentence that the agent can act on. None is an error of the daemon.
 */
export async function readArtifact(path: string, worktree: string): Promise<ArtifactFile | undefined> {
  const read = readInside(worktree, relative(worktree, path), LARGEST_BYTES);
  if (read.ok) return { ok: true, bytes: read.bytes };
  return read.missing ? undefined : { ok: false, fault: read.fault };
}

/** A validated artifact of the log: its paths and its hash. */
export interface ValidatedArtifact {
  path: string;
  storedPath: string | null;
  hash: string;
}

/**
 * Stores a validated artifact under its name, and a spare copy under its hash in case somebody changes the first. Throws
 * `disk_full` or `path_unsafe`.
 */
export async function keepArtifact(storedPath: string, worktree: string, bytes: Buffer): Promise<void> {
  await storeArtifact(spareOf(worktree, sha256hex(bytes)), bytes);
  await storeArtifact(storedPath, bytes);
}

/** Writes a read-only copy outside the agent's reach, whole or not at all. Adopts a copy that is there already. */
async function storeArtifact(path: string, bytes: Buffer): Promise<void> {
  const there = readRegular(path, bytes.length);
  if (there.ok && there.bytes.equals(bytes)) return;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const written = writeInside(dirname(path), basename(path), bytes, 0o444);
    if (!written.ok)
      throw new DevflowError('path_unsafe', `devflow cannot store the artifact as ${path}: ${written.fault}.`);
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw new DevflowError('disk_full', `There is no space left for the artifact ${path}.`, { cause });
  }
}

/**
 * The only way to read a validated artifact: the bytes with the recorded hash, or undefined. It restores a changed or
 * removed copy. The source is the spare copy, or the agent's own file if that is unchanged.
 */
export async function readValidated(artifact: ValidatedArtifact, worktree: string): Promise<Buffer | undefined> {
  const { storedPath, hash } = artifact;
  const isIt = (bytes: Buffer | undefined) => bytes !== undefined && sha256hex(bytes) === hash;
  const read = (path: string) => {
    const there = readRegular(path, LARGEST_BYTES);
    return there.ok ? there.bytes : undefined;
  };
  const stored = storedPath === null ? undefined : read(storedPath);
  if (isIt(stored)) return stored;
  // An artifact of another lane is not below this worktree.
  const isHere = artifact.path.startsWith(`${worktree}/`);
  const own = isHere ? await readArtifact(artifact.path, worktree) : undefined;
  const candidates = [read(spareOf(worktree, hash)), own?.ok ? own.bytes : undefined];
  const found = candidates.find(isIt);
  // The bytes are usable even if the restore fails.
  if (found && storedPath !== null) await storeArtifact(storedPath, found).catch(() => {});
  return found;
}

/** Like `readValidated`, but throws `artifact_changed` if the bytes are lost. */
export async function getValidated(artifact: ValidatedArtifact, worktree: string): Promise<Buffer> {
  const bytes = await readValidated(artifact, worktree);
  if (bytes) return bytes;
  throw new DevflowError('artifact_changed', lostSentence(artifact));
}

/** The summary in an artifact; undefined for one without, and for a document that is no JSON. */
export function summaryIn(bytes: Buffer | undefined): string | undefined {
  try {
    const read: unknown = JSON.parse(bytes?.toString('utf8') ?? '');
    const summary = typeof read === 'object' && read !== null && 'summary' in read ? read.summary : undefined;
    return typeof summary === 'string' ? summary : undefined;
  } catch {
    return undefined;
  }
}

export function lostSentence({ storedPath, path }: Pick<ValidatedArtifact, 'storedPath' | 'path'>): string {
  return `The file ${storedPath ?? path} changed after validation, and devflow has no unchanged copy.`;
}

/** In the run's own directory. No phase key begins with a dot. */
function spareOf(worktree: string, hash: string): string {
  return join(runDirWith(worktree), 'artifacts', '.bytes', hash);
}
