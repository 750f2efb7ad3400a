import { defined } from '../../../schemas/defined.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import type { MessageState, MessageView } from '../../../schemas/rpc/views/message.ts';
import { isTurnOver, stallState } from '../../../schemas/states/stall.ts';
import { recipientsOf } from '../../core/messages/recipients.ts';
import { isOpen, type Message } from '../../core/run/message.ts';
import { isBroken, isFrozen, sessionOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';

/** The messages of a run, oldest first. */
export function messageViews(run: Run): MessageView[] {
  const recipients = new Map(recipientsOf(run).map((each) => [each.sessionId, each]));
  const waiting = new Map<string, number>();
  return run.messages.map((message) => {
    const { id: messageId, sessionId, text, by, why, at, sentAt, proof, doubt } = message;
    const { roleId = '', laneId = '', hasEnded = true } = recipients.get(sessionId) ?? {};
    const state = stateOf(message, isTerminal(run.state) || hasEnded);
    const isWaiting = state === 'queued' || state === 'uncertain';
    const position = isWaiting ? (waiting.get(sessionId) ?? 0) + 1 : null;
    if (position !== null) waiting.set(sessionId, position);
    return {
      messageId,
      runId: run.id,
      sessionId,
      roleId,
      laneId,
      text,
      by,
      ...defined({ why: why ?? undefined }),
      state,
      position,
      waitsFor: state === 'queued' ? waitsFor(run, message, position) : null,
      at,
      sentAt,
      proof,
      doubt: state === 'uncertain' ? doubt : null,
    };
  });
}

function stateOf(message: Message, hasEnded: boolean): MessageState {
  return hasEnded && isOpen(message) ? 'dropped' : message.state;
}

/** Why it is not there yet, as the end of a sentence. */
function waitsFor(run: Run, { sessionId }: Message, position: number | null): string {
  if (position !== null && position > 1) return 'an earlier message';
  if (isFrozen(run)) return 'the run to be resumed';
  const session = sessionOf(run, sessionId);
  if (!session || session.state === 'BOOTSTRAPPING') return 'its agent to start';
  if (isBroken(session)) return 'its agent to be restarted';
  const { stall, state } = session;
  if (stall && !isTurnOver(stall.cause)) return `its agent, which ${stallState(stall.cause).word}`;
  if (state !== 'READY' && !stall) return "the end of its agent's turn";
  return 'its agent to be free';
}
