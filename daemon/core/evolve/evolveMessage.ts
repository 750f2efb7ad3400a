import type { RunEvent } from '../../../schemas/events/index.ts';
import { isTurnOver } from '../../../schemas/states/stall.ts';
import { titleOf } from '../../../schemas/text/titleOf.ts';
import { stepsSession } from '../machines/session.ts';
import { ledPhaseOf, patchLed } from '../run/led.ts';
import type { Message } from '../run/message.ts';
import { patchAssignments, patchNewest, patchPhase, patchSession } from '../run/patch.ts';
import type { Run } from '../run/state.ts';

type MessageEvent = Extract<
  RunEvent,
  { type: 'message.queued' | 'message.sent' | 'message.withdrawn' | 'message.doubted' | 'message.settled' }
>;

/** Messages to agents. They change nothing of what a phase waits for. */
export function evolveMessage(run: Run, event: MessageEvent): Run {
  switch (event.type) {
    case 'message.queued':
      return written({ ...named(run, event), messages: [...run.messages, queued(event)] }, event);
    case 'message.sent':
      return sent(run, event);
    case 'message.withdrawn':
      return patchMessage(run, event.payload.messageId, () => ({ state: 'withdrawn' }));
    case 'message.doubted': {
      const { messageId, nth, reason } = event.payload;
      return patchMessage(run, messageId, () => ({ state: 'uncertain', doubts: nth, doubt: reason, settled: null }));
    }
    case 'message.settled': {
      const { messageId, ...settled } = event.payload;
      return patchMessage(run, messageId, () => ({ state: 'queued', settled }));
    }
    default:
      return event satisfies never;
  }
}

type Of<T extends MessageEvent['type']> = Extract<MessageEvent, { type: T }>;

function queued({ payload, ts: at }: Of<'message.queued'>): Message {
  const { messageId: id, sessionId, text, by, why = null, now = false } = payload;
  const nothingYet = { sentAt: null, conversation: null, proof: null, doubts: 0, doubt: null, settled: null };
  return { id, sessionId, text, by, why, now, state: 'queued', at, ...nothingYet };
}

/** A run without requirements is called after the first message to its agent. */
function named(run: Run, { payload: { text, by } }: Of<'message.queued'>): Run {
  if (by === 'devflow' || run.agentTitle !== null || run.requirementsMd.trim() !== '') return run;
  return { ...run, agentTitle: titleOf(text) };
}

/** devflow wrote what was due to an agent that a person leads. */
function written(run: Run, { payload: { sessionId, why } }: Of<'message.queued'>): Run {
  if (why === undefined || why === 'requirements') return run;
  return patchLed(run, sessionId, () => (why === 'changes' ? { changeRequest: null } : { resend: null }));
}

/**
 * A turn begins with it. So the last one did not end without its file, and its deadline begins again. An agent that takes it
 * is well again.
 */
function sent(run: Run, { payload, ts }: Of<'message.sent'>): Run {
  const { messageId, sessionId, proof, conversation } = payload;
  const next = patchMessage(run, messageId, () => ({ state: 'sent', sentAt: ts, proof, conversation, settled: null }));
  const isLed = ledPhaseOf(run, sessionId) !== undefined;
  const awake = patchSession(next, sessionId, ({ state, stall, recoveryAttempts }) => ({
    ...(isLed && state === 'READY' ? { state: stepsSession(state, 'BUSY') } : {}),
    recoveryBase: recoveryAttempts,
    stall: stall && isTurnOver(stall.cause) ? null : stall,
  }));
  const phase = awake.phases.find(({ assignments }) => assignments.some((each) => isAwaited(each, sessionId)));
  if (!phase) return awake;
  return patchPhase(awake, phase.id, (at) => ({
    assignments: patchAssignments(
      at,
      (each) => isAwaited(each, sessionId),
      ({ prompt }) => ({ prompt: prompt && { ...prompt, since: ts } }),
    ),
  }));
}

function isAwaited({ sessionId, status }: Run['phases'][number]['assignments'][number], of: string): boolean {
  return sessionId === of && status === 'prompted';
}

function patchMessage(run: Run, id: string, change: (message: Message) => Partial<Message>): Run {
  return { ...run, messages: patchNewest(run.messages, (message) => message.id === id, change) };
}
