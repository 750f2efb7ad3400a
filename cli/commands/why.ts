import { sessionState } from '../../schemas/states/session.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import { calls } from '../daemon/withDaemon.ts';
import type { Why } from '../define/session.ts';
import { paintState, printTable } from '../print/output.ts';
import { localTime, visible } from '../print/text.ts';

export const action: Why = calls('session.why', (io, why) => {
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
});
