import { flag, formatRow, maybe, number, parseRows, table, text } from '../command/format.ts';
import type { PaneId, SessionId, WindowId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

const CLIENTS = table({
  name: ['client_name', text],
  pid: ['client_pid', number],
  controlMode: ['client_control_mode', flag],
  readOnly: ['client_readonly', flag],
  sessionName: ['client_session', maybe],
  session: ['session_id', (value) => (value === '' ? undefined : (value as SessionId))],
  columns: ['client_width', number],
  rows: ['client_height', number],
  /** Seconds since 1970. */
  lastActive: ['client_activity', number],
});

export type Client = ReturnType<typeof CLIENTS.parse>[number];

export async function listClients(runner: Runner): Promise<Client[]> {
  return CLIENTS.parse(await runner.run([['list-clients', '-F', CLIENTS.format]], { idempotent: true }));
}

/**
 * Shows a session on one client. The client is always named: without a name, tmux moved another person's terminal, or
 * the driver's own connection.
 */
export async function switchClient(
  runner: Runner,
  client: string,
  target: SessionId | WindowId | PaneId,
): Promise<void> {
  await runner.run([['switch-client', '-c', client, '-t', target]], { idempotent: true });
}

/** The pane that a client shows, as a target for `switch-client`, and the values that options have there. */
export interface Shown<Name extends string> {
  place: `${SessionId}:${WindowId}.${PaneId}`;
  options: Readonly<Record<Name, string>>;
}

/** Undefined if there is no such client. */
export async function readShown<Name extends string>(
  runner: Runner,
  client: string,
  options: readonly Name[],
): Promise<Shown<Name> | undefined> {
  const format = formatRow(['client_name', 'session_id', 'window_id', 'pane_id', ...options]);
  const lines = await runner.run([['list-clients', '-F', format]], { idempotent: true });
  const row = parseRows(lines, 4 + options.length).find(([name]) => name === client);
  if (row === undefined) return undefined;
  const [, session, window, pane, ...values] = row;
  return { place: `${session}:${window}.${pane}` as Shown<Name>['place'], options: valued(options, values) };
}

/** Options as they hold in a session; without a session, in the one that tmux picks. Throws `no_target`. */
export async function readOptions<Name extends string>(
  runner: Runner,
  session: SessionId | undefined,
  options: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  const target = session === undefined ? [] : ['-t', `${session}:`];
  const lines = await runner.run([['display-message', '-p', ...target, formatRow(options)]], { idempotent: true });
  return valued(options, parseRows(lines, options.length)[0] ?? []);
}

function valued<Name extends string>(names: readonly Name[], values: readonly string[]): Record<Name, string> {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])) as Record<Name, string>;
}
