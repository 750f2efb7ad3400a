import type { Schemas } from '../../../schemas/definitions/definitionFile.ts';
import type { Definitions, Loaded } from '../../../schemas/definitions/definitions.ts';
import type { Candidate, Known } from '../../../schemas/definitions/lint/known.ts';
import { type Persona, permissionModeFor } from '../../../schemas/definitions/persona.ts';
import type { Template, TemplateRole } from '../../../schemas/definitions/template.ts';
import { type Backends, fitFault } from '../../core/binding/candidates.ts';
import { cannotFail } from '../../discovery/cannotFail/cannotFail.ts';
import { checkPolicy } from '../../policy/policy.ts';

/** devflow's knowledge for lint. `backends` says which agent programs are there, if somebody looked. */
export function lintKnowledge(
  schemas: Schemas,
  definitions: Pick<Definitions, 'templates' | 'personas'>,
  backends?: Backends,
): Known {
  return {
    schemas,
    definitions,
    checkCommand: checkPolicy,
    cannotFail: (argv) => cannotFail(argv),
    candidates: (role, template) => candidatesFor(role, template, definitions.personas),
    isAvailable: backends && ((backend) => backends[backend].enabled && backends[backend].available),
  };
}

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
