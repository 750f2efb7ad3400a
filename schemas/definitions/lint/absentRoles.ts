import { KIND_DEFINITIONS } from '../../kinds/index.ts';
import type { Template, TemplateRole } from '../template.ts';
import type { Candidate, Known } from './known.ts';

/** The personas that may play a role and do what its phases ask for. */
export function ableCandidates(template: Template, role: TemplateRole, fitting: readonly Candidate[]): Candidate[] {
  const mustEdit = mustEditIn(template, role);
  return fitting.filter(({ mayEdit }) => mayEdit || !mustEdit);
}

/** True if the role must change files in one of its phases. */
export function mustEditIn({ phases }: Template, { id }: TemplateRole): boolean {
  return phases.some(({ kind, roles }) => KIND_DEFINITIONS[kind].mustEdit && roles.includes(id));
}

/** Why no agent on this machine can play a role, by its id. Empty if nobody looked which agent programs are there. */
export function absentRoles(
  template: Template,
  known: Pick<Known, 'candidates' | 'isAvailable'>,
): Record<string, string> {
  const absent = template.roles.flatMap((role) => {
    const why = absence(ableCandidates(template, role, known.candidates(role, template)), known);
    return why === undefined ? [] : [[role.id, why] as const];
  });
  return Object.fromEntries(absent);
}

/** Undefined without candidates: then the backends are not what is missing. */
export function absence(able: readonly Candidate[], { isAvailable }: Pick<Known, 'isAvailable'>): string | undefined {
  if (!isAvailable || able.length === 0 || able.some(({ backend }) => isAvailable(backend))) return undefined;
  return `it needs one of ${[...new Set(able.map(({ backend }) => backend))].join(', ')}, and none is available`;
}
