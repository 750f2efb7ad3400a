import { TmuxError } from '../command/errors.ts';
import { formatRow, parseRows } from '../command/format.ts';
import type { Runner } from '../command/runner.ts';
import type { Server } from './server.ts';
import { runSpawned, spawnRunner } from './spawnRunner.ts';
import { parseVersion, type TmuxVersion } from './version.ts';

/** Identifies one run of a server: the next one starts pane ids again, so records store this beside them. */
export interface ServerIdentity {
  readonly pid: number;
  /** Seconds since 1970. */
  readonly startedAt: number;
  readonly version: TmuxVersion;
  readonly socketPath: string;
}

/**
 * Starts an own server, or applies its configuration to a running one; only looks at a user's server. Throws
 * `no_server` if a user's server does not run, `unsafe` for an own server without a configuration.
 */
export async function startServer(server: Server): Promise<ServerIdentity> {
  const runner = spawnRunner(server);
  if (server.owner === 'theirs') return readIdentity(runner);
  const config = server.configFile;
  if (config === undefined) throw new TmuxError('unsafe', 'An own tmux server needs a configuration file.');
  // start-server reads the file only when it starts a server; a running one needs source-file.
  await runSpawned(server, [['start-server'], ['source-file', config]], { starting: true, idempotent: true });
  return readIdentity(runner);
}

/** Throws `no_server`. */
export async function readIdentity(runner: Runner): Promise<ServerIdentity> {
  const format = formatRow(['pid', 'start_time', 'version', 'socket_path']);
  const [row] = parseRows(await runner.run([['display-message', '-p', format]], { idempotent: true }), 4);
  if (row === undefined) throw new TmuxError('protocol', 'tmux did not report its identity.');
  const [pid, startedAt, version, socketPath] = row as [string, string, string, string];
  return { pid: Number(pid), startedAt: Number(startedAt), version: parseVersion(version), socketPath };
}

/** Ends an own server with every pane in it. Throws `unsafe` for a user's server. */
export async function killServer(server: Server): Promise<void> {
  if (server.owner !== 'own') throw new TmuxError('unsafe', "This driver never ends a user's tmux server.");
  await runSpawned(server, [['kill-server']]);
}
