import { withLocalTimes } from '../../schemas/localTime.ts';
import { sessionState } from '../../schemas/states/session.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printFacts, printJson, yesOrNo } from '../print/output.ts';
import { localTime } from '../print/text.ts';

/** Exits with 1 if the agent is gone. */
export const action: Action = async ([sessionId]: [string], { json }: { json?: boolean }, io) => {
  const probe = await withDaemon(io, (client) => client.call('session.probe', { sessionId }));
  if (json) printJson(io, probe);
  else {
    printFacts(io, [
      ['session', probe.sessionId],
      ['state', sessionState(probe.state)],
      ['alive', yesOrNo(probe.alive)],
      ['pane active', yesOrNo(probe.paneActive)],
      ['last output', localTime(probe.lastOutputAt)],
      ['hint', withLocalTimes(probe.hint)],
    ]);
  }
  return probe.alive ? 0 : 1;
};
