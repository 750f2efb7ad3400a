import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type Command, commandLine, escapeFormat, quote, type Sequence, shellQuote } from '../command/command.ts';
import { TmuxError } from '../command/errors.ts';
import { number, table } from '../command/format.ts';
import type { PaneId, SessionId, WindowId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';
import { paneOptionCommands, sessionOptionCommands, type UserOption } from '../panes/options.ts';
import { pipeCommand } from '../panes/pipe.ts';
import { sessionName } from '../panes/sessions.ts';
import { refuseUnsafeWindow } from '../server/config.ts';
import { ALIVE_FILE, HOOK_FILE, type PaneProgram, RUN_FILE, STATUS_FILE, wrapperScript } from './wrapper.ts';

export interface PaneStart {
  /** A new session of that name (`duplicate_session` if it exists: adopt it), or an existing one. */
  readonly place: { readonly newSession: string } | { readonly session: SessionId };
  readonly windowName: string;
  readonly cwd: string;
  /** The pane's own directory, absolute. Created with mode 0700; contains the script and the exit files. */
  readonly directory: string;
  readonly program: PaneProgram;
  /** Cells. Default 160 by 45. */
  readonly size?: { readonly columns: number; readonly rows: number };
  /** Leaves later sizes to the server's own `window-size`. Otherwise no attached client changes the size. */
  readonly followsClients?: boolean;
  /** The shell command that takes the pane's output from its first byte (`splitSink`). */
  readonly sink: string;
  readonly marks?: Readonly<Record<UserOption, string>>;
  /** Marks on a new session for the pane. */
  readonly sessionMarks?: Readonly<Record<UserOption, string>>;
}

const STARTED = table({
  pane: ['pane_id', (value) => value as PaneId],
  window: ['window_id', (value) => value as WindowId],
  session: ['session_id', (value) => value as SessionId],
  /** The pid of the wrapper, which leads the pane's process group and session. */
  pid: ['pane_pid', number],
});
export type StartedPane = ReturnType<typeof STARTED.parse>[number];

/**
 * Starts a program in its own window: window, sink, marks, hook and size in one step. As two commands, the head of the
 * output was missing in 30 of 30 runs. Selects nothing. Throws `bad_argument` (no such cwd: tmux would silently use
 * another), `duplicate_session`, `no_target`, `unsafe`, and `outcome_unknown`: then look for the marks.
 */
export async function startPane(runner: Runner, start: PaneStart): Promise<StartedPane> {
  if (!statSync(start.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TmuxError('bad_argument', `The directory ${start.cwd} does not exist.`);
  }
  mkdirSync(start.directory, { recursive: true, mode: 0o700 });
  // Exit files of an earlier program would count for this one.
  for (const name of [STATUS_FILE, HOOK_FILE, ALIVE_FILE]) {
    for (const file of [name, `${name}.new`]) rmSync(`${start.directory}/${file}`, { force: true });
  }
  const script = `${start.directory}/${RUN_FILE}`;
  // Remove an existing file, so that no link is followed.
  rmSync(script, { force: true });
  writeFileSync(script, wrapperScript(start.directory, start.program), { mode: 0o600, flag: 'wx' });
  await refuseUnsafeWindow(runner);

  const rows = STARTED.parse(await runner.run(startSequence(start, script)));
  const [made, prepared] = rows;
  if (made === undefined || prepared?.pane !== made.pane) {
    throw new TmuxError('protocol', `tmux started pane ${made?.pane} but prepared pane ${prepared?.pane}.`);
  }
  return made;
}

function startSequence(start: PaneStart, script: string): Sequence {
  const { columns, rows } = start.size ?? { columns: 160, rows: 45 };
  const session = 'newSession' in start.place ? `=${sessionName(start.place.newSession)}` : start.place.session;
  // The window with the highest number, then `-a` behind it: a bare `-t session:` fills the first gap.
  const target = `${session}:{end}`;
  const name = ['-n', escapeFormat(start.windowName)];
  const cwd = ['-c', escapeFormat(start.cwd)];
  const print = ['-P', '-F', STARTED.format];
  const program = ['--', '/bin/sh', script];
  const make: Command =
    'newSession' in start.place
      ? [
          'new-session',
          '-d',
          '-s',
          start.place.newSession,
          ...name,
          ...cwd,
          '-x',
          `${columns}`,
          '-y',
          `${rows}`,
          ...print,
          ...program,
        ]
      : ['new-window', '-d', '-a', '-t', target, ...name, ...cwd, ...print, ...program];
  return [
    make,
    pipeCommand(target, start.sink),
    // On a user's server, only this keeps the pane with its status after the program's end.
    ['set-option', '-p', '-t', target, 'remain-on-exit', 'on'],
    ...paneOptionCommands(target, start.marks ?? {}),
    ...sessionOptionCommands(`${session}:`, 'newSession' in start.place ? (start.sessionMarks ?? {}) : {}),
    [
      'set-hook',
      '-p',
      '-t',
      target,
      'pane-died',
      `${CLEAR_FOCUS_REQUEST} ; run-shell -b ${hookScript(start.directory)}`,
    ],
    ['resize-window', '-t', target, '-x', `${columns}`, '-y', `${rows}`],
    ...(start.followsClients ? [['set-option', '-w', '-u', '-t', target, 'window-size'] as const] : []),
    ['display-message', '-p', '-t', target, STARTED.format],
  ];
}

/**
 * For a wrapper that was killed. It could not take back the request for focus events, which then kills the server. It
 * also clears the screen, so only the versions that die get it.
 */
const CLEAR_FOCUS_REQUEST = commandLine([
  ['if-shell', '-F', '#{&&:#{pane_dead_signal},#{m:3.[34]*,#{version}}}', 'send-keys -R'],
]);

/** Writes a file and touches no client: acting on a client in this hook can kill a 3.3a. */
function hookScript(directory: string): string {
  const file = (name: string): string => escapeFormat(shellQuote(`${directory}/${name}`));
  const [made, done] = [file(`${HOOK_FILE}.new`), file(HOOK_FILE)];
  return quote(`echo "#{pane_dead_status} #{pane_dead_signal}" >${made} && mv -f ${made} ${done}`);
}
