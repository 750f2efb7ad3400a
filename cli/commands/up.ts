import { changedSince, readSettingsFiles } from '../../schemas/config/settingsFiles.ts';
import { watchCluster } from '../../schemas/embeddedServer/watchCluster.ts';
import type { DatabaseMode } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { BUILD, differingReleases, isNewer, type Release, version } from '../../schemas/files/release.ts';
import { type KeeperRecord, runningKeeper } from '../../schemas/keeper/record.ts';
import { keeperSentence } from '../../schemas/keeper/words.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';
import type { Client } from '../client/connect.ts';
import { awaitAgents } from '../daemon/awaitAgents.ts';
import { awaitStableDaemon, startWhenFree } from '../daemon/awaitStableDaemon.ts';
import { runForeground } from '../daemon/foreground.ts';
import { endKeeper, keepDaemon, refuseOtherSocket, startKeptDaemon } from '../daemon/keeper.ts';
import { refuseMarked } from '../daemon/refuseAgent.ts';
import { showOtherStart, showStart } from '../daemon/showStart.ts';
import type { Ready } from '../daemon/startDaemon.ts';
import { stopDaemon } from '../daemon/stopDaemon.ts';
import { readDaemon, withDaemon } from '../daemon/withDaemon.ts';
import type { Action, OwnOf } from '../define/command.ts';
import type { UP } from '../define/daemon.ts';
import { DECLINED } from '../input/confirm.ts';
import { offerRestart, readHindrance } from '../input/offerRestart.ts';
import { NOT_TAKEN, nothingTaken, startTaking } from '../input/takeHost.ts';
import type { Io } from '../io/io.ts';
import { describeAdoption } from '../print/agents.ts';
import { printProblems } from '../print/definition/problems.ts';
import { printServerNote } from '../print/hostNotes.ts';
import { paint, printJson } from '../print/output.ts';

type Status = RpcResult<'daemon.status'>;

/** The longest wait for a daemon that a service or another `devflow up` is starting. */
const STARTING_MS = 60_000;

export const action: Action<typeof UP> = async (_params, options, io) => {
  const { json, db, foreground, takeHost, yes } = options;
  if (takeHost) refuseMarked(io, 'up --take-host');
  const { running, waited } = await settle(io);
  if (running) {
    if (foreground) throw alreadyRunning(running);
    refuseOtherDatabase(running, db);
    if (differingReleases(running.daemon, ownRelease())) await stopOther(io, running, json);
    else if (await wantsNewSettings(io, running, json)) await stopRunning(io);
    else return alreadyUp(io, running, options);
  }
  const mode = db ?? running?.database.mode;
  const env = mode === undefined ? io.env : { ...io.env, DEVFLOW_DB: mode };
  const start = (words: readonly string[]): Promise<number | Ready> =>
    foreground ? runForeground(io, env, words) : startKept(io, env, { waited, words });
  try {
    const answer = takeHost ? await startTaking(io, start, { yes }) : { started: await start([]), isUntaken: false };
    if (answer === NOT_TAKEN) return DECLINED;
    const { started, isUntaken } = answer;
    if (typeof started === 'number') return started;
    const { ms } = started;
    return await withDaemon(io, (client) => reportUp(io, client, { ms, json, replaced: running?.daemon, isUntaken }));
  } catch (error) {
    // Another `devflow up` started a daemon at the same time. Use that one.
    const isOther = !foreground && (error as { code?: string }).code === 'daemon_running';
    const other = isOther ? await soon(() => readStatus(io)) : undefined;
    if (other === undefined) throw error;
    return alreadyUp(io, other, options);
  }
};

/** Starts a daemon under a keeper, and shows what it waits for. */
async function startKept(
  io: Io,
  env: Env,
  { waited, words }: { waited?: KeeperRecord; words: readonly string[] },
): Promise<Ready> {
  const isSecond = words.length > 0;
  // A keeper that waited ends after a start that was refused, and may not have done so yet.
  if (isSecond) await endKeeper(env);
  const progress = showStart(io, { makesCluster: watchCluster(resolvePaths(env).postgresData) });
  try {
    return await startWhenFree(
      () => startKeptDaemon(env, { waited: isSecond ? undefined : waited, words, onWaiting: progress.waits }),
      () => readStatus(io),
    );
  } finally {
    progress.end();
  }
}

/**
 * The daemon that runs, or the keeper that waited to start one. That keeper ends: this start comes at once, and has today's
 * environment. Waits for a daemon that a keeper is just starting for the first time.
 */
