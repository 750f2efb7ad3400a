import { withLocalTimes } from '../../schemas/localTime.ts';
import { sessionState } from '../../schemas/states/session.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { paintState, printJson, printTable } from '../print/output.ts';
import { localTime, visible } from '../print/text.ts';

export const action: Action = async ([sessionId]: [string], { json }: { json?: boolean }, io) => {
  const why = await withDaemon(io, (client) => client.call('session.why', { sessionId }));
  if (json) printJson(io, why);
  else {
    io.out(
      `${paintState(io, sessionState(why.state))}${why.since ? ` since ${localTime(why.since)}` : ''}: ${visible(withLocalTimes(why.sentence))}\n\n`,
    );
    printTable(
      io,
      why.signals,
      [
        { title: 'AT', cell: (signal) => localTime(signal.at) },
        { title: 'STATE', cell: (signal) => signal.state && sessionState(signal.state) },
        { title: 'SIGNAL', cell: (signal) => signal.signal },
        { title: 'DETAIL', cell: (signal) => withLocalTimes(signal.detail) },
      ],
      'No signals are recorded.',
    );
  }
  return 0;
};
