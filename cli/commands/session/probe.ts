import { sessionState } from '../../../schemas/states/session.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { calls } from '../../daemon/withDaemon.ts';
import type { Session } from '../../define/session.ts';
import { printFacts, yesOrNo } from '../../print/output.ts';
import { localTime } from '../../print/text.ts';

/** Exits with 1 if the agent is gone. */
export const action: Session['probe'] = calls(
  'session.probe',
  (io, probe) => {
    printFacts(io, [
      ['session', probe.sessionId],
      ['state', sessionState(probe.state)],
      ['alive', yesOrNo(probe.alive)],
      ['pane active', yesOrNo(probe.paneActive)],
      ['last output', localTime(probe.lastOutputAt)],
      ['hint', withLocalTimes(probe.hint)],
    ]);
  },
  (probe) => (probe.alive ? 0 : 1),
);
