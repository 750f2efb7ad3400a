import { z } from 'zod';
import { defined } from '../defined.ts';
import { Backend, Capability } from '../enums.ts';
import { GATE_FACTS } from '../gates/gateKinds.ts';
import { hash } from '../hash.ts';
import { KIND_DEFINITIONS } from '../kinds/index.ts';
import { ExchangeSettings, exchangeFaults, MEASURED } from './exchange.ts';
import { DefinitionVersion } from './persona.ts';
import type { Fault } from './phase/kindDefinition.ts';
import { Slug, TemplatePhase } from './phase/templatePhase.ts';
import { placeholderFaults } from './placeholders.ts';

export { isPlanPhase } from './phase/plans.ts';
export type { TemplatePhase } from './phase/templatePhase.ts';

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

/** The keys and types alone, without the rules between fields. */
export const TemplateShape = z.strictObject({
  name: Slug,
  version: DefinitionVersion,
  /** For lists: what it is for, in one sentence. */
  description: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\n\r]*$/, 'must be one line')
    .optional(),
  roles: z.array(TemplateRole),
  phases: z.array(TemplatePhase).min(1),
  /** The gates of every phase with an artifact that names no gates itself. */
  defaultGates: z.array(Slug).default([]),
  ...ExchangeSettings,
});

/** A template of reviews alone needs a change to review. */
export function isReviewTemplate({ phases }: Pick<Template, 'phases'>): boolean {
  return phases.every(({ kind }) => kind === 'review');
}

/** True if its runs begin with an agent that a person leads. */
export function isLedTemplate({ phases: [first] }: Pick<Template, 'phases'>): boolean {
  return first !== undefined && KIND_DEFINITIONS[first.kind].isLed === true;
}

/** True if its runs change nothing: of the roles of a review, only the third one may. */
export function onlyReviews(template: Pick<Template, 'phases'>): boolean {
  return isReviewTemplate(template) && template.phases.every(({ roles }) => roles.length <= 2);
}

/** The gates at which a phase stops, in order. */
export function gatesOf(template: Pick<Template, 'defaultGates'>, phase: TemplatePhase): string[] {
  if (phase.gates.length > 0) return phase.gates;
  return phase.expectedArtifact ? template.defaultGates : [];
}

/** Asks whether to continue without repositories that agents made inside the worktree. */
export const NESTED_GATE = 'nested_repository';

/** Gates that devflow opens itself. */
const RESERVED_GATES = [...Object.values(GATE_FACTS).map(({ gateKey }): string | null => gateKey), NESTED_GATE];

/** Adds rules between fields. Each message names the place in the file. */
export const Template = TemplateShape.superRefine((template, context) => {
  const problem = (path: (string | number)[], { code, message, part }: Omit<Fault, 'path'>) =>
    context.addIssue({ code: 'custom', path, message, params: { lint: code, part } });
  const roleIds = new Set(template.roles.map((role) => role.id));
  const seen = new Set<string>();
  if (roleIds.size !== template.roles.length) {
    problem(['roles'], { code: 'duplicate_role', message: 'role ids must differ' });
  }
  for (const fault of exchangeFaults(template)) problem(fault.path, fault);
  for (const [index, phase] of template.phases.entries()) {
    const at = ['phases', index];
    if (seen.has(phase.key)) {
      problem([...at, 'key'], { code: 'duplicate_phase', message: `phase key ${phase.key} is used twice` });
    }
    const reserved = gatesOf(template, phase).find((gate) => RESERVED_GATES.includes(gate));
    if (reserved) {
      const message = `the gate ${reserved} is devflow's own; choose another name`;
      problem([...at, 'gates'], { code: 'reserved_gate', message });
    }
    for (const role of phase.roles) {
      const message = `role ${role} is not declared in roles`;
      if (!roleIds.has(role)) problem([...at, 'roles'], { code: 'unknown_role', message });
    }
    const rule = KIND_DEFINITIONS[phase.kind];
    for (const fault of rule.faults(subjectAt(template, index))) problem([...at, ...fault.path], fault);
    for (const fault of placeholderFaults(phase, around(template, phase, seen))) {
      problem([...at, 'instructions'], fault);
    }
    seen.add(phase.key);
  }
});
export type Template = z.infer<typeof TemplateShape>;

/** Phases that begin again together read what the others wrote in the iteration before. */
function around(
  { exchange, iterate }: Pick<Template, 'exchange' | 'iterate'>,
  { key }: TemplatePhase,
  seen: ReadonlySet<string>,
) {
  const together = iterate?.phases.includes(key) ? iterate.phases : [];
  const isIterated = together.length > 0;
  const isMeasured = isIterated && iterate?.until === MEASURED;
  const readable = isIterated ? new Set([...seen, ...together]) : seen;
  return { readable, exchange, isIterated, isMeasured };
}

function subjectAt({ roles, phases, defaultGates }: Template, index: number) {
  const phase = phases[index] as TemplatePhase;
  const gates = gatesOf({ defaultGates }, phase);
  return { phase, gates, before: phases.slice(0, index), after: phases.slice(index + 1), roles };
}

/** With the gates and capabilities written out so that the hash covers what binds and what stops. */
export function templateHash(template: Template): string {
  const { name, version, roles, phases, exchange, flow, iterate } = template;
  return hash({
    name,
    version,
    roles,
    phases,
    gates: phases.map((phase) => gatesOf(template, phase)),
    capabilitiesRequired: roles.map((role) => role.requiredCapabilities),
    ...defined({ exchange, flow, iterate }),
  });
}

/** True if agents of the phase can change something, as far as its definition says. */
export function hasWriters({ kind, roles }: Pick<TemplatePhase, 'kind' | 'roles'>): boolean {
  return roles.length > KIND_DEFINITIONS[kind].readers;
}
