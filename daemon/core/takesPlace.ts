import { isTerminal } from '../../schemas/enums.ts';
import { endsWithTime, needsPerson } from '../../schemas/states/stall.ts';
import { kindOf } from '../kinds/index.ts';
import { decide } from './decide.ts';
import type { Effect } from './effect/effect.ts';
import { currentPhase, isFrozen, isStalled, sessionOf } from './run/query.ts';
import type { Run } from './run/state.ts';
import { isOwnWork } from './settle.ts';

/**
 * True while the run is at work: one of its agents or commands, or devflow for it. A run that has not begun is not. Nor is one
 * that waits only for a person or a usage limit. `effects`: what `decide` wants, if that is known.
 */
export function takesPlace(run: Run, effects: readonly Effect[] = decide(run)): boolean {
  if (isTerminal(run.state) || run.state === 'created' || isFrozen(run)) return false;
  const phase = currentPhase(run);
  if (phase && (kindOf(phase).atWork?.(run, phase) ?? []).length > 0) return true;
  return effects.some((effect) => isOwnWork(effect) && !isOfResting(run, effect));
}

/** Its agent waits for a person, or for a time that no work of devflow brings nearer. */
function isOfResting(run: Run, effect: Effect): boolean {
  if (!('session' in effect)) return false;
  const session = sessionOf(run, effect.session.sessionId);
  return isStalled(session) && (needsPerson(session.stall.cause) || endsWithTime(session.stall.cause));
}
