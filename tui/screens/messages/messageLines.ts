import type { MessageView } from '../../../schemas/rpc/views/message.ts';
import type { SessionDetail, SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { MESSAGE_STATES, messageState } from '../../../schemas/states/message.ts';
import { titleOf } from '../../../schemas/text/titleOf.ts';
import { age } from '../../../schemas/time/duration.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, type QueryOf, query } from '../../model/query.ts';
import { labelled } from '../../text/labelled.ts';
import { fitWidth, type Line, line, span } from '../../text/line.ts';
import { stateSpan, styleOf } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt } from '../../text/time.ts';

type Of = Pick<SessionSummary, 'sessionId' | 'runId' | 'messages'>;

const queryOf = ({ sessionId, runId }: Of): QueryOf<'message.list'> => query('message.list', { runId, sessionId });
const detailOf = ({ sessionId }: Of): QueryOf<'session.get'> => query('session.get', { sessionId });

/** What `messageLines` shows. Messages are read only if some wait. */
export function messageQueries(session: Of | undefined): QueryOf<'message.list' | 'session.get'>[] {
  return session ? [detailOf(session), ...waitingQueries(session)] : [];
}

/** The messages alone, where no last words are shown. */
export function waitingQueries(session: Of | undefined): QueryOf<'message.list'>[] {
  return session?.messages ? [queryOf(session)] : [];
}

/** The messages that the agent does not have yet, oldest first. */
export function waitingFor(model: Model, session: Of): readonly MessageView[] {
  if (!session.messages) return [];
  return (answerOf(model.data, queryOf(session)) ?? []).filter(({ position }) => position !== null);
}

/** What the agent said last, and what waits for it, in at most so many rows. */
export function messageLines(model: Model, session: Of, { columns, rows }: { columns: number; rows: number }): Line[] {
  const waiting = waitingLines(model, session, columns);
  const shown = waiting.slice(0, Math.max(1, rows - 1));
  const said = saidLines(model, answerOf(model.data, detailOf(session)), columns);
  return [...said.slice(0, Math.max(0, rows - shown.length)), ...shown].slice(0, rows);
}

export function waitingLines(model: Model, session: Of, columns: number): Line[] {
  return waitingFor(model, session).map((message) => fitWidth(messageLine(message), columns));
}

export function saidLines(
  { now }: Model,
  detail: Pick<SessionDetail, 'lastWords'> | undefined,
  columns: number,
): Line[] {
  if (!detail?.lastWords) return [];
  const { text, at } = detail.lastWords;
  const label = `said ${age(at, now)} ago`;
  return labelled(label, text.trim(), columns, label.length + 2);
}

/** The time at which `messageLines` changes by itself. */
export function messageLinesChangeAt(model: Model, session: Of): number | undefined {
  const said = answerOf(model.data, detailOf(session))?.lastWords;
  return said ? ageChangesAt(said.at, model.now) : undefined;
}

/** `◌ queued  1  Use tabs.  waits for the end of its agent's turn`. */
function messageLine(message: MessageView): Line {
  const { position, text, waitsFor, doubt } = message;
  const state = messageState(message);
  const why = doubt ?? (waitsFor === null ? '' : `waits for ${waitsFor}`);
  return line(
    stateSpan(state),
    span(` ${position ?? ''}  `, theme.muted),
    titleOf(text),
    span(`  ${why}`, doubt === null ? theme.muted : theme.warn),
  );
}

/** ` ◌2` after the name of an agent for which messages wait. */
export function waitingSign({ messages }: Pick<SessionSummary, 'messages'>): Line {
  const { sign } = MESSAGE_STATES.queued;
  return messages ? line(span(` ${sign}${messages}`, styleOf(MESSAGE_STATES.queued))) : [];
}
