import { z } from 'zod';
import { Backend, Capability, CommandKind, PhaseKind, RiskLevel } from '../enums.ts';
import { hash } from '../hash.ts';
import { SCHEMA_ID } from '../names.ts';

/** Names of files, branches or keys. They never need quoting. */
export const Slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'use lower-case letters, digits, - and _ (at most 64, no leading sign)');

export const ArtifactSchemaId = z.string().regex(SCHEMA_ID, 'write a schema id as <domain>/<name>@<version>');

const RelativePath = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === ''), {
    message: 'give a relative path without ..',
  });

/** A command of a `command` phase. */
export const CommandSpec = z.strictObject({
  kind: CommandKind.default('other'),
  argv: z.array(z.string()).min(1),
  timeoutMs: z.number().int().positive().optional(),
});
export type CommandSpec = z.infer<typeof CommandSpec>;

export const TemplatePhase = z.strictObject({
  key: Slug,
  title: z.string(),
  kind: PhaseKind.default('agent'),
  risk: RiskLevel,
  roles: z.array(z.string()).default([]),
  expectedArtifact: z.strictObject({ path: RelativePath, schema: ArtifactSchemaId }).optional(),
  gates: z.array(Slug).default([]),
  timeoutMs: z.number().int().positive().optional(),
  /** Text with `{{requirements}}`, `{{artifact:<phase>}}` and the like (see core/assignment/prompt.ts), nothing more. */
  instructions: z.string().optional(),
  commands: z.array(CommandSpec).default([]),
  sessionBoundary: z.boolean().default(false),
});
export type TemplatePhase = z.infer<typeof TemplatePhase>;

export const TemplateRole = z.strictObject({
  id: Slug,
  requiredCapabilities: z.array(Capability),
  preferredBackends: z.array(Backend).default([]),
  count: z.number().int().min(1).max(16).default(1),
  diversity: z.strictObject({ requireDifferentBackends: z.boolean().default(false) }).optional(),
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
  /** The gates of every agent phase with an artifact that names no gates itself. */
  defaultGates: z.array(Slug).default([]),
});

/** The gates at which a phase stops, in order. */
export function gatesOf(template: Pick<Template, 'defaultGates'>, phase: TemplatePhase): string[] {
  if (phase.gates.length > 0) return phase.gates;
  return phase.expectedArtifact ? template.defaultGates : [];
}

/** True for the phase after which a run is `executing`: the one whose artifact is a phase plan. */
export function isPlanPhase(phase: TemplatePhase): boolean {
  return phase.expectedArtifact?.schema.split('@')[0] === 'dev/phase-plan';
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
    if (phase.kind === 'agent') {
      if (phase.roles.length === 0) problem([...at, 'roles'], 'an agent phase needs a role');
      if (!phase.expectedArtifact) problem([...at, 'expectedArtifact'], 'an agent phase needs an expected artifact');
      if (!phase.instructions) problem([...at, 'instructions'], 'an agent phase needs instructions');
      if (phase.commands.length > 0) problem([...at, 'commands'], 'commands belong to a phase of kind command');
      if (isPlanPhase(phase) && gatesOf(template, phase).length === 0) {
        problem([...at, 'gates'], 'a phase that writes a phase plan needs a gate');
      }
    } else {
      if (phase.expectedArtifact) problem([...at, 'expectedArtifact'], 'a command phase has no artifact');
      if (phase.roles.length > 0) problem([...at, 'roles'], 'a command phase has no role');
    }
    for (const reference of phase.instructions?.matchAll(/\{\{([^}]*)\}\}/g) ?? []) {
      const fault = placeholderFault(reference[1] ?? '', seen);
      if (fault) problem([...at, 'instructions'], fault);
    }
    seen.add(phase.key);
  }
});
export type Template = z.infer<typeof TemplateShape>;

export const PLACEHOLDERS = ['requirements', 'objective', 'base_branch', 'worktree', 'change_request'] as const;

function placeholderFault(name: string, earlier: ReadonlySet<string>): string | undefined {
  if ((PLACEHOLDERS as readonly string[]).includes(name)) return undefined;
  if (!name.startsWith('artifact:')) {
    return `{{${name}}} is unknown; there are ${PLACEHOLDERS.map((p) => `{{${p}}}`).join(', ')} and {{artifact:<phase>}}`;
  }
  const phase = name.slice('artifact:'.length);
  return earlier.has(phase) ? undefined : `{{${name}}} names no earlier phase`;
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
