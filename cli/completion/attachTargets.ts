import { agentName } from '../../schemas/mainLane.ts';
import { runState } from '../../schemas/states/run.ts';
import { sessionState } from '../../schemas/states/session.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';
import { shortId, tildePath } from '../print/text.ts';
import { type Candidate, type Cursor, described } from './cursor.ts';

/** The targets of `devflow attach`: runs, roles and sessions that have a pane. */
export async function attachTargets(client: Client, { word }: Cursor, io: Io): Promise<Candidate[]> {
  const [sessions, runs] = await Promise.all([client.call('session.list'), client.call('run.list')]);
  const withPane = sessions.filter(({ paneId }) => paneId !== null);
  const slash = word.indexOf('/');
  // Keep the run as the person typed it.
  const typed = slash < 0 ? undefined : word.slice(0, slash);
  const found: Candidate[] = [];
  for (const each of runs) {
    const { runId, repoPath, title } = each;
    const agents = withPane.filter((session) => session.runId === runId);
    if (agents.length === 0 || (typed !== undefined && !runId.startsWith(typed))) continue;
    const run = typed ?? shortId(runId);
    found.push([run, described(runState(each).word, title, tildePath(repoPath, io.env))]);
    for (const agent of agents)
      found.push([`${run}/${agentName(agent)}`, `${sessionState(agent.state).word}  ${agent.backend}`]);
  }
  const ids = withPane.map((session): Candidate => {
    const { sessionId, state, runId, runTitle } = session;
    const id = word.length > shortId(sessionId).length ? sessionId : shortId(sessionId);
    return [id, described(sessionState(state).word, `${agentName(session)} of run ${shortId(runId)}`, runTitle)];
  });
  return [...found, ...ids];
}
