import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endAtSignal } from './endings.ts';
import type { Sheet } from './figure.ts';
import { type Place, ROOT } from './place.ts';
import { cpuMs } from './processes.ts';
import { openPty, type Pty } from './pty.ts';

const SIZE = { columns: 120, rows: 36 };
const LAUNCHER = join(ROOT, 'bin', 'devflow');
/** The repository of the only run, which its row shows first. */
const ROW = 'greeting';
/** Time for the terminal to repaint after a popup has closed. */
const SETTLE_MS = 150;
const WATCH_MS = 10_000;

/** One run, at its first gate. */
export async function givenRun({ home, devflow }: Place): Promise<void> {
  const repo = join(home, ROW);
  mkdirSync(repo);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repo, stdio: 'ignore' });
  writeFileSync(join(repo, 'README.md'), '# Greeting\n');
  writeFileSync(join(home, 'wish.md'), 'Greet the world.\n');
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', 'commit', '-q', '-m', 'First');
  const start = [
    'run',
    'start',
    '--repo',
    repo,
    '--template',
    'development@1',
    '--requirements',
    join(home, 'wish.md'),
  ];
  await devflow(...start, '--backend', 'planner=fake', '--backend', 'implementer=fake');
}

/** The terminal of a user in their own tmux, with the plugin. */
export async function withPopups(
  place: Place,
  use: (terminal: Pty) => Promise<void>,
  { columns, rows } = SIZE,
): Promise<void> {
  const socket = join(place.home, 'person');
  const config = join(place.home, 'person.conf');
  writeFileSync(config, `set -g status off\nset -s escape-time 0\nrun-shell ${join(ROOT, 'devflow.tmux')}\n`);
  const env = coloured(place.env);
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', config, ...args], { env, stdio: 'ignore' });
  const end = async () => void tmux('start-server', ';', 'kill-server');
  const ended = endAtSignal(end);
  tmux('new-session', '-d', '-s', 'work', '-x', String(columns), '-y', String(rows), 'exec sh');
  const terminal = await openPty(`tmux -S ${socket} attach -t work`, { env, columns, rows });
  try {
    await terminal.answers('\n', /[$#] /);
    await sleep(SETTLE_MS);
    await use(terminal);
  } finally {
    await terminal.close();
    await end();
    ended();
  }
}

/** The time from the key in the user's tmux to the run's row on their terminal. */
export async function measurePopup(terminal: Pty): Promise<number> {
  const ms = await terminal.answers('\u0002F', ROW);
  await sleep(SETTLE_MS);
  await terminal.answers('q', /[$#] /);
  await sleep(SETTLE_MS);
  return ms;
}

/** The time from the program start to the run's row, on a bare terminal. */
export async function measureBare({ env }: Place): Promise<number> {
  const terminal = await openPty(`${LAUNCHER} tui`, { env: coloured(env), ...SIZE });
  const ms = await terminal.answers('\n', ROW);
  await terminal.close();
  return ms;
}

/** A first start of this version: there is no compiled code yet. */
export function forgetCache({ home }: Place): void {
  rmSync(join(home, 'cache'), { recursive: true, force: true });
}

/** What a dashboard uses while nothing happens. */
export async function measureIdle({ env }: Place, sheet: Sheet): Promise<void> {
  const terminal = await openPty(`${LAUNCHER} tui`, { env: coloured(env), ...SIZE });
  await terminal.answers('\n', ROW);
  await sleep(2_000);
  const before = cpuMs([terminal.pid]);
  await sleep(WATCH_MS);
  sheet.add('idle %', ((cpuMs([terminal.pid]) - before) / WATCH_MS) * 100);
  await terminal.close();
}

/** As on a user's terminal. */
function coloured({ NO_COLOR: _, ...env }: Place['env']): NodeJS.ProcessEnv {
  return env;
}
