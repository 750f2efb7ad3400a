import type { Effect, EffectOf, SessionStart } from '../../core/effect/effect.ts';
import { currentPhase, sessionOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { kindOf } from '../../kinds/index.ts';
import type { AgentNeed } from './agentSlots.ts';

type AgentEffect = Exclude<Extract<Effect, { session: SessionStart }>, EffectOf<'sendMessage'>>;

/**
 * The agents that a run needs for its due effects, in their order. An agent needs one slot for all its effects, from its start
 * or its prompt until its artifact is found.
 */
export function agentNeeds(run: Run, due: readonly Effect[], inFlight: readonly Effect[]): AgentNeed[] {
  const needs = new Map<string, AgentNeed>();
  const add = ({ session: { sessionId } }: AgentEffect, isAtWork: boolean) =>
    needs.set(sessionId, { sessionId, isAtWork: isAtWork || needs.get(sessionId)?.isAtWork === true });
  for (const effect of due) {
    if (isOfAgent(effect) && !waitsForLimit(run, effect)) add(effect, !beginsWork(effect));
  }
  // Also an aborted one: its performer may finish its work all the same.
  for (const effect of inFlight) if (beginsWork(effect)) add(effect, true);
  const phase = currentPhase(run);
  for (const sessionId of (phase && kindOf(phase).atWork?.(run, phase)) ?? [])
    needs.set(sessionId, { sessionId, isAtWork: true });
  return [...needs.values()];
}

/**
 * True if the effect waits for a slot. An agent whose artifact is awaited works already. A message needs none, as a person
 * who writes into the pane needs none.
 */
export function beginsWork(effect: Effect): effect is Exclude<AgentEffect, EffectOf<'awaitArtifact'>> {
  return isOfAgent(effect) && effect.type !== 'awaitArtifact';
}

function isOfAgent(effect: Effect): effect is AgentEffect {
  return 'session' in effect && effect.type !== 'sendMessage';
}

/** A usage limit may last for hours, and agents of other backends can work meanwhile. */
function waitsForLimit(run: Run, effect: AgentEffect): boolean {
  return effect.type === 'awaitArtifact' && sessionOf(run, effect.session.sessionId)?.stall?.cause === 'quota';
}
