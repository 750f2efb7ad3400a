import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeFormat } from '../command/command.ts';
import type { Runner } from '../command/runner.ts';
import { commandError, TmuxError } from '../errors.ts';
import type { Server } from '../server/server.ts';
import { runToExit } from '../server/spawnRunner.ts';

export interface Popup {
  /** Name of the client it opens on, as `listClients` has it. */
  readonly client: string;
  /** Cells, or per cent as in `90%`. */
  readonly width: number | `${number}%`;
  readonly height: number | `${number}%`;
  readonly cwd?: string;
  /** Shown where tmux has titles (3.3); left out before. */
  readonly title?: string;
  readonly argv: readonly [string, ...string[]];
}

export interface PopupEnd {
  /** Of the program; 129 when the popup was closed over it. */
  readonly status: number;
  /** What the program wrote to its standard error, which goes with the popup otherwise. */
  readonly stderr: string;
}

/** Its file says that the popup was shown, and keeps what the program complains of. */
const SHOWN = 'exec 2>"$1" || exit 126; shift; exec "$@"';

/**
 * Shows a program in a popup and resolves when it has closed. Spawned, since it would hold up a connection for that long.
 * Throws `no_target` without the client, and `popup_taken` where something else covers that client: tmux says nothing then.
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
  // Only these two are formats.
  const cwd = popup.cwd === undefined ? [] : ['-d', escapeFormat(popup.cwd)];
  const title = popup.title === undefined ? [] : ['-T', escapeFormat(popup.title, { drawn: true })];
  const show = (titled: readonly string[]) =>
    runToExit(server, [['display-popup', '-E', ...where, ...cwd, ...titled, '--', ...popup.argv]], { timeoutMs: 0 });
  const outcome = await show(title);
  const isWithoutTitles = title.length > 0 && /unknown flag|^usage:/m.test(outcome.stderr);
  return isWithoutTitles ? show([]) : outcome;
}

/** Ends what runs in the popup of that client, if there is one. */
export async function closePopup(runner: Runner, client: string): Promise<void> {
  await runner.run([['display-popup', '-C', '-c', client]], { idempotent: true });
}
