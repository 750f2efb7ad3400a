import { DevflowError } from '../../../schemas/errors.ts';
import { agentName, roleOf } from '../../../schemas/mainLane.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import type { Ids } from '../lookup/ids.ts';
import { runOrSession } from '../lookup/runOrSession.ts';
import type { SessionReads } from './sessionReads.ts';

export interface NamingReads extends Pick<SessionReads, 'listSessions'> {
  ids: Pick<Ids, 'run' | 'session'>;
  getRun(runId: string): Promise<Pick<RunDetail, 'currentPhase' | 'phases' | 'sessions'>>;
}

/** The session that a person names: `devflow attach <run>[/<role>[@<lane>]] | <session>`. */
export async function sessionNamed(target: string, reads: NamingReads): Promise<string> {
  const slash = target.indexOf('/');
  if (slash !== -1) {
    const runId = await reads.ids.run(target.slice(0, slash));
    return sessionOfAgent(runId, target.slice(slash + 1), reads);
  }
  const named = await runOrSession(target, reads.ids);
  return 'sessionId' in named ? named.sessionId : sessionOfRun(named.runId, reads);
}

/** The session whose role plays the current phase, else the only session. An ended session counts only if all have ended. */
async function sessionOfRun(runId: string, reads: NamingReads): Promise<string> {
  const run = await reads.getRun(runId);
  const roles = run.phases.find((phase) => phase.key === run.currentPhase)?.roles ?? [];
  const sessions = openOf(run.sessions);
  const current = sessions.filter((session) => roles.includes(roleOf(session.roleId)));
  const [session, ...others] = current.length > 0 ? current : sessions;
  if (!session) throw new DevflowError('not_found', `run ${runId} has no session yet`, { runId });
  if (others.length > 0) throw severalIn(runId, '', [session, ...others]);
  return session.sessionId;
}

/** Its exact name wins: `coder` is the agent in `main`, although `coder@lane-1` has the same role. */
async function sessionOfAgent(runId: string, name: string, reads: NamingReads): Promise<string> {
  const sessions = await reads.listSessions({ runId });
  const exact = sessions.find((candidate) => [agentName(candidate), fullName(candidate)].includes(name));
  if (exact) return exact.sessionId;
  const [session, ...others] = openOf(sessions.filter((each) => each.roleId === name || roleOf(each.roleId) === name));
  if (session && others.length > 0) throw severalIn(runId, ` of ${name}`, [session, ...others]);
  if (session) return session.sessionId;
  const names = sessions.map(agentName).join(', ') || 'none';
  throw new DevflowError('not_found', `run ${runId} has no session of ${name} (there are: ${names})`, { runId });
}

/** The open sessions; all of them if none is open. */
function openOf(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const open = sessions.filter(({ state }) => state !== 'ENDED');
  return open.length > 0 ? open : sessions;
}

function severalIn(runId: string, of: string, candidates: [SessionSummary, ...SessionSummary[]]): DevflowError {
  const names = candidates.map(agentName);
  return new DevflowError('ambiguous_id', `run ${runId} has several sessions${of}: ${names.join(', ')}`, {
    runId,
    recoveryHint: `Name one of them: devflow attach ${runId.slice(0, 8)}/${names[0]}.`,
    data: { candidates: candidates.map(({ sessionId }) => sessionId) },
  });
}

const fullName = ({ roleId, laneId }: SessionSummary): string => `${roleId}@${laneId}`;
