import type { Persona } from '../../../schemas/definitions/persona.ts';
import type { Template, TemplateRole } from '../../../schemas/definitions/template.ts';
import { type Backend, type RiskLevel, RiskLevel as RiskLevels } from '../../../schemas/enums.ts';
import { compareText } from '../../../schemas/text/compareText.ts';

/** A published persona, as the store holds it. */
export interface PersonaEntry {
  id: string;
  persona: Persona;
  hash: string;
  /** A draft: for a role that names it, and no other. */
  onlyByName?: true;
}

/** The part of `config.backends` that binding needs. */
export interface BackendState {
  enabled: boolean;
  available: boolean;
  reason?: string;
}

export type Backends = Readonly<Record<Backend, BackendState>>;

/** The rules by which a persona, or an override, can be refused (docs/design.md). */
export type Rule =
  | 'override_role_unknown'
  | 'override_persona_unknown'
  | 'override_backend'
  | 'backend_enabled'
  | 'backend_available'
  | 'allowed_roles'
  | 'capabilities'
  | 'risk'
  | 'preferred_backends'
  | 'diversity'
  | 'shared_worktree'
  | 'must_edit';

export interface Fault {
  rule: Rule;
  message: string;
}

/** Undefined if the backend is enabled, and its binary was found when the process started. */
export function backendFault(backend: Backend, backends: Backends): Fault | undefined {
  const { enabled, available, reason } = backends[backend];
  const why = reason ? `: ${reason}` : '';
  if (!enabled) return { rule: 'backend_enabled', message: `backend ${backend} is not enabled${why}` };
  if (!available) return { rule: 'backend_available', message: `backend ${backend} is not available${why}` };
  return undefined;
}

/** Steps 4 to 6: whether the persona may play this role and can do all that its phases ask. */
export function fitFault(entry: PersonaEntry, role: TemplateRole, template: Template): Fault | undefined {
  const { capabilities, maxRiskLevel, allowedRoles } = entry.persona;
  const label = labelOf(entry);
  if (allowedRoles && !allowedRoles.includes(role.id)) {
    return {
      rule: 'allowed_roles',
      message: `${label} is for ${allowedRoles.join(', ') || 'no role'}, not ${role.id}`,
    };
  }
  const missing = role.requiredCapabilities.filter((capability) => !capabilities.includes(capability));
  if (missing.length > 0) return { rule: 'capabilities', message: `${label} lacks ${missing.join(', ')}` };
  const tooRisky = template.phases.find(
    (phase) => phase.roles.includes(role.id) && riskRank(phase.risk) > riskRank(maxRiskLevel),
  );
  if (!tooRisky) return undefined;
  const message = `${label} accepts ${maxRiskLevel} risk at most, and phase ${tooRisky.key} has ${tooRisky.risk} risk`;
  return { rule: 'risk', message };
}

/** Preferred backends, newest version, name, hash. Total, so the order of a list never matters. */
export function byPreference(role: TemplateRole): (a: PersonaEntry, b: PersonaEntry) => number {
  const rank = ({ persona }: PersonaEntry) => {
    const place = role.preferredBackends.indexOf(persona.backend);
    return place < 0 ? role.preferredBackends.length : place;
  };
  return (a, b) =>
    rank(a) - rank(b) ||
    b.persona.version - a.persona.version ||
    compareText(a.persona.name, b.persona.name) ||
    compareText(a.hash, b.hash) ||
    compareText(a.id, b.id);
}

export function labelOf({ persona }: PersonaEntry): string {
  return `${persona.name}@${persona.version}`;
}

/** By code units, so that no locale changes the choice. */

function riskRank(risk: RiskLevel): number {
  return RiskLevels.options.indexOf(risk);
}
