import type { TemplatePhase } from './templatePhase.ts';

type Writes = Pick<TemplatePhase, 'expectedArtifact'>;

/** True for a phase whose artifact is a task graph: tasks that several agents can do at the same time. */
export function writesTaskGraph(phase: Writes): boolean {
  return schemaName(phase) === 'dev/dag';
}

/** True for the phase after which a run is `executing`: the one whose artifact is a plan. */
export function isPlanPhase(phase: Writes): boolean {
  return schemaName(phase) === 'dev/phase-plan' || writesTaskGraph(phase);
}

/** The schema in any version. */
function schemaName({ expectedArtifact }: Writes): string | undefined {
  return expectedArtifact?.schema.split('@')[0];
}
