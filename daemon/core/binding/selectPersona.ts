import type { BindingOverride } from '../../../schemas/definitions/persona.ts';
import type { Template, TemplateRole } from '../../../schemas/definitions/template.ts';
import { nearest } from '../../../schemas/text/nearest.ts';
import {
  type Backends,
  backendFault,
  byPreference,
  type Fault,
  fitFault,
  labelOf,
  type PersonaEntry,
} from './candidates.ts';

/** A persona that was not chosen, or an override that cannot be satisfied. */
export interface Refused extends Fault {
  /** `name@version`; null where no persona is meant. */
  persona: string | null;
}

export type BindingCode = 'no_eligible_persona' | 'backend_unavailable' | 'binding_refused' | 'persona_not_found';

/** The personas that may play a role, best first, or why there is none. */
export type Selection =
  | { ok: true; eligible: PersonaEntry[]; passedOver: Refused[] }
  | { ok: false; code: BindingCode; refused: Refused[] };

export interface SelectionFacts {
  template: Template;
  role: TemplateRole;
  personas: readonly PersonaEntry[];
  backends: Backends;
  override: BindingOverride | null;
}

/** The candidates for one role instance, best first. */
export function selectPersona(facts: SelectionFacts): Selection {
  return facts.override?.persona === undefined ? autoSelect(facts) : overridden(facts, facts.override.persona);
}

/** The requested persona and no other. It must pass every rule. */
function overridden({ template, role, personas, backends, override }: SelectionFacts, asked: string): Selection {
  const newestFirst = byPreference({ ...role, preferredBackends: [] });
  const named = personas.filter((entry) => asked === entry.persona.name || asked === labelOf(entry)).sort(newestFirst);
  const entry = named[0];
  if (!entry) {
    const meant = nearest(asked, [...personas].sort(newestFirst).map(labelOf));
    const message = `there is no persona ${asked}${meant ? `; the nearest is ${meant}` : ''}`;
    const refused = { rule: 'override_persona_unknown', message, persona: asked } as const;
    return { ok: false, code: 'persona_not_found', refused: [refused] };
  }
  const unusable = backendFault(entry.persona.backend, backends);
  const fault = overrideBackendFault(entry, override) ?? unusable ?? fitFault(entry, role, template);
  if (!fault) return { ok: true, eligible: [entry], passedOver: [] };
  const code = fault === unusable ? 'backend_unavailable' : 'binding_refused';
  return { ok: false, code, refused: [{ ...fault, persona: labelOf(entry) }] };
}

/**
 * Considers available backends only. A backend outside `preferredBackends` qualifies only if no preferred persona matches the
 * role; a missing binary is not enough. An override of the backend replaces the preference.
 */
function autoSelect({ template, role, personas, backends, override }: SelectionFacts): Selection {
  const sorted = personas.filter(({ onlyByName }) => !onlyByName).sort(byPreference(role));
  const isPreferred = (entry: PersonaEntry) =>
    override?.backend !== undefined ||
    role.preferredBackends.length === 0 ||
    role.preferredBackends.includes(entry.persona.backend);
  const fits = (entry: PersonaEntry) => !fitFault(entry, role, template);
  const preferredFits = sorted.some(
    (entry) => isPreferred(entry) && !overrideBackendFault(entry, override) && fits(entry),
  );
  const preferenceFault = (entry: PersonaEntry): Fault | undefined =>
    preferredFits && !isPreferred(entry)
      ? { rule: 'preferred_backends', message: `${labelOf(entry)} is not on a preferred backend` }
      : undefined;

  const eligible: PersonaEntry[] = [];
  const refused: Refused[] = [];
  for (const entry of sorted) {
    const fault =
      overrideBackendFault(entry, override) ??
      fitFault(entry, role, template) ??
      preferenceFault(entry) ??
      backendFault(entry.persona.backend, backends);
    if (fault) refused.push({ ...fault, persona: labelOf(entry) });
    else eligible.push(entry);
  }
  if (eligible.length > 0) return { ok: true, eligible, passedOver: refused };
  const onlyBackend = refused.some(({ rule }) => rule === 'backend_enabled' || rule === 'backend_available');
  return { ok: false, code: onlyBackend ? 'backend_unavailable' : 'no_eligible_persona', refused };
}

function overrideBackendFault(entry: PersonaEntry, override: BindingOverride | null): Fault | undefined {
  if (override?.backend === undefined || entry.persona.backend === override.backend) return undefined;
  const message = `${labelOf(entry)} runs on ${entry.persona.backend}, but ${override.backend} was requested`;
  return { rule: 'override_backend', message };
}

/**
 * The first choice, in the order of each instance's candidates, with a different backend for every instance. Undefined if
 * there is none.
 */
export function distinctBackends(candidates: readonly PersonaEntry[][]): PersonaEntry[] | undefined {
  const choose = (index: number, taken: PersonaEntry[]): PersonaEntry[] | undefined => {
    if (index === candidates.length) return taken;
    const used = new Set<string>(taken.map(({ persona }) => persona.backend));
    for (const entry of candidates[index] ?? []) {
      if (used.has(entry.persona.backend)) continue;
      // A second persona of the same backend gives later instances no other choice.
      used.add(entry.persona.backend);
      const chosen = choose(index + 1, [...taken, entry]);
      if (chosen) return chosen;
    }
    return undefined;
  };
  return choose(0, []);
}

/** One candidate for each seat, on the backend that fewest seats before it have; of those the most preferred. */
export function variedBackends(candidates: readonly PersonaEntry[][]): PersonaEntry[] {
  const chosen: PersonaEntry[] = [];
  for (const eligible of candidates) {
    const used = ({ persona }: PersonaEntry) =>
      chosen.filter((other) => other.persona.backend === persona.backend).length;
    const fewest = Math.min(...eligible.map(used));
    const entry = eligible.find((candidate) => used(candidate) === fewest);
    if (entry) chosen.push(entry);
  }
  return chosen;
}
