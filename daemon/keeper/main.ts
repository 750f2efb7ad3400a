import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { readPid, removeSocketOf } from '../../schemas/files/pidFile.ts';
import { adoptingArguments, keeperArguments, SHELL } from '../../schemas/keeper/keeperArguments.ts';
import { KEPT_EXIT } from '../../schemas/keeper/keptExit.ts';
import {
  bootSeconds,
  KEEPER_PROGRAM,
  KEEPER_SCRIPT,
  type KeeperRecord,
  readRecord,
  writeRecord,
} from '../../schemas/keeper/record.ts';
import { keeperSentence } from '../../schemas/keeper/words.ts';
import { afterEnd } from './afterEnd.ts';
import { answers, databaseAddress } from './databaseAddress.ts';
import { clearStatus, tellStatus } from './tellStatus.ts';
import { waitToStart } from './waitToStart.ts';

/**
 * The keeper of a daemon while no daemon runs: `keeper.cjs <record> ended <pid> <code>`. `keeper.sh` becomes this program, and
 * this program becomes `keeper.sh` again, with the same pid. `keeper.cjs <record> forget` clears the status lines.
 */
async function main(): Promise<void> {
  const [file = '', word, pid = '', code = ''] = process.argv.slice(2);
  const paths = resolvePaths(process.env);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  if (word === 'forget') return clearStatus(paths);

  const before = ownRecord(file);
  // Nobody asked for more: the first start of `devflow up` failed, or another keeper has come.
  if (before === undefined) process.exit(Number(code) || 0);
  const server = readPid(paths.socketPath);
  if (before.first && server !== Number(pid)) {
    rmSync(file, { force: true });
    process.exit(Number(code) || 0);
  }
  // A daemon that ends in order removes its socket.
  if (code === 'unknown' && !existsSync(paths.socketPath)) process.exit(0);
  if (Number(code) === KEPT_EXIT.otherDaemon && server !== undefined && (await answers({ path: paths.socketPath }))) {
    const found = { ...before, first: undefined, state: 'keeping' as const, startedAt: bootSeconds() };
    return become(file, found, adoptingArguments(programs(file), server));
  }

  const now = { bootSeconds: bootSeconds(), now: new Date().toISOString() };
  const { record, delayMs } = afterEnd(
    { ...before, first: undefined },
    { code: Number(code), wasReady: server === Number(pid) },
    now,
  );
  removeSocketOf(Number(pid), paths.socketPath);
  writeRecord(file, record);
  log(delayMs === undefined ? 'error' : 'warn', keeperSentence(record), { pid: Number(pid), code, delayMs });
  const told = tellStatus(paths, record);
  if (delayMs === undefined) {
    await told;
    // launchd would start the service again after any other code.
    process.exit(process.platform === 'darwin' ? 0 : KEPT_EXIT.person);
  }
  const address = record.reason === 'database' ? await databaseAddress(paths) : undefined;
  await waitToStart({ delayMs, address, signal: stop.signal });
  // Node hears of a signal in its next turn. A signal between this and the shell is lost, so `devflow down` repeats it.
  await new Promise(setImmediate);
  if (stop.signal.aborted) {
    await told;
    await clearStatus(paths);
    process.exit(0);
  }
  if (ownRecord(file) === undefined) process.exit(0);
  become(file, { ...record, startedAt: bootSeconds() }, keeperArguments(programs(file)));
}

function ownRecord(file: string): KeeperRecord | undefined {
  const record = readRecord(file);
  return record?.pid === process.pid ? record : undefined;
}

function programs(record: string) {
  const directory = dirname(process.argv[1] ?? '');
  return {
    script: join(directory, KEEPER_SCRIPT),
    program: join(directory, KEEPER_PROGRAM),
    daemon: join(directory, 'daemon.cjs'),
    record,
    log: resolvePaths(process.env).logFile,
  };
}

function become(file: string, record: KeeperRecord, words: string[]): void {
  writeRecord(file, record);
  process.execve?.(SHELL, [SHELL, ...words], process.env);
}

/** In the form of the daemon's own lines, whose file standard error is. */
function log(level: 'warn' | 'error', msg: string, facts: Record<string, unknown>): void {
  const line = { level: level === 'warn' ? 40 : 50, time: new Date().toISOString(), module: 'keeper', ...facts, msg };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

void main();
