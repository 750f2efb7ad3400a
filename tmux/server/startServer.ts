import { formatRow, parseRows } from '../command/format.ts';
import type { Runner } from '../command/runner.ts';
import { TmuxError } from '../errors.ts';
import type { Server } from './server.ts';
import { runSpawned, spawnRunner } from './spawnRunner.ts';
import { parseVersion, type TmuxVersion } from './version.ts';

/** Which life of a server: panes' ids begin anew with each, so records carry this beside them. */
export interface ServerIdentity {
  readonly pid: number;
  /** Seconds since 1970. */
  readonly startedAt: number;
  readonly version: TmuxVersion;
  readonly socketPath: string;
}

/**
 * Starts an own server, or brings a running one to its configuration; a foreign one is only looked at.
 * Throws `no_server` when a foreign one does not run, `unsafe` for an own one without a configuration.
 */
export async function startServer(server: Server): Promise<ServerIdentity> {
  const runner = spawnRunner(server);
  if (server.owner === 'theirs') return readIdentity(runner);
  const config = server.configFile;
  if (config === undefined) throw new TmuxError('unsafe', 'A server of our own needs a configuration file.');
  // start-server reads the file only when it starts one; what runs already is brought to it.
  await runSpawned(server, [['start-server'], ['source-file', config]], { starting: true, idempotent: true });
  return readIdentity(runner);
}

/** Throws `no_server`. */
export async function readIdentity(runner: Runner): Promise<ServerIdentity> {
  const format = formatRow(['pid', 'start_time', 'version', 'socket_path']);
  const [row] = parseRows(await runner.run([['display-message', '-p', format]], { idempotent: true }), 4);
  if (row === undefined) throw new TmuxError('protocol', 'tmux did not say who it is.');
  const [pid, startedAt, version, socketPath] = row as [string, string, string, string];
  return { pid: Number(pid), startedAt: Number(startedAt), version: parseVersion(version), socketPath };
}

/** Ends an own server and every pane in it. Throws `unsafe` for a foreign one. */
export async function killServer(server: Server): Promise<void> {
  if (server.owner !== 'own') throw new TmuxError('unsafe', "A user's own tmux server is never ended by this driver.");
  await runSpawned(server, [['kill-server']]);
}
