import type { Known } from '../../../../schemas/definitions/lint/known.ts';
import { Backend } from '../../../../schemas/enums.ts';

/** The agents that can work on this machine, for the author of a template. The fake agent is only for rehearsals. */
export function workingBackends({ isAvailable }: Pick<Known, 'isAvailable'>): Backend[] {
  return Backend.options.filter((backend) => backend !== 'fake' && isAvailable?.(backend) === true);
}
