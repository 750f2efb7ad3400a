import type { Action } from '../io.ts';
import { printJson, printTable } from '../output.ts';
import { wholeNumber } from '../parse.ts';
import { stallText } from '../stall.ts';
import { localTime, shortId } from '../text.ts';
import { withDaemon } from '../withDaemon.ts';

interface Options {
  json?: boolean;
  run?: string;
  limit?: string;
}

export const action: Action = async (_args: [], { json, run, limit }: Options, io) => {
  const sessions = await withDaemon(io, (client) =>
    client.call('session.list', {
      runId: run,
      limit: limit === undefined ? undefined : wholeNumber('--limit', limit),
    }),
  );
  if (json) printJson(io, sessions);
  else {
    printTable(
      io,
      sessions,
      [
        { title: 'SESSION', cell: (session) => shortId(session.sessionId) },
        { title: 'RUN', cell: (session) => shortId(session.runId) },
        { title: 'ROLE', cell: (session) => session.roleId },
        { title: 'BACKEND', cell: (session) => session.backend },
        { title: 'STATE', cell: (session) => session.state, state: true },
        { title: 'PANE', cell: (session) => session.paneId },
        { title: 'LAST PROMPT', cell: (session) => localTime(session.lastPromptAt) },
        { title: 'KEPT BY', cell: (session) => stallText(session.stall) },
      ],
      'There are no sessions.',
    );
  }
  return 0;
};
