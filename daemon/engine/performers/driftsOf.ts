import type { EventPayload } from '../../../schemas/events/index.ts';
import { readInside } from '../../../schemas/files/insideRoot.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { checkBytes, logFaults } from '../../artifacts/checkArtifact.ts';
import { keepArtifact, LARGEST_BYTES } from '../../artifacts/storedArtifact.ts';
import type { PublishedFile } from '../../core/effect/effect.ts';
import type { PerformerPorts } from './performer.ts';

type Drift = Omit<EventPayload<'contract.drifted'>, 'nth'>;

/** Published files that somebody else changed. devflow keeps a copy of a valid one, so that a person can decide for it. */
export async function driftsOf(
  files: readonly PublishedFile[],
  worktree: string,
  ports: Pick<PerformerPorts, 'registry'>,
): Promise<Drift[]> {
  const drifts: Drift[] = [];
  for (const file of files) {
    const drift = await driftOf(file, worktree, ports);
    if (drift) drifts.push(drift);
  }
  return drifts;
}

/** The thing in the place of a published file; undefined for the file itself. */
export async function driftOf(
  { contract, path, sha256, storedPath }: PublishedFile,
  worktree: string,
  { registry }: Pick<PerformerPorts, 'registry'>,
): Promise<Drift | undefined> {
  const facts = { contract, path, published: sha256 };
  const there = readInside(worktree, path, LARGEST_BYTES);
  if (!there.ok) return { ...facts, found: null, errors: [{ path: '', message: there.fault }], storedPath: null };
  const found = sha256hex(there.bytes);
  if (found === sha256) return undefined;
  const verdict = checkBytes(registry, contract, there.bytes);
  const errors = verdict.ok ? logFaults(verdict.data) : verdict.errors;
  if (!verdict.ok || errors.length > 0) return { ...facts, found, errors, storedPath: null };
  await keepArtifact(storedPath, worktree, there.bytes);
  return { ...facts, found, errors, storedPath, data: verdict.data };
}
