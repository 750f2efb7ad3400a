import { defined } from '../../../schemas/defined.ts';
import { readInside } from '../../../schemas/files/insideRoot.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { getValidated, LARGEST_BYTES } from '../../artifacts/storedArtifact.ts';
import { writeWhole } from '../../contracts/writeWhole.ts';
import { driftOf } from './driftsOf.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';

/** Writes the validated bytes where their contract expects them. It overwrites only what devflow wrote there, or a person gave up. */
export const publishArtifact: Performer<'publishArtifact'> = async (effect, ports) => {
  const { runId, phaseId, assignment, contract, lane, path, bytes, over, restores } = effect;
  await keepWorktree(runId, lane, ports);
  const text = await getValidated(bytes, lane.path);
  const there = readInside(lane.path, path, LARGEST_BYTES);
  const found = there.ok ? sha256hex(there.bytes) : undefined;
  const mayWrite = there.ok ? found === over || found === bytes.hash : there.missing;
  if (!mayWrite) {
    const drift = restores && (await driftOf(restores, lane.path, ports));
    return { type: 'publishingRefused', phaseId, path, ...defined({ drift }) };
  }
  ports.faults.at('publishArtifact.before_write');
  if (found !== bytes.hash) writeWhole(lane.path, path, text);
  ports.faults.at('publishArtifact.after_write');
  return { type: 'artifactPublished', phaseId, assignment, contract, path, sha256: bytes.hash };
};