async function settle(io: Io): Promise<{ running?: Status; waited?: KeeperRecord }> {
  const end = steadyNow() + STARTING_MS;
  const { keeperFile, logFile } = resolvePaths(io.env);
  let progress: ReturnType<typeof showOtherStart> | undefined;
  try {
    for (;;) {
      const running = await awaitStableDaemon(() => readStatus(io));
      if (running) return { running };
      refuseOtherSocket(io.env);
      const keeper = runningKeeper(keeperFile);
      if (keeper === undefined) return {};
      if (keeper.state === 'waiting') io.err(`${keeperSentence(keeper)} This start tries at once.\n`);
      if (keeper.state === 'waiting' || steadyNow() > end) {
        const waited = await endKeeper(io.env);
        return waited?.state === 'waiting' ? { waited } : {};
      }
      progress ??= showOtherStart(io, { pid: keeper.pid, logFile, patienceMs: STARTING_MS });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    progress?.end();
  }
}

/** Reports that the daemon is ready, and then what became of its agents. */
async function reportUp(
  io: Io,
  client: Client,
  { ms, json, replaced, isUntaken }: { ms: number; json?: boolean; replaced?: Status['daemon']; isUntaken: boolean },
): Promise<number> {
  const first = await client.call('daemon.status');
  if (!json) io.out(`${paint(io, 'green', 'devflow is up')}: ${facts(first)}, ready in ${ms} ms.\n`);
  if (isUntaken) io.err(nothingTaken(first.hosts));
  const status = await awaitAgents(io, client, first);
  if (json) printJson(io, { ...status, started: true, ms, replaced });
  else {
    const fates = describeAdoption(status.agents);
    if (fates !== undefined) io.out(`Agents: ${fates}.\n`);
    printServerNote(io, status);
    printProblems(io, status);
  }
  return 0;
}

function readStatus(io: Io): Promise<Status | undefined> {
  return readDaemon(io, (client) => client.call('daemon.status'));
}

function ownRelease(): Release {
  return { version: version(), build: BUILD };
}

/** Stops a daemon of another release. Agents stay in their panes, and the next daemon adopts them. */
async function stopOther(io: Io, { daemon }: Status, json?: boolean): Promise<void> {
  const differing = differingReleases(daemon, ownRelease());
  if (isNewer(daemon, ownRelease())) {
    throw new DevflowError(
      'version_mismatch',
      `the daemon is ${differing?.theirs}, newer than this ${differing?.ours}`,
      {
        recoveryHint: 'Use the newer devflow, or stop the daemon with devflow down.',
        data: { pid: daemon.pid },
      },
    );
  }
  const why = `The daemon (pid ${daemon.pid}) is ${differing?.theirs}, this devflow ${differing?.ours}.`;
  if (!json) io.out(`${why} Restarting it. Runs and agents continue.\n`);
  await stopRunning(io);
}

function stopRunning(io: Io): Promise<unknown> {
  return readDaemon(io, (client) => stopDaemon(client, io.env));
}

/** False with `--json`, whose answer names the files. */
async function wantsNewSettings(io: Io, running: Status, json?: boolean): Promise<boolean> {
  const changed = changedSettings(io, running);
  if (changed.length === 0 || json) return false;
  return offerRestart(io, changed, readHindrance(io.env, running.database.mode));
}

function changedSettings(io: Io, { settings }: Status): string[] {
  return changedSince(settings, readSettingsFiles(resolvePaths(io.env)));
}

function alreadyUp(io: Io, status: Status, { db, json, takeHost }: OwnOf<typeof UP>): number {
  refuseOtherDatabase(status, db);
  if (takeHost) io.err('devflow was up before, so nothing was taken over.\n');
  keepDaemon(io.env, status.daemon.pid);
  const changed = changedSettings(io, status);
  if (json) printJson(io, { ...status, started: false, ...(changed.length > 0 && { changedSettings: changed }) });
  else {
    io.out(`devflow is already up: ${facts(status)}.\n`);
    printServerNote(io, status);
    printProblems(io, status);
  }
  return 0;
}

function refuseOtherDatabase(status: Status, db: DatabaseMode | undefined): void {
  if (db !== undefined && db !== status.database.mode) {
    throw new DevflowError('state_conflict', `devflow is already up with the database ${status.database.mode}`, {
      recoveryHint: `To change it: devflow down, then devflow up --db ${db}.`,
      data: { pid: status.daemon.pid, database: status.database.mode },
    });
  }
}

function alreadyRunning({ daemon }: Status): DevflowError {
  return new DevflowError('daemon_running', `a daemon is already running: pid ${daemon.pid} on ${daemon.socket}`, {
    data: { pid: daemon.pid, socket: daemon.socket },
  });
}

function facts({ daemon, database }: Status): string {
  return `pid ${daemon.pid}, database ${database.mode}${database.ok ? '' : ' (not reachable)'}, socket ${daemon.socket}`;
}

/** Waits some seconds for the answer of another daemon that is just starting. */
async function soon<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 0; tries < 100; tries += 1) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}
