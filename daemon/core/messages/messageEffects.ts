import { defined } from '../../../schemas/defined.ts';
import { type MessageEnvelope, messageHash } from '../../../schemas/envelope.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { isTurnOver } from '../../../schemas/states/stall.ts';
import { agentFirst, sessionStart } from '../assignment/effects.ts';
import type { Effect, EffectOf } from '../effect/effect.ts';
import { promptUuid } from '../run/keys.ts';
import { isSessionEnded } from '../run/lanes.ts';
import { isLedPhase } from '../run/led.ts';
import { isOpen, keepsGoing, type Message } from '../run/message.ts';
import { currentPhase, isBroken, isHeld, isLaneHeld, isPhaseAtWork } from '../run/query.ts';
import type { Run, Session } from '../run/state.ts';
import { lanesToSetUp } from '../setup/lanesToSetUp.ts';

/**
 * The effects that bring messages to agents at rest, also while a gate holds the phase. `others` are what the run does
 * anyway: an agent that starts, or gets a prompt, gets its message later.
 */
export function messageEffects(run: Run, others: readonly Effect[]): Effect[] {
  return nextMessages(run).flatMap((message) => {
    const session = run.sessions.find(({ id }) => id === message.sessionId);
    if (!session || isSessionEnded(run, session) || comesFirst(run, session, others)) return [];
    if (isBroken(session)) return agentFirst(run, session, 'message').map(forMessage);
    return isAtRest(session) ? [sendMessage(run, session, message)] : [];
  });
}

/**
 * The oldest message of each session that has not arrived. Those behind an uncertain one wait for a person. A turn that was
 * broken off goes on before another begins.
 */
function nextMessages({ messages }: Run): Message[] {
  const next = new Map<string, Message>();
  for (const message of messages.filter(isOpen).toSorted((a, b) => orderOf(a) - orderOf(b))) {
    if (!next.has(message.sessionId)) next.set(message.sessionId, message);
  }
  return [...next.values()].filter(({ state }) => state === 'queued');
}

/** First what a new conversation must know, then the turn that was broken off. */
function orderOf(message: Message): number {
  if (message.why === 'anew') return 0;
  return keepsGoing(message) ? 1 : 2;
}

/** True if the phase wants something else of the agent first. */
function comesFirst(run: Run, session: Session, others: readonly Effect[]): boolean {
  if (others.some((effect) => isOf(effect, session) && effect.type !== 'awaitArtifact')) return true;
  const phase = currentPhase(run);
  if (!phase || !isPhaseAtWork(phase) || isHeld(run, phase)) return false;
  const { id, laneId } = session;
  if (laneId !== MAIN && isLaneHeld(run, phase, laneId)) return false;
  const isInSetup = lanesToSetUp(run, phase).some((lane) => lane.id === laneId);
  if (isInSetup) return true;
  return (
    !isLedPhase(phase) && phase.assignments.some(({ sessionId, status }) => sessionId === id && status === 'to_prompt')
  );
}

function isOf(effect: Effect, { id }: Session): boolean {
  return 'session' in effect && effect.session.sessionId === id;
}

/** By the log. The delivery itself waits until the agent is free, whatever a person does in its pane. */
function isAtRest({ state, stall }: Session): boolean {
  return state === 'READY' || (state === 'BUSY' && stall !== null && isTurnOver(stall.cause));
}

function sendMessage(run: Run, session: Session, message: Message): Effect {
  const { settled } = message;
  const suffix = settled ? `:settled:${settled.nth}` : '';
  return {
    type: 'sendMessage',
    runId: run.id,
    key: `sendMessage:${message.id}:${session.recoveryAttempts}${suffix}`,
    session: sessionStart(run, session),
    message: envelopeOf(run, session, message),
    ...defined({ assumeTaken: settled?.taken, answer: settled?.nth }),
  };
}

export function envelopeOf(
  { id: runId }: Pick<Run, 'id'>,
  { roleId }: Pick<Session, 'roleId'>,
  { id: messageId, text }: Pick<Message, 'id' | 'text'>,
): MessageEnvelope {
  const dedupKey = messageHash(messageId);
  return { uuid: promptUuid(dedupKey), runId, roleId, messageId, dedupKey, text };
}

function forMessage(effect: Effect): Effect {
  return effect.type === 'recoverSession' ? { ...effect, forMessage: true } : effect;
}

/** True for what is done only because of a message. The run waits for nothing of it. */
export function isForMessage(effect: Effect): effect is EffectOf<'sendMessage' | 'recoverSession'> {
  return effect.type === 'sendMessage' || (effect.type === 'recoverSession' && effect.forMessage === true);
}
