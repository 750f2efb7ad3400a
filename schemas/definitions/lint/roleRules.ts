import type { Fault } from '../phase/kindDefinition.ts';
import { certainlyShared, possiblyShared } from '../sharedWorktree.ts';
import type { Template, TemplateRole } from '../template.ts';
import { ableCandidates, absence, mustEditIn } from './absentRoles.ts';
import type { Candidate, Known } from './known.ts';

/** Rules about the personas that play the roles. */
export function roleRules(template: Template, known: Pick<Known, 'candidates' | 'isAvailable'>): Fault[] {
  const used = new Set(template.phases.flatMap(({ roles }) => roles));
  const fitting = new Map(template.roles.map((role) => [role.id, known.candidates(role, template)]));
  const of = ({ id }: TemplateRole) => fitting.get(id) ?? [];
  return [
    ...template.roles.flatMap((role, index): Fault[] => {
      const path = ['roles', index];
      if (!used.has(role.id)) return [{ path, code: 'unused_role', message: `no phase uses the role ${role.id}` }];
      return castFault(template, role, of(role), known, path);
    }),
    ...mayShare(template, of),
  ];
}

/** Only where the roles alone do not decide it already. */
function mayShare(template: Template, of: (role: TemplateRole) => readonly Candidate[]): Fault[] {
  const certain = new Set(certainlyShared(template).map(({ phaseKey }) => phaseKey));
  const open = {
    ...template,
    phases: template.phases.map((phase) => (certain.has(phase.key) ? { ...phase, roles: [] } : phase)),
  };
  return possiblyShared(open, (role) => of(role).flatMap(({ mayEdit, label }) => (mayEdit ? [label] : [])));
}

function castFault(
  template: Template,
  role: TemplateRole,
  fitting: readonly Candidate[],
  known: Pick<Known, 'isAvailable'>,
  path: (string | number)[],
): Fault[] {
  const able = ableCandidates(template, role, fitting);
  if (able.length === 0) {
    const needs = role.requiredCapabilities.join(', ') || 'no capability';
    const editing = mustEditIn(template, role) ? ', may edit' : '';
    const message = `no persona may play ${role.id}: none is for this role, has ${needs}${editing} and accepts its risk`;
    return [{ path, code: 'no_persona', message }];
  }
  const absent = absence(able, known);
  return absent === undefined ? [] : [{ path, code: 'backend_absent', message: `${role.id} has no agent: ${absent}` }];
}
