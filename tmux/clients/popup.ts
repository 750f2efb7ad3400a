import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeFormat } from '../command/command.ts';
import { commandError, TmuxError } from '../command/errors.ts';
import type { Runner } from '../command/runner.ts';
import type { Server } from '../server/server.ts';
import { runToExit } from '../server/spawnRunner.ts';

export interface Popup {
  /** Name of the client to open it on, as in `listClients`. */
  readonly client: string;
  /** Cells, or per cent as in `90%`. */
  readonly width: number | `${number}%`;
  readonly height: number | `${number}%`;
  readonly cwd?: string;
  /** Shown from tmux 3.3 on, which has titles. */
  readonly title?: string;
  readonly argv: readonly [string, ...string[]];
}

export interface PopupEnd {
  /** The program's exit status; 129 if the popup was closed while it ran. */
  readonly status: number;
  /** The program's standard error, which the popup would otherwise take with it. */
  readonly stderr: string;
}

/** The file proves that the popup was shown, and stores the program's standard error. */
const SHOWN = 'exec 2>"$1" || exit 126; shift; exec "$@"';

/**
 * Shows a program in a popup and resolves when it has closed. Spawned, because it would block a connection that long.
 * Throws `no_target` without the client, and `popup_taken` if something else covers that client: tmux reports nothing
 * then.
 */
export async function displayPopup(server: Server, popup: Popup): Promise<PopupEnd> {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-popup-'));
  const file = join(directory, 'said');
  try {
    const { status, stderr } = await openPopup(server, {
      ...popup,
      argv: ['/bin/sh', '-c', SHOWN, 'sh', file, ...popup.argv],
    });
    if (status === null || stderr !== '') throw commandError('display-popup', stderr);
    if (existsSync(file)) return { status, stderr: readFileSync(file, 'utf8').trim() };
    throw new TmuxError('popup_taken', `Something else covers the terminal ${popup.client}.`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function openPopup(server: Server, popup: Popup) {
  const where = ['-c', popup.client, '-w', String(popup.width), '-h', String(popup.height)];
  // Only these two options are formats.
  const cwd = popup.cwd === undefined ? [] : ['-d', escapeFormat(popup.cwd)];
  const title = popup.title === undefined ? [] : ['-T', escapeFormat(popup.title, { drawn: true })];
  const show = (titled: readonly string[]) =>
    runToExit(server, [['display-popup', '-E', ...where, ...cwd, ...titled, '--', ...popup.argv]], { timeoutMs: 0 });
  const outcome = await show(title);
  const isWithoutTitles = title.length > 0 && /unknown flag|^usage:/m.test(outcome.stderr);
  return isWithoutTitles ? show([]) : outcome;
}

/** Closes the popup of that client, if there is one. */
export async function closePopup(runner: Runner, client: string): Promise<void> {
  await runner.run([['display-popup', '-C', '-c', client]], { idempotent: true });
}
