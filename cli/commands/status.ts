import { changedSince, readSettingsFiles } from '../../schemas/config/settingsFiles.ts';
import type { StallCause } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { RPC_CODES } from '../../schemas/rpc/envelope.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { EndsCount } from '../../schemas/rpc/views/ends.ts';
import { endsSentence } from '../../schemas/states/ends.ts';
import { GATE_STATES } from '../../schemas/states/gate.ts';
import { hostState } from '../../schemas/states/host.ts';
import { RUN_STATES } from '../../schemas/states/run.ts';
import { SESSION_STATES } from '../../schemas/states/session.ts';
import { needsPerson, STALLS } from '../../schemas/states/stall.ts';
import { type State, stateOf } from '../../schemas/states/state.ts';
import { counted, someOf } from '../../schemas/text/phrases.ts';
import type { Client } from '../client/connect.ts';
import { hasKeeper, readKeeperNews } from '../daemon/keeper.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Status } from '../define/daemon.ts';
import type { Io } from '../io/io.ts';
import { describeAdoption, describePlaces, describeSlots } from '../print/agents.ts';
import { printProblems } from '../print/definition/problems.ts';
import { printClockNotes, printServerNote } from '../print/hostNotes.ts';
import { paint, printFacts, printJson } from '../print/output.ts';
import { localTime, tildePath, visible } from '../print/text.ts';

/** An older daemon does not know the parameter. */
async function askStatus(client: Pick<Client, 'call'>): Promise<RpcResult<'daemon.status'>> {
  return client.call('daemon.status', { ended: true }).catch((error) => {
    if (error instanceof DevflowError && error.data?.rpcCode === RPC_CODES.invalidParams)
      return client.call('daemon.status');
    throw error;
  });
}

/** Exits with 1 if devflow is not running, for scripts. */
export const action: Status = async (_params, { json }, io) => {
  const status = await readDaemon(io, askStatus);
  if (status === undefined) {
    const news = readKeeperNews(io.env);
    if (json)
      printJson(io, {
        daemon: null,
        keeper: news?.record ?? null,
        database: null,
        runs: {},
        approvals: { pending: 0 },
        sessions: {},
        stalls: {},
        problems: [],
      });
    else if (news) io.out(`${paint(io, 'yellow', news.sentence)} ${news.hint}\n`);
    else io.out('devflow is not running. Start it with devflow up.\n');
    return 1;
  }
  if (json) printJson(io, status);
  else {
    const { daemon, database, runs, approvals, sessions, stalls, agents, agentSlots } = status;
    printFacts(io, [
      ['daemon', `pid ${daemon.pid}, version ${daemon.version}, since ${localTime(daemon.startedAt)}`],
      ['keeper', hasKeeper(io.env) ? null : 'none: after a crash devflow stays down (devflow up starts a keeper)'],
      ['socket', daemon.socket],
      ['database', `${database.mode}, ${database.ok ? 'ok' : 'not reachable: see devflow doctor'}`],
      ['Temporal', status.temporal && describeTemporal(status.temporal)],
      ['runs', counts(runs, RUN_STATES)],
      ['runs at work', describePlaces(status.places)],
      ['approvals', counts(approvals, GATE_STATES)],
      ['sessions', counts(sessions, SESSION_STATES)],
      ['blocked by', Object.keys(stalls).length > 0 ? counts(stalls, STALLS) : null],
      ['agents', describeAdoption(agents)],
      ['agents at work', describeSlots(agentSlots)],
      ['ended runs', describeEnds(status.ended)],
      ['schedules', status.schedules && describeSchedules(status.schedules)],
      ['webhook', status.webhook && describeWebhook(status.webhook)],
      ['hosts', status.hosts?.map(describeHost).join(', ')],
    ]);
    printGateNote(io, approvals.pending);
    printServerNote(io, status);
    printClockNotes(io, status.clocks ?? []);
    printAgentNote(io, stalls);
    printProblems(io, status);
    printSettingsNote(io, changedSince(status.settings, readSettingsFiles(resolvePaths(io.env))));
  }
  return status.database.ok ? 0 : 1;
};

function describeSchedules({ count, paused, next }: NonNullable<RpcResult<'daemon.status'>['schedules']>): string {
  const resting = paused > 0 ? `, ${paused} paused` : '';
  return `${count}${resting}${next ? `; next at ${localTime(next.at)}: ${next.title}` : ''}`;
}

function describeEnds(ended: EndsCount | undefined): string | null {
  const left = ended && endsSentence(ended);
  return left === undefined ? null : `${left} (devflow cleanup --ended)`;
}

function describeWebhook({
  host,
  waiting,
  since,
  problem,
}: NonNullable<RpcResult<'daemon.status'>['webhook']>): string {
  if (waiting === 0 || since === null) return host;
  const why = problem === null ? '' : ` (${problem})`;
  return `${host}: ${counted(waiting, 'notice waits', 'notices wait')} since ${localTime(since)}${why}`;
}

function printSettingsNote(io: Io, changed: readonly string[]): void {
  if (changed.length === 0) return;
  const files = visible(someOf(changed.map((path) => tildePath(path, io.env))));
  io.err(`${paint(io, 'yellow', `${files} changed since the daemon started`)}: devflow up offers a restart.\n`);
}

function describeTemporal({ address, namespace, away }: NonNullable<RpcResult<'daemon.status'>['temporal']>): string {
  return away ? `${address}: ${away.reason}, since ${localTime(away.since)}` : `${address}, namespace ${namespace}`;
}

function describeHost(host: NonNullable<RpcResult<'daemon.status'>['hosts']>[number]): string {
  return host.here ? `${host.id} (this one)` : `${host.id} ${hostState(host).word}`;
}

function counts(byState: Partial<Record<string, number>>, states: Readonly<Record<string, State>>): string {
  const parts = Object.entries(byState).filter(([, count]) => count);
  return parts.length === 0
    ? 'none'
    : parts.map(([state, count]) => `${count} ${stateOf(states, state).word}`).join(', ');
}

function printGateNote(io: Io, pending: number): void {
  if (pending === 0) return;
  const what = pending === 1 ? 'A gate waits' : `${pending} gates wait`;
  io.out(`${paint(io, 'yellow', `${what} for your decision: devflow approval list`)}\n`);
}

function printAgentNote(io: Io, stalls: Partial<Record<string, number>>): void {
  if (Object.entries(stalls).some(([cause, count]) => count && needsPerson(cause as StallCause)))
    io.out(`${paint(io, 'yellow', 'An agent waits for you in its pane: devflow attach')}\n`);
}
