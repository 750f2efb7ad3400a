import type { Loaded } from '../../../schemas/definitions/definitions.ts';
import type { Persona } from '../../../schemas/definitions/persona.ts';
import { possiblyShared } from '../../../schemas/definitions/sharedWorktree.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { candidatesFor } from './candidatesFor.ts';

/** Why devflow may refuse a run of this template, depending on its personas. */
export function templateWarnings(template: Template, personas: readonly Loaded<Persona>[]): ValidationError[] {
  return possiblyShared(template, (role) =>
    candidatesFor(role, template, personas)
      .filter(({ mayEdit }) => mayEdit)
      .map(({ label }) => label),
  ).map(({ path, message }) => ({ path: path.join('.'), message }));
}
