import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildName } from '../../build/buildName.ts';
import { type Place, ROOT } from './place.ts';
import { pssMegabytes, residentMegabytes } from './processes.ts';
import { openPty, type Pty } from './pty.ts';

const SIZE = { columns: 200, rows: 60 };
/** V8 collects garbage after some idle seconds. */
const REST_MS = 16_000;
/** The time between two keys, out of step with the frames. */
const pauseMs = () => 40 + Math.random() * 80;

/** A dashboard connected to a daemon with 500 runs and 100,000 events, which gets so many more per second. */
async function withLoad<T>(place: Place, rate: number, use: (terminal: Pty) => Promise<T>): Promise<T> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { socketPath } = place.paths;
  mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 });
  const program = [join(ROOT, 'test', 'bench', 'tuiDaemon.ts'), socketPath, version, buildName(ROOT), String(rate)];
  const daemon = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...program], {
    env: place.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(daemon.stdout, 'data');
  const { NO_COLOR: _, ...env } = place.env;
  const terminal = await openPty(`${join(ROOT, 'bin', 'devflow')} tui`, { env, ...SIZE });
  try {
    return await use(terminal);
  } finally {
    await terminal.close();
    const ended = once(daemon, 'exit');
    daemon.stdin.end();
    await ended;
  }
}

/**
 * In the list, where all runs change: the time from a key that selects the next run until its row is painted as
 * selected.
 */
export function measureList(place: Place, rate: number, keys: number): Promise<number[]> {
  return withLoad(place, rate, async (terminal) => {
    await terminal.answers('\n', 'project-9');
    await sleep(1_500);
    const samples: number[] = [];
    for (let nth = 0; nth < keys; nth += 1) {
      // The header, the column names, and then the runs.
      const row = 3 + ((nth + 1) % 2);
      samples.push(await terminal.answers(nth % 2 === 0 ? 'j' : 'k', selectedAt(row)));
      await sleep(pauseMs());
    }
    return samples;
  });
}

function selectedAt(row: number): RegExp {
  return new RegExp(`\\u001b\\[${row};1H(?:\\u001b\\[[\\d;]*m)*▌`);
}

/** In the moving log: the time from a key that opens the help until its title is painted. Then the memory. */
export function measureLog(
  place: Place,
  rate: number,
  keys: number,
): Promise<{ samples: number[]; rss: number; pss: number; loaded: number }> {
  return withLoad(place, rate, async (terminal) => {
    await terminal.answers('\n', 'project-9');
    await sleep(500);
    await terminal.answers('\r', '[Overview');
    const loaded = await terminal.answers('\t', /m▌? *1\d{5} {2}/);
    await sleep(rate === 0 ? REST_MS : 2_000);
    const [rss, pss] = [residentMegabytes(terminal.pid), pssMegabytes([terminal.pid])];
    const samples: number[] = [];
    for (let nth = 0; nth < keys; nth += 1) {
      samples.push(await terminal.answers('?', 'Keys: '));
      await sleep(pauseMs());
      terminal.write('\u001b');
      await sleep(pauseMs());
    }
    return { samples, rss, pss, loaded };
  });
}
