import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Command, commandLine, escapeFormat } from '../../tmux/command/command.ts';
import { formatRow, parseRows } from '../../tmux/command/format.ts';
import type { Runner } from '../../tmux/command/runner.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';

export type TellMode = 'message' | 'bell';

/** A server that hangs delays the others no longer than this. */
const PATIENCE_MS = 2_000;
/** Long enough to read a sentence. Any key ends it; tmux passes the key on. */
const SHOWN_MS = 5_000;
/** An array index that no configuration uses; the plugin uses the one before it. */
const ON_ARRIVAL = 'client-session-changed[4218]';
/** Counts the notices that nobody has seen. Unset with the hook, and by unloading the plugin. */
const MISSED = '@devflow_missed';

export interface At {
  binary: string;
  socket: string;
}

/**
 * Shows a text to all clients of a server that has the plugin. Without a client it resolves with `missed`, and a hook
 * shows the text to the first that attaches. Formats, styles and commands in the text stay unexpanded. Throws
 * TmuxError.
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

/** Withdraws the notice that waits for a client. */
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

/** tmux reads the text as a time format too, and draws it with styles: both are escaped. */
function message(text: string, client?: string): Command {
  const where = client === undefined ? [] : ['-c', client];
  return ['display-message', '-d', `${SHOWN_MS}`, ...where, '--', escapeFormat(text, { strftime: true, drawn: true })];
}

interface Listener {
  name: string;
  tty: string;
  /** The client's tmux options for a bell. */
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

/** tmux has no command to ring a bell. It skips a terminal that is gone or takes no input now. */
async function ring(tty: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const terminal = await open(tty, flags).catch(() => undefined);
  await terminal?.write('\u0007').catch(() => {});
  await terminal?.close().catch(() => {});
}
