import { getValidated } from '../../../artifacts/storedArtifact.ts';
import type { StepEffect } from './step.ts';

/**
 * An artifact that an earlier phase wrote, with the hash that the log has of it. `versions`: the schemas that it may have.
 * Throws `artifact_changed` if it is lost.
 */
export async function stepInput<T>(
  { inputs, lane }: StepEffect,
  ...versions: readonly string[]
): Promise<{ data: T; hash: string }> {
  const [artifact] = versions.flatMap((schema) => inputs[schema] ?? []);
  if (!artifact) throw new TypeError(`the step has no ${versions[0]}`);
  const bytes = await getValidated(artifact, lane.path);
  return { data: JSON.parse(bytes.toString('utf8')) as T, hash: artifact.hash };
}
