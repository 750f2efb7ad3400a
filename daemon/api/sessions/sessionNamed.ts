import { DevflowError } from '../../../schemas/errors.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import type { Ids } from '../lookup/ids.ts';
import type { SessionReads } from './sessionReads.ts';

export interface NamingReads extends Pick<SessionReads, 'listSessions'> {
  ids: Pick<Ids, 'run' | 'session'>;
  getRun(runId: string): Promise<Pick<RunDetail, 'currentPhase' | 'phases' | 'sessions'>>;
}

/** The session that a person names: `devflow attach <run>[/<role>] | <session>`. */
export async function sessionNamed(target: string, reads: NamingReads): Promise<string> {
  const slash = target.indexOf('/');
  if (slash !== -1) {
    const runId = await reads.ids.run(target.slice(0, slash));
    return sessionOfRole(runId, target.slice(slash + 1), reads);
  }
  const session = await found(reads.ids.session(target));
  const run = await found(reads.ids.run(target));
  if (session !== undefined && run !== undefined) {
    throw new DevflowError('ambiguous_id', `${target} begins the id of a session and of a run`, {
      data: { candidates: [session, run] },
    });
  }
  if (session !== undefined) return session;
  if (run !== undefined) return sessionOfRun(run, reads);
  throw new DevflowError('not_found', `no run or session begins with ${target}`);
}

async function found(id: Promise<string>): Promise<string | undefined> {
  try {
    return await id;
  } catch (error) {
    if (error instanceof DevflowError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The session whose role plays the current phase, else the only session. */
async function sessionOfRun(runId: string, reads: NamingReads): Promise<string> {
  const run = await reads.getRun(runId);
  const roles = run.phases.find((phase) => phase.key === run.currentPhase)?.roles ?? [];
  const current = run.sessions.filter((session) => roles.includes(roleOf(session)));
  const candidates = current.length > 0 ? current : run.sessions;
  const [session, another] = candidates;
  if (!session) throw new DevflowError('not_found', `run ${runId} has no session yet`, { runId });
  if (another) {
    const names = candidates.map((candidate) => candidate.roleId);
    throw new DevflowError('ambiguous_id', `run ${runId} has several sessions: ${names.join(', ')}`, {
      runId,
      recoveryHint: `Name a role: devflow attach ${runId.slice(0, 8)}/<role>.`,
      data: { candidates: candidates.map((candidate) => candidate.sessionId) },
    });
  }
  return session.sessionId;
}

async function sessionOfRole(runId: string, roleId: string, reads: NamingReads): Promise<string> {
  const sessions = await reads.listSessions({ runId });
  const session = sessions.find((candidate) => candidate.roleId === roleId);
  if (session) return session.sessionId;
  const names = sessions.map((candidate) => candidate.roleId).join(', ') || 'none';
  throw new DevflowError('not_found', `run ${runId} has no session for role ${roleId} (there are: ${names})`, {
    runId,
  });
}

/** A role with `count` above 1 has role ids `role#0`, `role#1`. */
function roleOf(session: SessionSummary): string {
  return session.roleId.split('#')[0] ?? session.roleId;
}
