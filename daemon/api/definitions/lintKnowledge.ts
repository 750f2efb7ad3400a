import type { Schemas } from '../../../schemas/definitions/definitionFile.ts';
import type { Definitions } from '../../../schemas/definitions/definitions.ts';
import type { Known } from '../../../schemas/definitions/lint/known.ts';
import type { Backends } from '../../core/binding/candidates.ts';
import { cannotFail } from '../../discovery/cannotFail/cannotFail.ts';
import { checkPolicy } from '../../policy/policy.ts';
import { candidatesFor } from './candidatesFor.ts';

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
    ...(backends && { isAvailable: (backend) => backends[backend].enabled && backends[backend].available }),
  };
}
