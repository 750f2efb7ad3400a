import { relative } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside, readInside, writeInside } from '../../schemas/files/insideRoot.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { getValidated, LARGEST_BYTES, type ValidatedArtifact } from './storedArtifact.ts';

export interface InputCopy {
  path: string;
  artifact: ValidatedArtifact;
  /** Hashes of earlier versions, which devflow itself may have written there. */
  earlier?: readonly string[];
}

/**
 * Writes the validated bytes, read-only, to the paths that a prompt names. It follows no link. Returns the copies that
 * somebody changed before. Throws `artifact_changed` or `path_unsafe`.
 */
export async function writeInputs(worktree: string, inputs: readonly InputCopy[]): Promise<string[]> {
  const changed = changedCopies(worktree, inputs);
  for (const { path, artifact } of inputs) {
    const bytes = await getValidated(artifact, worktree);
    const written = writeInside(worktree, relative(worktree, path), bytes, 0o444);
    if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${path}: ${written.fault}.`);
  }
  return changed;
}

/** The copies that exist and have content that no version of their artifact has. */
export function changedCopies(worktree: string, inputs: readonly InputCopy[]): string[] {
  return inputs
    .filter(({ path, artifact, earlier = [] }) => isChanged(worktree, path, [artifact.hash, ...earlier]))
    .map(({ path }) => path);
}

function isChanged(worktree: string, path: string, hashes: readonly string[]): boolean {
  const relPath = relative(worktree, path);
  if (!lookInside(worktree, relPath).ok) return false;
  const there = readInside(worktree, relPath, LARGEST_BYTES);
  return !there.ok || !hashes.includes(sha256hex(there.bytes));
}
