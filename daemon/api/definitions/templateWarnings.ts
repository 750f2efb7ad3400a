import type { Loaded } from '../../../schemas/definitions/definitions.ts';
import { permissionModeFor } from '../../../schemas/definitions/permissionMode.ts';
import type { Persona } from '../../../schemas/definitions/persona.ts';
import { sharedWorktrees } from '../../../schemas/definitions/sharedWorktree.ts';
import type { Template, TemplateRole } from '../../../schemas/definitions/template.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { fitFault } from '../../engine/core/binding/candidates.ts';

/** Why devflow may refuse a run of this template, depending on its personas. */
export function templateWarnings(template: Template, personas: readonly Loaded<Persona>[]): ValidationError[] {
  const editorsFor = (role: TemplateRole) =>
    personas
      .map(({ name, version, hash, definition }) => ({ id: `${name}@${version}`, hash, persona: definition }))
      .filter((entry) => fitFault(entry, role, template) === undefined)
      .filter(({ persona }) => permissionModeFor(persona) !== 'read')
      .map(({ id }) => id);
  return sharedWorktrees(template, (_, role) => editorsFor(role).length > 0).map(({ phaseKey, editors }) => {
    const index = template.phases.findIndex(({ key }) => key === phaseKey);
    const roles = template.roles.filter(({ id }) => template.phases[index]?.roles.includes(id));
    const who = [...new Set(roles.flatMap(editorsFor))].join(', ');
    const message = `${editors.join(', ')} share one worktree in phase ${phaseKey}; devflow refuses a run that binds more than one of them to a persona that may edit (${who})`;
    return { path: `phases.${index}.roles`, message };
  });
}
