import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeFormat, throwIfSkipped, unlessDead } from '../command/command.ts';
import type { PaneId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';
import { leaveMode } from './keys.ts';
import { paneOptionCommands, type UserOption } from './options.ts';

/**
 * Keeps only newlines, tabs and printable text. An `ESC[201~` inside would end the paste, and the rest would be typed.
 * DEL and the C1 controls are keys to some programs. Line ends of Windows and old Macs become newlines.
 */
export function pasteable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

/**
 * Fills a new buffer with text of any length. The server reads it from a file in `directory` that is removed again, so
 * no process has to be started. As an argument the text would stay in the server's log of messages. `text` must not be
 * empty. The buffer and the file have random names, so nobody can prepare the path. A FIFO there would stop the server.
 * Throws if the server could not read the file. Returns the buffer's name.
 */
export async function loadBuffer(runner: Runner, directory: string, text: string): Promise<string> {
  const name = `devflow-${randomUUID()}`;
  const file = join(directory, name);
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    // `load-buffer` reports a fault to no command of a control client. The second command fails if the first one did.
    const loaded = `${name}-loaded`;
    await runner.run([
      ['load-buffer', '-b', loaded, escapeFormat(file)],
      ['set-buffer', '-b', loaded, '-n', name],
    ]);
  } catch (error) {
    // It may be there after all.
    await deleteBuffer(runner, name).catch(() => {});
    throw error;
  } finally {
    rmSync(file, { recursive: true, force: true });
  }
  return name;
}

export async function deleteBuffer(runner: Runner, name: string): Promise<void> {
  await runner.run([['delete-buffer', '-b', name]]);
}

/**
 * Pastes a buffer into a living pane and deletes it, in one step. `-p`: with brackets if the program asked for them;
 * without, one prompt became 17 submits. `-r`: newlines stay newlines. Leaves copy mode first, which would swallow the
 * Enter that follows. In the same step it sets `marks` on the pane, so they exist if and only if it was pasted. Throws
 * `pane_dead`, `no_target`; after `outcome_unknown` it may have been pasted.
 *
 * Press no keys just before it. Codex (0.171.0) stops reading after a complete event, until more input comes. If keys and a
 * paste arrive as one, the paste stays unread.
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
