import { defined } from '../../../schemas/defined.ts';
import {
  type Binding,
  type BindingOverride,
  bindingHash,
  permissionModeFor,
} from '../../../schemas/definitions/persona.ts';
import { sharedWorktreeSentence, sharedWorktrees } from '../../../schemas/definitions/sharedWorktree.ts';
import { roleInstances, type Template, type TemplateRole } from '../../../schemas/definitions/template.ts';
import type { PermissionMode } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import { type Backends, labelOf, type PersonaEntry } from './candidates.ts';
import {
  type BindingCode,
  distinctBackends,
  type Refused,
  type Selection,
  selectPersona,
  variedBackends,
} from './selectPersona.ts';

export type { BackendState, Backends, PersonaEntry, Rule } from './candidates.ts';
export type { BindingCode } from './selectPersona.ts';

export interface BindingRequest {
  runId: string;
  template: Template;
  templateHash: string;
  /** In any order: the answer does not depend on it. */
  personas: readonly PersonaEntry[];
  backends: Backends;
  /** By role (all its instances) or by instance if count > 1. `reviewer#1` takes precedence over `reviewer`. */
  overrides: Readonly<Record<string, BindingOverride>>;
}

export interface Refusal extends Refused {
  roleId: string;
}

export interface BindingError {
  code: BindingCode;
  /** One sentence: the role, the persona, and the rule that refused it. */
  message: string;
  /** Every persona considered for a role without a match, with the first rule that it fails. */
  refusals: Refusal[];
}

export type BindingResult = { ok: true; bindings: Binding[] } | { ok: false; error: BindingError };

/** A role instance that needs a persona. */
interface Seat {
  roleId: string;
  role: TemplateRole;
  override: BindingOverride | null;
}

interface Seated extends Seat {
  entry: PersonaEntry;
  /** Candidates that were not chosen, for the reason of the binding. */
  passedOver: Refused[];
}

/** One binding for each role of a template, in the order of its roles. Pure and total. */
export function bindRoles(request: BindingRequest): BindingResult {
  const unknown = unknownOverrides(request);
  if (unknown.length > 0) return failed('binding_refused', unknown);
  const seated: Seated[] = [];
  for (const role of request.template.roles) {
    const result = seatRole(request, role);
    if (!result.ok) return result;
    seated.push(...result.seated);
  }
  const bindings = seated.map((seat) => bindingOf(request, seat));
  const refusals = refusedTogether(request.template, bindings);
  return refusals.length > 0 ? failed('binding_refused', refusals) : { ok: true, bindings };
}

/** The bindings of all roles. Throws if a role has none. */
export function bindAll(request: BindingRequest, runId?: string): Binding[] {
  const bound = bindRoles(request);
  if (bound.ok) return bound.bindings;
  const { code, message, refusals } = bound.error;
  throw new DevflowError(code, message, defined({ runId, data: { refusals } }));
}

/** The permission mode of a bound agent. Runs older than frozen modes keep the mode that they had. */
export const modeOf = ({ permissionMode }: Pick<Binding, 'permissionMode'>): PermissionMode =>
  permissionMode ?? 'execute';

/** Why these bindings cannot work side by side in this template. */
export function refusedTogether(template: Template, bindings: readonly Binding[]): Refusal[] {
  return [...editingTogether(template, bindings), ...unableToEdit(template, bindings)];
}

/** Agents of one phase share its worktree, so only one of them may edit. */
function editingTogether(template: Template, bindings: readonly Binding[]): Refusal[] {
  const editors = new Map(bindings.filter((binding) => modeOf(binding) !== 'read').map((each) => [each.roleId, each]));
  return sharedWorktrees(template, (roleId) => editors.has(roleId)).flatMap((shared) =>
    shared.editors.map((roleId) => {
      const { personaName, personaVersion } = editors.get(roleId) as Binding;
      const persona = `${personaName}@${personaVersion}`;
      return { roleId, persona, rule: 'shared_worktree', message: sharedWorktreeSentence(shared) };
    }),
  );
}

/** A task in a lane is done by a change of files. */
function unableToEdit({ phases }: Template, bindings: readonly Binding[]): Refusal[] {
  return phases
    .filter(({ kind }) => KIND_DEFINITIONS[kind].mustEdit)
    .flatMap(({ key, roles }) =>
      bindings
        .filter((binding) => roles.includes(binding.role) && modeOf(binding) === 'read')
        .map(({ roleId, personaName, personaVersion }) => ({
          roleId,
          persona: `${personaName}@${personaVersion}`,
          rule: 'must_edit',
          message: `${roleId} must change files in phase ${key}, and ${personaName}@${personaVersion} may only read; bind a persona that has the capability code_edit and accepts medium risk`,
        })),
    );
}

function unknownOverrides({ template, overrides }: BindingRequest): Refusal[] {
  const known = new Set(template.roles.flatMap((role) => [role.id, ...roleInstances(role)]));
  const there = template.roles.map(({ id }) => id).join(', ') || 'none';
  return Object.keys(overrides)
    .filter((roleId) => !known.has(roleId))
    .sort()
    .map((roleId) => ({
      roleId,
      persona: null,
      rule: 'override_role_unknown',
      message: `${template.name}@${template.version} has no role ${roleId}; its roles are ${there}`,
    }));
}

