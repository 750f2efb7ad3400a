import { agentName } from '../../../schemas/mainLane.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { SESSION_STATES, sessionState } from '../../../schemas/states/session.ts';
import { age } from '../../../schemas/time/duration.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Session } from '../../define/session.ts';
import { emptyWords, limitOf, printCutNote } from '../../input/lists.ts';
import { type Column, printList } from '../../print/output.ts';
import { localTime, shortId, stallText } from '../../print/text.ts';

export const action: Session['list'] = async (params, { json, all }, io) => {
  const limit = limitOf(params.limit, all);
  return withDaemon(io, async (client) => {
    const sessions = await client.call('session.list', { ...params, limit });
    const whenEmpty = emptyWords('session', params, SESSION_STATES) ?? 'There are no sessions.';
    printList(io, { json, rows: sessions, columns: COLUMNS, whenEmpty });
    await printCutNote(io, client, { of: 'sessions', ...params, shown: sessions.length, limit });
    return 0;
  });
};

export const COLUMNS: Column<SessionSummary>[] = [
  { title: 'SESSION', cell: (session) => shortId(session.sessionId) },
  { title: 'RUN', cell: (session) => shortId(session.runId) },
  { title: 'TITLE', cell: (session) => session.runTitle, cuts: true },
  { title: 'ROLE', cell: agentName },
  { title: 'BACKEND', cell: (session) => session.backend, spare: 1 },
  { title: 'STATE', cell: (session) => sessionState(session.state) },
  { title: 'PANE', cell: (session) => session.paneId, spare: 2 },
  {
    title: 'LAST PROMPT',
    cell: (session) => localTime(session.lastPromptAt),
    brief: (session) => session.lastPromptAt && age(session.lastPromptAt),
  },
  { title: 'BLOCKED BY', cell: (session) => stallText(session.stall) },
];
