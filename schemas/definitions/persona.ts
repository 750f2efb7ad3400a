import { z } from 'zod';
import { BACKEND_FACTS } from '../backends/backendFacts.ts';
import { Backend, Capability, PermissionMode, RiskLevel } from '../enums.ts';
import { hash } from '../hash.ts';
import { Slug } from './phase/templatePhase.ts';

/** The largest version is that of the database's column. */
export const DefinitionVersion = z.number().int().positive().max(2_147_483_647);

/** A candidate for roles: its backend, its abilities and its highest risk. */
export const Persona = z.strictObject({
  name: Slug,
  version: DefinitionVersion,
  backend: Backend,
  capabilities: z.array(Capability),
  maxRiskLevel: RiskLevel,
  allowedRoles: z.array(z.string()).optional(),
  promptConfig: z
    .strictObject({ systemPrompt: z.string().optional(), instructionsPrelude: z.string().optional() })
    .default({}),
  modelConfig: z.record(z.string(), z.unknown()).default({}),
});
export type Persona = z.infer<typeof Persona>;

/** Settings of a valid persona that devflow ignores. */
export function personaWarnings({ backend, modelConfig }: Persona): { path: string; message: string }[] {
  const known = BACKEND_FACTS[backend].modelConfig;
  return Object.entries(modelConfig).flatMap(([key, value]) => {
    const path = `modelConfig.${key}`;
    const takes = known.length === 0 ? `${backend} takes none` : `${backend} takes ${known.join(', ')}`;
    if (!known.includes(key)) return [{ path, message: `has no effect: ${takes}` }];
    return typeof value === 'string' ? [] : [{ path, message: 'has no effect: it is not a text' }];
  });
}

export function personaHash(persona: Persona): string {
  const { name, version, capabilities, backend, maxRiskLevel, allowedRoles, promptConfig, modelConfig } = persona;
  return hash({ name, version, capabilities, backend, maxRiskLevel, allowedRoles, promptConfig, modelConfig });
}

/** A caller's wish at start, per role: another persona, or one backend. */
export const BindingOverride = z.strictObject({
  /** `name` (newest version) or `name@version`. */
  persona: z.string().optional(),
  backend: Backend.optional(),
});
export type BindingOverride = z.infer<typeof BindingOverride>;

/** A role instance with its persona, frozen into the run. `roleId` is `role` or, where count > 1, `role#0`. */
export const Binding = z.strictObject({
  roleId: z.string(),
  role: z.string(),
  personaId: z.string(),
  personaName: z.string(),
  personaVersion: z.number().int().positive(),
  personaHash: z.string(),
  backend: Backend,
  bindingHash: z.string(),
  override: BindingOverride.nullable(),
  promptConfig: Persona.shape.promptConfig,
  modelConfig: z.record(z.string(), z.unknown()),
  /** Follows from the persona. Absent in runs that were bound before it was frozen; it is no part of any hash. */
  permissionMode: PermissionMode.optional(),
  /** Why this persona, in a sentence for a person. */
  reason: z.string(),
});
export type Binding = z.infer<typeof Binding>;

export function bindingHash(subject: {
  runId: string;
  roleId: string;
  templateHash: string;
  personaHash: string;
  backend: Backend;
  override: BindingOverride | null;
}): string {
  const { runId, roleId, templateHash, personaHash, backend, override } = subject;
  return hash({ runId, roleId, templateHash, personaHash, backend, override });
}

const EDITS: readonly Capability[] = ['code_edit', 'test_first_development'];
const RUNS: readonly Capability[] = ['command_execute', 'backtest_run'];

/**
 * The least permission that a persona's capabilities need, within its risk. Pure and total. More risk or more capabilities
 * never give less permission.
 */
export function permissionModeFor({
  maxRiskLevel,
  capabilities,
}: Pick<Persona, 'maxRiskLevel' | 'capabilities'>): PermissionMode {
  const hasAny = (wanted: readonly Capability[]) => wanted.some((each) => capabilities.includes(each));
  if (maxRiskLevel === 'low') return 'read';
  if (maxRiskLevel === 'high' && hasAny(RUNS)) return 'execute';
  return hasAny(EDITS) ? 'edit' : 'read';
}
