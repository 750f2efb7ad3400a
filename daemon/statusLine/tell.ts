import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Command, commandLine, escapeFormat } from '../../tmux/command/command.ts';
import { formatRow, parseRows } from '../../tmux/command/format.ts';
import type { Runner } from '../../tmux/command/runner.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';

export type TellMode = 'message' | 'bell';

/** A server that hangs must not keep the others from theirs for long. */
const PATIENCE_MS = 2_000;
/** Long enough to read a sentence. Any key ends it, and tmux passes that key on. */
const SHOWN_MS = 5_000;
/** The number is one that no configuration has; the plugin uses the one before it. */
const ON_ARRIVAL = 'client-session-changed[4218]';
/** How often nobody was there. It goes with the hook, and with the plugin. */
const MISSED = '@devflow_missed';

export interface At {
  binary: string;
  socket: string;
}

/**
 * Tells those who look at a server with the plugin; where nobody does, the first who comes, by a hook that then goes. No
 * format, style or command of the text is ever expanded. Resolves with `missed` where nobody was there. Throws TmuxError.
 */
export async function tellServer(at: At, text: string, mode: TellMode): Promise<'told' | 'missed' | 'gone'> {
  const runner = runnerAt(at);
  const [loaded = '', missed = ''] = await ask(runner, ['@devflow_loaded', MISSED]);
  if (loaded === '') return 'gone';
  const clients = await listTellable(runner);
  if (clients.length === 0) {
    await run(runner, [...tellOnArrival(text, Number(missed) + 1)]);
    return 'missed';
  }
  const shown = clients.filter(({ visual }) => mode === 'message' || visual !== 'off');
  if (shown.length > 0)
    await run(
      runner,
      shown.map(({ name }) => message(text, name)),
    );
  const rung = clients.filter(({ visual, action }) => mode === 'bell' && visual !== 'on' && action !== 'none');
  await Promise.all(rung.map(({ tty }) => ring(tty)));
  return 'told';
}

/** There is nothing to tell any more. */
export async function forgetMissed(at: At): Promise<void> {
  await run(runnerAt(at), [['if-shell', '-F', `#{${MISSED}}`, commandLine(FORGET)]]);
}

export const FORGET: readonly Command[] = [
  ['set-hook', '-gu', ON_ARRIVAL],
  ['set-option', '-gu', MISSED],
];

function tellOnArrival(text: string, times: number): Command[] {
  const said = times === 1 ? text : `${text} (and ${times - 1} before it; see devflow approval list)`;
  return [
    ['set-option', '-g', MISSED, String(times)],
    ['set-hook', '-g', ON_ARRIVAL, commandLine([message(said), ...FORGET])],
  ];
}

/** Read as a time format too, and drawn with styles. */
function message(text: string, client?: string): Command {
  const where = client === undefined ? [] : ['-c', client];
  return ['display-message', '-d', `${SHOWN_MS}`, ...where, '--', escapeFormat(text, { strftime: true, drawn: true })];
}

interface Listener {
  name: string;
  tty: string;
  /** What the person wishes of a bell: a message, or none. */
  visual: string;
  action: string;
}

async function listTellable(runner: Runner): Promise<Listener[]> {
  const fields = ['client_control_mode', 'client_name', 'client_tty', 'visual-bell', 'bell-action'];
  const lines = await runner.run([['list-clients', '-F', formatRow(fields)]], {
    idempotent: true,
    timeoutMs: PATIENCE_MS,
  });
  return parseRows(lines, fields.length).flatMap(([control, name = '', tty = '', visual = '', action = '']) =>
    control === '1' ? [] : [{ name, tty, visual, action }],
  );
}

async function ask(runner: Runner, options: readonly string[]): Promise<string[]> {
  const lines = await runner.run([['list-sessions', '-F', formatRow(options)]], {
    idempotent: true,
    timeoutMs: PATIENCE_MS,
  });
  return parseRows(lines, options.length)[0] ?? [];
}

async function run(runner: Runner, commands: readonly Command[]): Promise<void> {
  await runner.run(commands, { idempotent: true, timeoutMs: PATIENCE_MS });
}

function runnerAt({ binary, socket }: At): Runner {
  return spawnRunner({ owner: 'theirs', binary, address: { socketPath: socket } });
}

/** tmux has no command for it. A terminal that takes nothing now is left alone, and one that has gone as well. */
async function ring(tty: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const terminal = await open(tty, flags).catch(() => undefined);
  await terminal?.write('\u0007').catch(() => {});
  await terminal?.close().catch(() => {});
}
