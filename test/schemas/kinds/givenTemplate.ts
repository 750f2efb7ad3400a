import { Template } from '../../../schemas/definitions/template.ts';

/** A phase as a file writes it. */
export type GivenPhase = Record<string, unknown>;

export const graph: GivenPhase = {
  key: 'plan',
  title: 'Plan',
  risk: 'low',
  roles: ['planner'],
  expectedArtifact: { path: 'dag.json', schema: 'dev/dag@1' },
  gates: ['plan_approved'],
  instructions: 'Plan {{requirements}}.',
};
export const lanes: GivenPhase = {
  key: 'implement',
  title: 'Implement',
  kind: 'lanes',
  risk: 'medium',
  roles: ['coder', 'resolver'],
  expectedArtifact: { path: 'a.json', schema: 'dev/implementation@1' },
  instructions: 'Do {{task}}.',
  lanes: { checks: 'verify' },
};
export const verify: GivenPhase = { key: 'verify', title: 'Check', kind: 'command', risk: 'low' };

const ROLES = ['planner', 'coder', 'resolver', 'third'].map((id) => ({ id, requiredCapabilities: ['code_edit'] }));

export function parse(phases: GivenPhase[], roles: Record<string, unknown>[] = ROLES) {
  return Template.safeParse({ name: 'given', version: 1, roles, phases });
}

/** `path message` of each fault, or an empty list for a sound template. */
export function faults(phases: GivenPhase[], roles?: Record<string, unknown>[]): string[] {
  const { error } = parse(phases, roles);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
}
