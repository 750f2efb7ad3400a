import { flag, maybe, number, table, text } from './format.ts';
import type { PaneId, SessionId, WindowId } from './ids.ts';
import type { Runner } from './tmux.ts';

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
 * Shows a session on one client. The client is always named: without it tmux moved another person's terminal, or the
 * driver's own connection.
 */
export async function switchClient(
  runner: Runner,
  client: string,
  target: SessionId | WindowId | PaneId,
): Promise<void> {
  await runner.run([['switch-client', '-c', client, '-t', target]], { idempotent: true });
}
