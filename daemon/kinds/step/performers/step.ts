import type { ProbePlan } from '../../../../schemas/kinds/step/probePlan.ts';
import { getValidated } from '../../../artifacts/storedArtifact.ts';
import type { EffectOf } from '../../../core/effect/effect.ts';
import type { PerformerPorts } from '../../../engine/performers/performer.ts';

export type StepEffect = EffectOf<'performStep'>;

/** The data of its artifact, why a person must help, or what a person must decide first. */
export type StepResult = { ok: true; data: unknown } | { ok: false; reason: string } | { ok: false; ask: ProbePlan };

/** Does a step. Done twice, it leaves what it leaves when done once. */
export type DoStep = (effect: StepEffect, ports: PerformerPorts, signal: AbortSignal) => Promise<StepResult>;

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
