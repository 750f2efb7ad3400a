import { agentName } from '../../../schemas/mainLane.ts';
import type { SessionDetail } from '../../../schemas/rpc/views/session.ts';
import { sessionState } from '../../../schemas/states/session.ts';
import { age } from '../../../schemas/time/duration.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, errorOf, type QueryOf, query } from '../../model/query.ts';
import { labelled } from '../../text/labelled.ts';
import { fitWidth, type Line, line, type Style, span, wrap } from '../../text/line.ts';
import { sessionStateWord, stallWords } from '../../text/sessionWords.ts';
import { theme } from '../../text/theme.ts';
import { clock } from '../../text/time.ts';
import { saidLines, waitingLines } from '../messages/messageLines.ts';

/** The newest signals shown. */
const MOST_SIGNALS = 8;

/** The session and its state, above the transcript. */
export function sessionHeadLines(model: Model, columns: number, showsWhy: boolean): Line[] {
  const session = answerOf(model.data, sessionQuery(model));
  if (!session) {
    const error = errorOf(model.data, sessionQuery(model));
    return error
      ? wrap(`${error.message} ${error.hint ?? ''}`, columns - 2, theme.bad).map((each) => line(' ', ...each))
      : [line(span(' Loading…', theme.muted))];
  }
  const { backend, runId, phaseKey, paneId, recoveryAttempts, lastPromptAt, stall, recoveryHint } = session;
  const prompted = lastPromptAt === null ? '' : `  last prompt ${age(lastPromptAt, model.now)} ago`;
  const recovered = recoveryAttempts === 0 ? '' : `  recovered ${recoveryAttempts}×`;
  const who = line(
    ' ',
    ...sessionStateWord(session.state),
    '  ',
    span(agentName(session), theme.title),
    span(` ${backend}`),
    span('  run ', theme.muted),
    span(runId.slice(0, 8), theme.accent),
    phaseKey !== null && span(` ${phaseKey}`),
    span(`  ${paneId === null ? 'no pane' : `pane ${paneId}`}${prompted}${recovered}`, theme.muted),
  );
  const lines = [who];
  const say = (label: string, text: string, look?: Style) =>
    lines.push(...labelledHead(label, text, columns, look).slice(0, showsWhy ? 6 : 2));
  if (stall)
    say('', `${agentName(session)} ${stallWords(stall, model.now)} (for ${age(stall.since, model.now)}).`, theme.warn);
  if (session.failure) say('failure', `${withLocalTimes(session.failure.reason)} (${session.failure.code})`, theme.bad);
  if (recoveryHint !== null) say('hint', withLocalTimes(recoveryHint), theme.warn);
  if (session.expectedArtifactPath !== null)
    say(
      'artifact',
      `${within(session.cwd, session.expectedArtifactPath)}${session.expectedSchema ? ` (${session.expectedSchema})` : ''}`,
    );
  lines.push(...saidAndWaiting(model, session, columns));
  if (showsWhy) lines.push(...whyLines(model, columns));
  return lines;
}

/** The transcript below shows more of what it said. */
const MOST_SAID = 2;

function saidAndWaiting(model: Model, session: SessionDetail, columns: number): Line[] {
  const waiting = waitingLines(model, session, columns - 1);
  const said = saidLines(model, session, columns - 1).slice(0, MOST_SAID);
  return [...said, ...waiting].map((each) => line(' ', ...each));
}

/** The path relative to the agent's directory. */
function within(cwd: string, path: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** Why the session is in its state, and the signals that led there, oldest first. */
function whyLines(model: Model, columns: number): Line[] {
  const why = answerOf(model.data, whyQuery(model));
  if (!why) {
    const error = errorOf(model.data, whyQuery(model));
    return [line(span(` why: ${error?.message ?? 'loading…'}`, theme.muted))];
  }
  const since = why.since === null ? '' : ` (since ${clock(why.since, model.now)})`;
  const signals = why.signals
    .slice(-MOST_SIGNALS)
    .map(({ at, signal, detail, state }) =>
      line(
        span(`   ${clock(at, model.now)}  `, theme.muted),
        ...fitWidth(line(span(signal, theme.accent)), 18),
        ' ',
        withLocalTimes(detail),
        state !== null && span(`  → ${sessionState(state).word}`, theme.muted),
      ),
    );
  return [...labelledHead('why', `${withLocalTimes(why.sentence)}${since}`, columns), ...signals];
}

function labelledHead(label: string, text: string, columns: number, style?: Style): Line[] {
  const width = label === '' ? 1 : label.length + 2;
  return labelled(label === '' ? '' : ` ${label}`, text, columns - 1, width, style);
}

export const sessionQuery = (model: Model): QueryOf<'session.get'> =>
  query('session.get', { sessionId: model.place.id ?? '' });
export const whyQuery = (model: Model): QueryOf<'session.why'> =>
  query('session.why', { sessionId: model.place.id ?? '' });
