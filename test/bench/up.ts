import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openDatabase } from '../../daemon/db/open.ts';
import { runningKeeper } from '../../schemas/keeper/record.ts';
import { type Bench, createSheet } from './figure.ts';
import { type Place, ROOT, withPlace } from './place.ts';

/** How soon a daemon serves after `devflow up`, and which steps take the time. */
export const up: Bench = {
  name: 'up',
  title: 'Start of the daemon',
  reading:
    'On a home that has been up before. "Ready" is when the daemon serves its socket, according to its log. `up` ' +
    'itself returns a little later, when it has asked for the status. A round is: down, then `up` with the ' +
    'database to start; the daemon killed with SIGKILL, then `up` with the database to adopt; then the parts ' +
    'alone. The parts are the daemon program without the CLI before it (until its own clock begins: Node and ' +
    'reading its code; from there: its own start), and opening the database.',
  run: ({ rounds = 7 }) =>
    withPlace(async (place) => {
      await place.devflow('up');
      const sheet = createSheet();
      for (let round = -2; round < rounds; round += 1) {
        const add = (name: string, ms: number) => round >= 0 && sheet.add(name, ms);
        await place.devflow('down');
        const started = await timeUp(place);
        add('started', started.ready);
        add('started returned', started.returned);
        await killDaemon(started.pid, place);
        const adopted = await timeUp(place);
        add('adopted', adopted.ready);
        await place.devflow('down');
        const alone = await timeDaemon(place);
        add('program', alone.total - alone.own);
        add('own', alone.own);
        const database = await timeDatabase(place);
        add('database start', database.start);
        add('database adopt', database.adopt);
        await place.devflow('up');
      }
      return [
        { name: 'ready after devflow up', unit: 'ms', rounds: sheet.of('started'), aim: { below: 300 } },
        { name: 'devflow up returns', unit: 'ms', rounds: sheet.of('started returned') },
        { name: 'ready after devflow up, database adopted', unit: 'ms', rounds: sheet.of('adopted') },
        { name: '  part: Node and the code of the daemon', unit: 'ms', rounds: sheet.of('program') },
        { name: '  part: the daemon until ready', unit: 'ms', rounds: sheet.of('own') },
        { name: '  of that: database started', unit: 'ms', rounds: sheet.of('database start') },
        { name: '  or: database adopted', unit: 'ms', rounds: sheet.of('database adopt') },
      ];
    }),
};

async function timeUp({ devflow, paths }: Place): Promise<{ ready: number; returned: number; pid: number }> {
  const begun = Date.now();
  const { ms, stdout } = await devflow('up', '--json');
  const { pid } = JSON.parse(stdout).daemon;
  const lines = readFileSync(paths.logFile, 'utf8').trimEnd().split('\n');
  const ready = lines.map((line) => JSON.parse(line)).findLast((line) => line.msg === 'ready' && line.pid === pid);
  return { ready: Date.parse(ready.time) - begun, returned: ms, pid };
}

/** Kills its keeper first, which would start another one. */
async function killDaemon(pid: number, { paths }: Place): Promise<void> {
  const keeper = runningKeeper(paths.keeperFile);
  if (keeper) process.kill(keeper.pid, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
  for (;;) {
    try {
      if (/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** The daemon program as the CLI starts it. It ends before this returns. */
async function timeDaemon({ env }: Place): Promise<{ total: number; own: number }> {
  const begun = performance.now();
  const daemon = spawn(process.execPath, [join(ROOT, 'dist', 'daemon.cjs'), '--migrate', '--ready-fd', '3'], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [line] = await once(daemon.stdio[3] as Readable, 'data');
  const total = performance.now() - begun;
  daemon.kill('SIGTERM');
  await once(daemon, 'exit');
  return { total, own: JSON.parse(String(line)).ms };
}

async function timeDatabase({ paths }: Place): Promise<{ start: number; adopt: number }> {
  const options = {
    mode: 'embedded' as const,
    dataDir: paths.postgresData,
    socketDir: paths.postgresSocketDir,
    logFile: paths.databaseLog,
    binariesCacheDir: paths.binariesCache,
  };
  const begun = performance.now();
  const first = await openDatabase(options);
  const start = performance.now() - begun;
  const again = performance.now();
  const second = await openDatabase(options);
  const adopt = performance.now() - again;
  await second.close();
  await first.stopServer();
  return { start, adopt };
}
