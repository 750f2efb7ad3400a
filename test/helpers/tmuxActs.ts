import { throwIfSkipped, unlessDead } from '../../tmux/command/command.ts';
import type { PaneId, SessionId, WindowId } from '../../tmux/command/ids.ts';
import type { Runner } from '../../tmux/command/runner.ts';
import { deleteBuffer, loadBuffer, pasteBuffer } from '../../tmux/panes/buffers.ts';
import { setPaneOptionCommand, type UserOption } from '../../tmux/panes/options.ts';
import type { TmuxVersion } from '../../tmux/server/version.ts';

/** What a person or another program does to a tmux server. devflow itself does none of it. */

/** Types text unchanged, without paste brackets. */
export async function sendText(runner: Runner, pane: PaneId, text: string): Promise<void> {
  throwIfSkipped(pane, await runner.run([unlessDead(pane, [['send-keys', '-t', pane, '-l', '--', text]])]));
}

/** Pastes text as one piece. `directory` gets a file for a moment. */
export async function pasteText(runner: Runner, directory: string, pane: PaneId, text: string): Promise<void> {
  if (text === '') return;
  const name = await loadBuffer(runner, directory, text);
  try {
    await pasteBuffer(runner, pane, name);
  } catch (error) {
    await deleteBuffer(runner, name).catch(() => {});
    throw error;
  }
}

export async function setPaneOption(runner: Runner, pane: PaneId, name: UserOption, value: string): Promise<void> {
  await runner.run([setPaneOptionCommand(pane, name, value)], { idempotent: true });
}

/** Sets the window's size in cells. Then no attached client changes it. */
export async function resizeWindow(runner: Runner, window: WindowId, columns: number, rows: number): Promise<void> {
  await runner.run([['resize-window', '-t', window, '-x', String(columns), '-y', String(rows)]], { idempotent: true });
}

export async function killSession(runner: Runner, session: SessionId): Promise<void> {
  await runner.run([['kill-session', '-t', session]]);
}

/** Undefined if unknown. `next-3.6` counts as 3.6, since it gets the features of 3.6. */
export function atLeast(version: TmuxVersion, major: number, minor: number): boolean | undefined {
  if (version.kind === 'unknown' || version.kind === 'openbsd') return undefined;
  return version.major > major || (version.major === major && version.minor >= minor);
}
