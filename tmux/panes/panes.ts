import { quote } from '../command/command.ts';
import { isTmuxError } from '../command/errors.ts';
import { flag, maybe, maybeNumber, number, table, text } from '../command/format.ts';
import type { PaneId, SessionId, WindowId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

const PANES = table({
  pane: ['pane_id', (value) => value as PaneId],
  window: ['window_id', (value) => value as WindowId],
  session: ['session_id', (value) => value as SessionId],
  sessionName: ['session_name', text],
  windowName: ['window_name', text],
  /** The pid of the program that tmux started, dead or alive. */
  pid: ['pane_pid', number],
  tty: ['pane_tty', text],
  title: ['pane_title', text],
  /** The command of the foreground process, which tmux asks the system for. */
  currentCommand: ['pane_current_command', text],
  currentPath: ['pane_current_path', text],
  columns: ['pane_width', number],
  rows: ['pane_height', number],
  dead: ['pane_dead', flag],
  deadStatus: ['pane_dead_status', maybeNumber],
  /** A name or a number, depending on the version. */
  deadSignal: ['pane_dead_signal', maybe],
  /** A pipe takes its output. */
  piped: ['pane_pipe', flag],
  /** Copy mode and the like: tmux takes what is typed. */
  inMode: ['pane_in_mode', flag],
  alternateScreen: ['alternate_on', flag],
});

export type Pane = ReturnType<typeof PANES.parse>[number];

/** Every pane of the server. */
export async function listPanes(runner: Runner): Promise<Pane[]> {
  return PANES.parse(await runner.run([['list-panes', '-a', '-F', PANES.format]], { idempotent: true }));
}

/** Undefined if there is no such pane. */
export async function readPane(runner: Runner, pane: PaneId): Promise<Pane | undefined> {
  try {
    const lines = await runner.run([['display-message', '-p', '-t', pane, PANES.format]], { idempotent: true });
    // Some versions answer with empty fields for a missing pane.
    return PANES.parse(lines).find((row) => row.pane === pane);
  } catch (error) {
    if (isTmuxError(error, 'no_target')) return undefined;
    throw error;
  }
}

/** Closes a pane: its programs get a HUP and may ignore it. Throws `no_target`. */
export async function killPane(runner: Runner, pane: PaneId): Promise<void> {
  await runner.run([['kill-pane', '-t', pane]]);
}

/**
 * Runs a shell command in the server whenever the pane may have a new size, also while nobody is connected.
 * `%layout-change` does not suffice: tmux sends it only for windows of the attached session. The command is a format,
 * expanded for the pane (`#{pane_width}`). The hook belongs to the pane's window. Throws `no_target`.
 */
export async function hookSize(runner: Runner, pane: PaneId, command: string): Promise<void> {
  const run = `run-shell -b -t ${pane} ${quote(command)}`;
  await runner.run([['set-hook', '-w', '-t', pane, 'window-layout-changed', run]], { idempotent: true });
}
