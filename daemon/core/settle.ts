import { isTerminal } from '../../schemas/enums.ts';
import { holdsFailure } from '../../schemas/gates/gateKinds.ts';
import { decide } from './decide.ts';
import type { Effect, EffectType } from './effect/effect.ts';
import { stepRun } from './machines/run.ts';
import { isForMessage } from './messages/messageEffects.ts';
import { keepsFailuresLocal } from './run/behaviour.ts';
import { openGates } from './run/query.ts';
import type { Run } from './run/state.ts';

/** These are about a gate that waits, and do no work of the run. */
export function isAboutGate(type: EffectType): boolean {
  return type === 'expireApproval' || type === 'checkRule';
}

/**
 * Derives the state of a run. If only decisions are left, it is `awaiting_approval`, or `paused` if all of them are recovery
 * gates. Older runs recorded these changes as events.
 */
export function settle(run: Run): Run {
  if (!keepsFailuresLocal(run) || isTerminal(run.state) || run.frozen) return run;
  const gates = openGates(run);
  if (gates.length === 0 || decide(run).some(isOwnWork)) return run;
  const state = gates.every(holdsFailure) ? 'paused' : 'awaiting_approval';
  return { ...run, state: stepRun(run.state, state), pausedFrom: state === 'paused' ? run.state : null };
}

/** A run at its gate stays there while its agents get messages. */
export function isOwnWork(effect: Effect): boolean {
  return !isAboutGate(effect.type) && !isForMessage(effect);
}
