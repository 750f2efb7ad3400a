/** A server's address: `name` as in `tmux -L`, `socketPath` as in `tmux -S`. */
export type ServerAddress = { readonly name: string } | { readonly socketPath: string };

/** A server and how to reach it. This driver creates and configures an `own` server, and only uses `theirs`. */
export interface Server {
  readonly owner: 'own' | 'theirs';
  /** Name on PATH, or path, of the tmux program. */
  readonly binary: string;
  readonly address: ServerAddress;
  /** An own server reads it when it starts. */
  readonly configFile?: string;
  /**
   * The environment of every tmux that this driver starts, and so of the server and its panes. Default: the process's.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The words before the command. `starting`: the command may start an own server; without it no server is ever started.
 */
export function serverArgv(server: Server, starting = false): string[] {
  const where = 'name' in server.address ? ['-L', server.address.name] : ['-S', server.address.socketPath];
  const start = starting && server.owner === 'own' ? ['-f', server.configFile ?? '/dev/null'] : ['-N'];
  return [server.binary, '-u', ...where, ...start];
}

/**
 * The environment without TMUX: with it, tmux refuses to attach ("nested"). It would also take a pane of another server
 * for the current one.
 */
export function serverEnv(server: Server): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(server.env ?? process.env)) {
    if (value !== undefined && name !== 'TMUX' && name !== 'TMUX_PANE') env[name] = value;
  }
  return env;
}
