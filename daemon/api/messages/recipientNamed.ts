import { DevflowError } from '../../../schemas/errors.ts';
import { agentName, roleOf } from '../../../schemas/mainLane.ts';
import { type Recipient, recipientsOf } from '../../core/messages/recipients.ts';
import { currentPhase, definitionOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { getRun, type Ids } from '../lookup/ids.ts';
import { runOrSession } from '../lookup/runOrSession.ts';

export interface NamingParts {
  ids: Pick<Ids, 'run' | 'session'>;
  engine: Pick<RunEngine, 'readRun'>;
  /** The run of a session. Throws `not_found`. */
  runOfSession(sessionId: string): Promise<string>;
}

export interface Named {
  run: Run;
  recipients: Recipient[];
}

/** The agent that a person names: a run, run/role, run/role@lane or session. Its session need not exist yet. */
export async function recipientNamed(target: string, parts: NamingParts): Promise<Named> {
  const { ids, engine, runOfSession } = parts;
  const slash = target.indexOf('/');
  if (slash !== -1) {
    const run = await getRun(engine, await ids.run(target.slice(0, slash)));
    return { run, recipients: [withName(run, target.slice(slash + 1))] };
  }
  const named = await runOrSession(target, ids, NAME_THE_RUN);
  if ('runId' in named) {
    const run = await getRun(engine, named.runId);
    return { run, recipients: [ofCurrentPhase(run)] };
  }
  const run = await getRun(engine, await runOfSession(named.sessionId));
  return { run, recipients: recipientsOf(run).filter(({ sessionId }) => sessionId === named.sessionId) };
}

const NAME_THE_RUN = 'Name the run first: devflow message <run> "...". See the runs with devflow ls.';

/** All agents of the run that have a session, of this role and lane if they are given. */
export function recipientsOfRun(run: Run, { role, lane }: { role?: string; lane?: string }): Recipient[] {
  const present = new Set(run.sessions.map(({ id }) => id));
  const fits = recipientsOf(run).filter(
    (each) =>
      !each.hasEnded &&
      (role === undefined || each.roleId === role || roleOf(each.roleId) === role) &&
      (lane === undefined || each.laneId === lane),
  );
  const begun = fits.filter(({ sessionId }) => present.has(sessionId));
  const chosen = begun.length > 0 ? begun : fits;
  if (chosen.length > 0) return chosen;
  throw noSuch(run, [role, lane].filter((part) => part !== undefined).join('@') || 'it');
}

/** Its exact name wins: `coder` is the agent in `main`, although `coder@lane-1` has the same role. */
function withName(run: Run, name: string): Recipient {
  const all = recipientsOf(run);
  const exact = all.find((each) => [agentName(each), `${each.roleId}@${each.laneId}`].includes(name));
  if (exact) return exact;
  return only(
    run,
    all.filter((each) => !each.hasEnded && roleOf(each.roleId) === name),
    name,
  );
}

/** The agent whose role plays the current phase, else the only one. */
function ofCurrentPhase(run: Run): Recipient {
  const phase = currentPhase(run);
  const roles: readonly string[] = phase ? definitionOf(run, phase).roles : [];
  const all = recipientsOf(run).filter(({ hasEnded }) => !hasEnded);
  const current = all.filter((each) => roles.includes(roleOf(each.roleId)));
  const present = new Set(run.sessions.map(({ id }) => id));
  const begun = current.filter(({ sessionId }) => present.has(sessionId));
  return only(run, [begun, current, all].find((each) => each.length > 0) ?? [], 'it');
}

function only(run: Run, candidates: readonly Recipient[], name: string): Recipient {
  const [first, ...others] = candidates;
  if (!first) throw noSuch(run, name);
  if (others.length === 0) return first;
  const names = candidates.map(agentName);
  throw new DevflowError('ambiguous_id', `Run ${run.id} has several agents: ${names.join(', ')}.`, {
    runId: run.id,
    recoveryHint: `Name one of them: devflow message ${run.id.slice(0, 8)}/${names[0]}. Or all: --run ${run.id.slice(0, 8)}.`,
    data: { candidates: candidates.map(({ sessionId }) => sessionId) },
  });
}

function noSuch(run: Run, name: string): DevflowError {
  const names = recipientsOf(run)
    .filter(({ hasEnded }) => !hasEnded)
    .map(agentName);
  return new DevflowError(
    'not_found',
    `Run ${run.id} has no agent of ${name} (there are: ${names.join(', ') || 'none'}).`,
    {
      runId: run.id,
    },
  );
}
