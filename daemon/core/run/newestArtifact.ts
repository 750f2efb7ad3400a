import type { Artifact, Phase, Run } from './state.ts';

/** The last validated artifact of this schema, as a person changed it since, and the phase that made it. */
export function newestArtifact(run: Run, schema: string): { artifact: Artifact; phase: Phase; at: string } | undefined {
  const newest = run.artifacts.findLast((each) => each.schema === schema && each.valid);
  const phase = run.phases.find(({ id }) => id === newest?.phaseId);
  if (!newest || !phase) return undefined;
  // A person may have changed the published file.
  const current = phase.assignments.find(({ key }) => key === newest.assignment)?.artifact;
  return { artifact: current ?? newest, phase, at: newest.createdAt };
}

/** Where the bytes of an artifact are. */
export function placed({ path, storedPath, hash }: Artifact): Pick<Artifact, 'path' | 'storedPath' | 'hash'> {
  return { path, storedPath, hash };
}
