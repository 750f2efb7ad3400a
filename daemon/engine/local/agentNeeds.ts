import type { Effect, EffectOf, SessionStart } from '../core/run/effect.ts';
import { sessionOf } from '../core/run/query.ts';
import type { Run } from '../core/run/state.ts';
import type { AgentNeed } from './agentSlots.ts';

type AgentEffect = Extract<Effect, { session: SessionStart }>;

/**
 * The agents that a run needs for its due effects, in their order. An agent needs one slot for all its effects, from its start
 * or its prompt until its artifact is found.
 */
export function agentNeeds(run: Run, due: readonly Effect[], inFlight: readonly Effect[]): AgentNeed[] {
  const running = new Set(inFlight.map(({ key }) => key));
  // A performer may finish its work although it was aborted. An aborted wait for an artifact ends at once.
  const aborted = inFlight.filter((effect) => beginsWork(effect));
  const needs = new Map<string, AgentNeed>();
  for (const effect of [...due, ...aborted]) {
    if (!isOfAgent(effect) || waitsForLimit(run, effect)) continue;
    const { sessionId } = effect.session;
    const isAtWork = !beginsWork(effect) || running.has(effect.key) || needs.get(sessionId)?.isAtWork === true;
    needs.set(sessionId, { sessionId, isAtWork });
  }
  return [...needs.values()];
}

/** True if the effect waits for a slot. An agent whose artifact is awaited works already. */
export function beginsWork(effect: Effect): effect is Exclude<AgentEffect, EffectOf<'awaitArtifact'>> {
  return isOfAgent(effect) && effect.type !== 'awaitArtifact';
}

function isOfAgent(effect: Effect): effect is AgentEffect {
  return 'session' in effect;
}

/** A usage limit may last for hours, and agents of other backends can work meanwhile. */
function waitsForLimit(run: Run, effect: AgentEffect): boolean {
  return effect.type === 'awaitArtifact' && sessionOf(run, effect.session.sessionId)?.stall?.cause === 'quota';
}
