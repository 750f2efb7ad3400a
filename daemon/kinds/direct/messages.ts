import type { NewEvent } from '../../../schemas/events/index.ts';
import type { MessageCause } from '../../../schemas/events/message.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { fill, RESEND } from '../../core/assignment/prompt.ts';
import { openMessagesOf } from '../../core/run/message.ts';
import { definitionOf, sessionOf } from '../../core/run/query.ts';
import { soFar } from '../../core/run/soFar.ts';
import type { Assignment, PhaseOf, Run, Session } from '../../core/run/state.ts';

type Direct = PhaseOf<'direct'>;

const LOST = 'Your conversation was lost, and this is a new one. Your earlier work is in the worktree.';
const NEXT = 'Look at what is there, and wait: the next message says what to do.';

/** What devflow itself has to write to the agent now. Prompts of an agent that a person leads are messages. */
export function dueMessages(run: Run, phase: Direct, assignment: Assignment): NewEvent[] {
  return [...asked(run, phase, assignment), ...askedAtGate(phase, assignment), ...goOn(run, phase, assignment)];
}

/** The text of the attempt: what the run is for, or the changes that a person wants. */
function asked(run: Run, phase: Direct, assignment: Assignment): NewEvent[] {
  const { asks } = phase;
  if (!asks) return [];
  const messageId = derivedId('message', phase.id, asks.attempt);
  if (run.messages.some(({ id }) => id === messageId)) return [];
  const { instructions = '{{requirements}}' } = definitionOf(run, phase);
  const text =
    asks.why === 'changes'
      ? (phase.changeRequest ?? '')
      : fill(run, phase, assignment, { instructions, file: '', schema: '' });
  return text.trim() === '' ? [] : [queued(phase, assignment, { messageId, text, why: asks.why })];
}

/** A person had it tried again with a comment. */
function askedAtGate(phase: Direct, assignment: Assignment): NewEvent[] {
  const { changeRequest: text, attempt } = assignment;
  if (text === null || text.trim() === '') return [];
  const messageId = derivedId('message', phase.id, phase.attempts, 'retry', attempt);
  return [queued(phase, assignment, { messageId, text, why: 'changes' })];
}

/** After a broken turn, and in a new conversation that knows nothing. */
function goOn(run: Run, phase: Direct, assignment: Assignment): NewEvent[] {
  const session = sessionOf(run, assignment.sessionId);
  if (session?.state !== 'READY' && session?.state !== 'BUSY') return [];
  const lost = isAnew(run, session) ? `${LOST} So far you were asked:\n\n${soFar(run, session.id)}` : undefined;
  const { resend } = assignment;
  if (resend === null && !(lost && openMessagesOf(run, session.id).length > 0)) return [];
  const why: MessageCause = resend === null || resend === 'timeout' ? 'anew' : resend;
  const text = [...(lost ? [lost] : []), resend ? `${RESEND[resend]} Go on and finish it.` : NEXT].join('\n\n');
  const messageId = derivedId('message', session.id, 'go on', session.recoveryAttempts, session.stalls);
  if (run.messages.some(({ id }) => id === messageId)) return [];
  return [queued(phase, assignment, { messageId, text, why })];
}

/** True if a new conversation began since the agent got a message. */
function isAnew({ messages }: Run, { id, conversation }: Session): boolean {
  const got = messages.flatMap((each) => (each.sessionId === id && each.conversation ? [each.conversation] : []));
  return got.length > 0 && got.every((each) => each < conversation);
}

function queued(
  phase: Direct,
  { sessionId }: Assignment,
  message: { messageId: string; text: string; why: MessageCause },
): NewEvent {
  return { type: 'message.queued', phaseId: phase.id, payload: { ...message, sessionId, by: 'devflow' } };
}
