import type { Backend } from '../../schemas/enums.ts';
import { parseBackends } from './parse.ts';

/** What starts if nobody names a template: one agent, which a person leads. */
export const LED = 'direct@1';
/** The role of its agent. */
const ROLE = 'implementer';

/** The name of a program alone is that of the agent that the person leads. */
export function backendsOf(given: readonly string[] | undefined, isLed: boolean): Record<string, Backend> {
  const named = (given ?? []).map((each) => (isLed && !each.includes('=') ? `${ROLE}=${each}` : each));
  return parseBackends(named);
}
