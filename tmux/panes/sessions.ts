import { TmuxError } from '../command/errors.ts';
import { number, table, text } from '../command/format.ts';
import type { SessionId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';
import { type Server, serverArgv } from '../server/server.ts';

const SESSIONS = table({
  id: ['session_id', (value) => value as SessionId],
  name: ['session_name', text],
  /** Seconds since 1970. */
  createdAt: ['session_created', number],
  windows: ['session_windows', number],
  attached: ['session_attached', number],
});

export type Session = ReturnType<typeof SESSIONS.parse>[number];

export async function listSessions(runner: Runner): Promise<Session[]> {
  return SESSIONS.parse(await runner.run([['list-sessions', '-F', SESSIONS.format]], { idempotent: true }));
}

/** Returns the name. Throws `bad_argument` for a name that tmux would change or misread. */
export function sessionName(name: string): string {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_-]*$/.test(name)) {
    throw new TmuxError('bad_argument', `Invalid tmux session name: ${JSON.stringify(name)}.`);
  }
  return name;
}

/**
 * The command that shows a session in a terminal. It also works in a popup or window of another server. A read-only
 * client must see the newest output, so it counts for the size of a window. With `-r` it would not count.
 */
export function attachArgv(server: Server, session: SessionId, options: { readOnly?: boolean } = {}): string[] {
  const flags = options.readOnly ? ['-f', 'read-only'] : [];
  return [...serverArgv(server), 'attach-session', ...flags, '-t', session];
}
