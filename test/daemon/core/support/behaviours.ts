import { describe } from 'vitest';
import type { Behaviour } from '../../../../schemas/events/run.ts';
import { given, type Input, type Story } from './given.ts';
import type { Shape } from './run.ts';

/** The newest, and those of runs that an older devflow began. They finish as they began. */
export const BEHAVIOURS: Behaviour[] = [2, 3, 4, 5, 6, 7];

/** The same tests for runs of each of these behaviours. */
export function describeBehaviours(
  tests: (given: (shape: Shape, ...inputs: Input[]) => Story, behaviour: Behaviour) => void,
): void {
  describe.each(BEHAVIOURS)('with behaviour %i', (behaviour) => {
    tests((shape, ...inputs) => given({ behaviour, ...shape }, ...inputs), behaviour);
  });
}
