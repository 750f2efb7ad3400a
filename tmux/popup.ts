import { formatLiteral } from './command.ts';
import { refusal } from './errors.ts';
import type { Server } from './server.ts';
import { outcomeOf } from './spawned.ts';
import type { Runner } from './tmux.ts';

export interface Popup {
  /** Name of the client it opens on, as `listClients` has it. */
  readonly client: string;
  /** Cells, or per cent as in `90%`. */
  readonly width: number | `${number}%`;
  readonly height: number | `${number}%`;
  readonly cwd?: string;
  readonly title?: string;
  readonly argv: readonly [string, ...string[]];
}

/**
 * Shows a program in a popup and resolves with its exit status when it has closed. Spawned, since it would hold up a
 * connection for that long. A second popup on a client is not shown and gives 0. Throws `no_target` without the client.
 */
export async function displayPopup(server: Server, popup: Popup): Promise<number> {
  const where = ['-c', popup.client, '-w', String(popup.width), '-h', String(popup.height)];
  // Only these two are formats.
  const cwd = popup.cwd === undefined ? [] : ['-d', formatLiteral(popup.cwd)];
  const title = popup.title === undefined ? [] : ['-T', formatLiteral(popup.title)];
  const command = ['display-popup', '-E', ...where, ...cwd, ...title, '--', ...popup.argv] as const;
  const { status, stderr } = await outcomeOf(server, [command], { timeoutMs: 0 });
  if (status === null || stderr !== '') throw refusal('display-popup', stderr);
  return status;
}

/** Ends what runs in the popup of that client, if there is one. */
export async function closePopup(runner: Runner, client: string): Promise<void> {
  await runner.run([['display-popup', '-C', '-c', client]], { idempotent: true });
}