function seatRole(
  request: BindingRequest,
  role: TemplateRole,
): { ok: true; seated: Seated[] } | Extract<BindingResult, { ok: false }> {
  const seats = roleInstances(role).map((roleId): Seat => {
    const override = request.overrides[roleId] ?? request.overrides[role.id];
    return { roleId, role, override: override?.persona || override?.backend ? override : null };
  });
  const selections: Extract<Selection, { ok: true }>[] = [];
  for (const seat of seats) {
    const selection = selectPersona({ ...request, role, override: seat.override });
    if (!selection.ok) {
      const refusals = selection.refused.map((refused) => ({ ...refused, roleId: seat.roleId }));
      return failed(selection.code, refusals, seat.roleId);
    }
    selections.push(selection);
  }
  const candidates = selections.map(({ eligible }) => eligible);
  const chosen = mustDiffer(role) ? distinctBackends(candidates) : chosenFor(role, candidates);
  if (!chosen) return failed(undiverseCode(seats), undiverse(role, seats, selections), role.id);
  const seated = seats.map((seat, index): Seated => {
    return { ...seat, entry: chosen[index] as PersonaEntry, passedOver: selections[index]?.passedOver ?? [] };
  });
  return { ok: true, seated };
}

function mustDiffer(role: TemplateRole): boolean {
  return role.count > 1 && role.diversity?.requireDifferentBackends === true;
}

function chosenFor({ diversity }: TemplateRole, candidates: readonly PersonaEntry[][]): PersonaEntry[] {
  return diversity?.preferDifferentBackends
    ? variedBackends(candidates)
    : candidates.map(([first]) => first as PersonaEntry);
}

/** If an override is in the way, the caller must change it; else another persona is needed. */
function undiverseCode(seats: readonly Seat[]): BindingCode {
  return seats.some(({ override }) => override !== null) ? 'binding_refused' : 'no_eligible_persona';
}

function undiverse(
  role: TemplateRole,
  seats: readonly Seat[],
  selections: Extract<Selection, { ok: true }>[],
): Refusal[] {
  const backends = [...new Set(selections.flatMap(({ eligible }) => eligible.map(({ persona }) => persona.backend)))];
  const message = `${role.count} different backends are required, but only ${backends.join(', ')} can be chosen`;
  const first: Refusal = { roleId: role.id, persona: null, rule: 'diversity', message };
  const others = selections.flatMap(({ passedOver }, index) =>
    passedOver.map((refused) => ({ ...refused, roleId: seats[index]?.roleId ?? role.id })),
  );
  return [first, ...others];
}

function bindingOf({ runId, templateHash }: BindingRequest, seat: Seated): Binding {
  const { roleId, role, override, entry } = seat;
  const { name, version, backend, promptConfig, modelConfig } = entry.persona;
  return {
    roleId,
    role: role.id,
    personaId: entry.id,
    personaName: name,
    personaVersion: version,
    personaHash: entry.hash,
    backend,
    bindingHash: bindingHash({ runId, roleId, templateHash, personaHash: entry.hash, backend, override }),
    override,
    promptConfig,
    modelConfig,
    permissionMode: permissionModeFor(entry.persona),
    reason: reasonOf(seat),
  };
}

function reasonOf({ role, override, entry, passedOver }: Seated): string {
  const label = labelOf(entry);
  const { backend } = entry.persona;
  if (override?.persona !== undefined) return `${label} was requested.`;
  const unusable = passedOver.filter(({ rule }) => rule === 'backend_enabled' || rule === 'backend_available');
  const without = [...new Set(unusable.map(({ message }) => message))].map((message) => `; ${message}`).join('');
  if (override?.backend !== undefined) return `${label} is the first match on the requested backend ${backend}.`;
  if (role.preferredBackends.length === 0) return `${label} is the first match; no backend is preferred${without}.`;
  const order = role.preferredBackends.join(', ');
  if (role.preferredBackends.includes(backend))
    return `${label} is the first match by preference (${order})${without}.`;
  return `${label} is the first match; no persona on a preferred backend (${order}) matches.`;
}

function failed(code: BindingCode, refusals: Refusal[], roleId = ''): Extract<BindingResult, { ok: false }> {
  return { ok: false, error: { code, message: sentence(code, refusals, roleId), refusals } };
}

function sentence(code: BindingCode, refusals: readonly Refusal[], roleId: string): string {
  if (refusals.some(({ rule }) => ['override_role_unknown', 'shared_worktree', 'must_edit'].includes(rule))) {
    return `${[...new Set(refusals.map(({ message }) => message))].join('; ')}.`;
  }
  // If only the backend is missing, list just the personas that match otherwise: a person can fix those.
  const isBackend = ({ rule }: Refusal) => rule === 'backend_enabled' || rule === 'backend_available';
  const shown = code === 'backend_unavailable' ? refusals.filter(isBackend) : refusals;
  const why = [...new Set(shown.map(({ rule, message }) => `${message} (${rule})`))].join('; ');
  return `Role ${roleId} cannot be bound: ${why || 'there are no personas'}.`;
}
