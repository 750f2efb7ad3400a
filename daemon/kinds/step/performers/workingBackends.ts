import type { Known } from '../../../../schemas/definitions/lint/known.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../../../schemas/names.ts';

/** The agents that can work on this machine, for the author of a template. The fake agent is only for rehearsals. */
export function workingBackends({ isAvailable }: Pick<Known, 'isAvailable'>): AgentProgram[] {
  return AGENT_PROGRAMS.filter((program) => isAvailable?.(program) === true);
}
