import { z } from 'zod';
import { Backend, Capability } from '../enums.ts';
import { hash } from '../hash.ts';
import { KIND_RULES } from './phaseKinds/index.ts';
import { Slug, TemplatePhase } from './phaseKinds/templatePhase.ts';
import { placeholderFaults } from './placeholders.ts';

export { isPlanPhase } from './phaseKinds/plans.ts';
export type { TemplatePhase } from './phaseKinds/templatePhase.ts';

export const TemplateRole = z.strictObject({
  id: Slug,
  requiredCapabilities: z.array(Capability),
  preferredBackends: z.array(Backend).default([]),
  count: z.number().int().min(1).max(16).default(1),
  /** For a role with several instances. Without either, all get the first match. */
  diversity: z
    .strictObject({
      requireDifferentBackends: z.boolean().default(false),
      /** As many different ones as there are. */
      preferDifferentBackends: z.boolean().optional(),
    })
    .optional(),
});
export type TemplateRole = z.infer<typeof TemplateRole>;

/** The instances of a role: `reviewer`, or `reviewer#0`, `reviewer#1`, … if there are several. */
export function roleInstances({ id, count }: Pick<TemplateRole, 'id' | 'count'>): string[] {
  return count === 1 ? [id] : Array.from({ length: count }, (_, index) => `${id}#${index}`);
}

const TemplateShape = z.strictObject({
  name: Slug,
  version: z.number().int().positive(),
  roles: z.array(TemplateRole),
  phases: z.array(TemplatePhase).min(1),
  /** The gates of every phase with an artifact that names no gates itself. */
  defaultGates: z.array(Slug).default([]),
});

/** Whether a template makes no change, and so needs one to review. */
export function isReviewTemplate({ phases }: Pick<Template, 'phases'>): boolean {
  return phases.every(({ kind }) => kind === 'review');
}

/** The gates at which a phase stops, in order. */
export function gatesOf(template: Pick<Template, 'defaultGates'>, phase: TemplatePhase): string[] {
  if (phase.gates.length > 0) return phase.gates;
  return phase.expectedArtifact ? template.defaultGates : [];
}

/** Asks whether to continue without repositories that agents made inside the worktree. */
export const NESTED_GATE = 'nested_repository';

/** Gates that devflow opens itself. */
const RESERVED_GATES = ['recovery', 'cleanup_forced', 'agent_asks', NESTED_GATE];

/** Adds rules between fields. Each message names the place in the file. */
export const Template = TemplateShape.superRefine((template, context) => {
  const problem = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  const roleIds = new Set(template.roles.map((role) => role.id));
  const seen = new Set<string>();
  if (roleIds.size !== template.roles.length) problem(['roles'], 'role ids must differ');
  for (const [index, phase] of template.phases.entries()) {
    const at = ['phases', index];
    if (seen.has(phase.key)) problem([...at, 'key'], `phase key ${phase.key} is used twice`);
    const reserved = gatesOf(template, phase).find((gate) => RESERVED_GATES.includes(gate));
    if (reserved) problem([...at, 'gates'], `the gate ${reserved} is devflow's own; choose another name`);
    for (const role of phase.roles) {
      if (!roleIds.has(role)) problem([...at, 'roles'], `role ${role} is not declared in roles`);
    }
    const rule = KIND_RULES[phase.kind];
    for (const fault of rule.faults(subjectAt(template, index))) problem([...at, ...fault.path], fault.message);
    for (const fault of placeholderFaults(phase, seen)) problem([...at, 'instructions'], fault);
    seen.add(phase.key);
  }
});
export type Template = z.infer<typeof TemplateShape>;

function subjectAt({ roles, phases, defaultGates }: Template, index: number) {
  const phase = phases[index] as TemplatePhase;
  const gates = gatesOf({ defaultGates }, phase);
  return { phase, gates, before: phases.slice(0, index), after: phases.slice(index + 1), roles };
}

/** With the gates and capabilities written out so that the hash covers what binds and what stops. */
export function templateHash(template: Template): string {
  const { name, version, roles, phases } = template;
  return hash({
    name,
    version,
    roles,
    phases,
    gates: phases.map((phase) => gatesOf(template, phase)),
    capabilitiesRequired: roles.map((role) => role.requiredCapabilities),
  });
}
