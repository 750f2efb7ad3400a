import type { Loaded } from '../../../schemas/definitions/definitions.ts';
import type { Candidate } from '../../../schemas/definitions/lint/known.ts';
import { permissionModeFor } from '../../../schemas/definitions/permissionMode.ts';
import type { Persona } from '../../../schemas/definitions/persona.ts';
import type { Template, TemplateRole } from '../../../schemas/definitions/template.ts';
import { fitFault } from '../../core/binding/candidates.ts';

/** The personas that may play a role, by the rules of binding. */
export function candidatesFor(
  role: TemplateRole,
  template: Template,
  personas: readonly Loaded<Persona>[],
): Candidate[] {
  return personas
    .map(({ name, version, hash, definition }) => ({ id: `${name}@${version}`, hash, persona: definition }))
    .filter((entry) => fitFault(entry, role, template) === undefined)
    .map(({ id, persona }) => ({
      label: id,
      backend: persona.backend,
      mayEdit: permissionModeFor(persona) !== 'read',
    }));
}
