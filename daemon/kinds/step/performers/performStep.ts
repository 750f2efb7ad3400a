import { relative } from 'node:path';
import { DevflowError } from '../../../../schemas/errors.ts';
import { writeInside } from '../../../../schemas/files/insideRoot.ts';
import { sha256hex } from '../../../../schemas/hash.ts';
import { ensureArtifactDirectory } from '../../../artifacts/artifactDirectory.ts';
import { checkBytes } from '../../../artifacts/checkArtifact.ts';
import { keepArtifact } from '../../../artifacts/storedArtifact.ts';
import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { discoverStep } from './discoverStep.ts';
import { promoteStep } from './promoteStep.ts';
import { rehearseStep } from './rehearseStep.ts';
import type { DoStep, StepEffect } from './step.ts';

const STEPS: Readonly<Record<StepEffect['step'], DoStep>> = {
  discover: discoverStep,
  rehearse: rehearseStep,
  promote: promoteStep,
};

/** Does what the phase is for and keeps its artifact. */
export const performStep: Performer<'performStep'> = async (effect, ports, signal) => {
  const { runId, phaseId, attempt, step, lane, path, storedPath, schema } = effect;
  await keepWorktree(runId, lane, ports);
  const done = { type: 'stepPerformed' as const, phaseId, attempt };
  const result = await STEPS[step](effect, ports, signal);
  if (!result.ok) return { ...done, result };
  const bytes = Buffer.from(`${JSON.stringify(result.data, null, 2)}\n`);
  const read = checkBytes(ports.registry, schema, bytes);
  if (!read.ok) {
    const [fault] = read.errors;
    throw new DevflowError('internal', `The ${step} step wrote ${fault?.path}: ${fault?.message}.`);
  }
  ports.faults.at('performStep.done');
  await keepArtifact(storedPath, lane.path, bytes);
  // Agents write their artifacts to the same directory.
  ensureArtifactDirectory(lane.path);
  const written = writeInside(lane.path, relative(lane.path, path), bytes);
  if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${path}: ${written.fault}.`);
  ports.faults.at('performStep.stored');
  return { ...done, result: { ok: true, path, storedPath, schema, hash: sha256hex(bytes) } };
};
