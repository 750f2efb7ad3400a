import { KIND_DEFINITIONS } from '../../kinds/index.ts';
import { permissionModeFor } from '../persona.ts';
import { gatesOf, hasWriters, type Template, type TemplatePhase } from '../template.ts';

/** True if agents of the phase may change files of the repository. */
export function mayChange({ roles }: Pick<Template, 'roles'>, phase: TemplatePhase): boolean {
  const canEdit = () =>
    roles.some((role) => phase.roles.includes(role.id) && mayEdit(role.requiredCapabilities, phase));
  return KIND_DEFINITIONS[phase.kind].mayChange(phase, canEdit);
}

/** A persona may accept more risk than a phase of low risk asks for. */
function mayEdit(capabilities: Template['roles'][number]['requiredCapabilities'], { risk }: TemplatePhase): boolean {
  return permissionModeFor({ capabilities, maxRiskLevel: risk === 'low' ? 'medium' : risk }) !== 'read';
}

/** True if a run always comes to the phase. */
export function isSure({ optional = false, skipWhen }: TemplatePhase): boolean {
  return !optional && skipWhen === undefined;
}

/** The gates of each phase, in order. */
export function allGates(template: Pick<Template, 'defaultGates' | 'phases'>): string[][] {
  return template.phases.map((phase) => gatesOf(template, phase));
}

/** The index of the phase that gets the changes asked for at a gate of this one. Its own if there is no other. */
export function producerOf({ phases }: Pick<Template, 'phases'>, index: number): number {
  const phase = phases[index];
  if (!phase || KIND_DEFINITIONS[phase.kind].producer === 'itself') return index;
  const before = phases.slice(0, index).findLastIndex(hasWriters);
  return before < 0 ? index : before;
}
