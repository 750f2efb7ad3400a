import { randomUUID } from 'node:crypto';
import { throwIfSkipped, unlessDead } from '../command/command.ts';
import type { PaneId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';
import type { Server } from '../server/server.ts';
import { runSpawned } from '../server/spawnRunner.ts';
import { leaveMode } from './keys.ts';
import { paneOptionCommands, type UserOption } from './options.ts';

/**
 * Keeps what may be pasted: newlines, tabs and printable text. An `ESC[201~` inside would end the paste, and the rest
 * would be typed; DEL and the C1 controls are keys to some programs. Line ends of Windows and old Macs become newlines.
 */
export function pasteable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

/** Fills a buffer through a spawned tmux: any length, and no file. `text` must not be empty. */
export async function loadBuffer(server: Server, name: string, text: string): Promise<void> {
  await runSpawned(server, [['load-buffer', '-b', name, '-']], { input: text });
}

export async function deleteBuffer(runner: Runner, name: string): Promise<void> {
  await runner.run([['delete-buffer', '-b', name]]);
}

/**
 * Pastes a buffer into a living pane and deletes it, in one step. `-p`: with brackets if the program asked for them;
 * without, one prompt became 17 submits. `-r`: newlines stay newlines. Leaves copy mode first, which would swallow the
 * Enter that follows. Sets `marks` on the pane in the same step: they exist if and only if it was pasted. Throws
 * `pane_dead`, `no_target`; after `outcome_unknown` it may have been pasted.
 */
export async function pasteBuffer(
  runner: Runner,
  pane: PaneId,
  name: string,
  marks: Readonly<Record<UserOption, string>> = {},
): Promise<void> {
  const paste = unlessDead(pane, [
    leaveMode(pane),
    ['paste-buffer', '-p', '-r', '-d', '-b', name, '-t', pane],
    ...paneOptionCommands(pane, marks),
  ]);
  throwIfSkipped(pane, await runner.run([paste]));
}

/** Pastes text as one piece; same errors. The caller applies `pasteable`. */
export async function pasteText(runner: Runner, server: Server, pane: PaneId, text: string): Promise<void> {
  if (text === '') return;
  const name = `paste-${randomUUID()}`;
  await loadBuffer(server, name, text);
  try {
    await pasteBuffer(runner, pane, name);
  } catch (error) {
    await deleteBuffer(runner, name).catch(() => {});
    throw error;
  }
}
