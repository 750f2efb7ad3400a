import { RiskLevel } from '../enums.ts';
import { KIND_DEFINITIONS } from '../kinds/index.ts';
import { permissionModeFor } from './persona.ts';
import type { Fault } from './phase/kindDefinition.ts';
import { roleInstances, type Template, type TemplatePhase, type TemplateRole } from './template.ts';

type Roles = Pick<Template, 'roles' | 'phases'>;

/** Two or more agents that would edit in the same worktree at the same time. */
export interface SharedWorktree {
  phaseKey: string;
  /** Role instances: `coder#0`. */
  editors: string[];
}

/**
 * The phases in whose one worktree several role instances may edit. They would overwrite each other's files without notice.
 * Lanes have a worktree each.
 */
export function sharedWorktrees(
  template: Roles,
  mayEdit: (roleId: string, role: TemplateRole) => boolean,
): SharedWorktree[] {
  return template.phases
    .filter(({ kind }) => KIND_DEFINITIONS[kind].sharesWorktree)
    .map((phase) => ({ phaseKey: phase.key, editors: editorsOf(template, phase, mayEdit) }))
    .filter(({ editors }) => editors.length > 1);
}

function editorsOf({ roles }: Roles, phase: TemplatePhase, mayEdit: (roleId: string, role: TemplateRole) => boolean) {
  const taking = roles.filter(({ id }) => phase.roles.includes(id));
  return taking.flatMap((role) => roleInstances(role).filter((roleId) => mayEdit(roleId, role)));
}

/** The same, where every persona that fits the roles may edit. */
export function certainlyShared(template: Roles): SharedWorktree[] {
  const editing = new Set(template.roles.filter((role) => alwaysEdits(template, role)).map(({ id }) => id));
  return sharedWorktrees(template, (_, { id }) => editing.has(id));
}

/**
 * True if every persona that fits the role may edit. Such a persona has at least the role's capabilities and the risk
 * of its phases. More of either never reduces a permission.
 */
function alwaysEdits({ phases }: Roles, { id, requiredCapabilities }: TemplateRole): boolean {
  const ranks = phases.filter(({ roles }) => roles.includes(id)).map(({ risk }) => RiskLevel.options.indexOf(risk));
  const maxRiskLevel = RiskLevel.options[Math.max(0, ...ranks)] ?? 'low';
  return permissionModeFor({ maxRiskLevel, capabilities: requiredCapabilities }) !== 'read';
}

/** The fault and its remedy, without a full stop. */
export function sharedWorktreeSentence({ phaseKey, editors }: SharedWorktree): string {
  const who = `${editors.slice(0, -1).join(', ')} and ${editors.at(-1)}`;
  return `${who} may edit files in phase ${phaseKey}, share one worktree and would overwrite each other; ${INSTEAD}`;
}

/** Warns where the choice of personas decides whether agents overwrite each other. */
export function possiblyShared(template: Roles, editorsFor: (role: TemplateRole) => string[]): Fault[] {
  const fitting = new Map(template.roles.map((role) => [role.id, editorsFor(role)]));
  const editorsOf = ({ id }: TemplateRole) => fitting.get(id) ?? [];
  return sharedWorktrees(template, (_, role) => editorsOf(role).length > 0).map(({ phaseKey, editors }) => {
    const index = template.phases.findIndex(({ key }) => key === phaseKey);
    const roles = template.roles.filter(({ id }) => template.phases[index]?.roles.includes(id));
    const who = [...new Set(roles.flatMap(editorsOf))].join(', ');
    const message = `${editors.join(', ')} share one worktree in phase ${phaseKey}; devflow refuses a run that binds more than one of them to a persona that may edit (${who})`;
    return { path: ['phases', index, 'roles'], code: 'may_share_worktree', message };
  });
}

const INSTEAD =
  'give each editor its own phase, use a phase of kind lanes, or bind personas that only read (maxRiskLevel: low) to all but one';
