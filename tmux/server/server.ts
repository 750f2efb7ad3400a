/** Which server: `name` as in `tmux -L`, `socketPath` as in `tmux -S`. */
export type ServerAddress = { readonly name: string } | { readonly socketPath: string };

/** A server and how it is reached. `own` is created and configured by this driver, `theirs` only used. */
export interface Server {
  readonly owner: 'own' | 'theirs';
  /** Name on PATH, or path, of the tmux program. */
  readonly binary: string;
  readonly address: ServerAddress;
  /** Read by an own server when it starts. */
  readonly configFile?: string;
  /** Environment of every tmux this driver starts, hence of the server and of its panes. Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The words before the command. `starting`: the command may start an own server; without it none is ever started. */
export function serverArgv(server: Server, starting = false): string[] {
  const where = 'name' in server.address ? ['-L', server.address.name] : ['-S', server.address.socketPath];
  const start = starting && server.owner === 'own' ? ['-f', server.configFile ?? '/dev/null'] : ['-N'];
  return [server.binary, '-u', ...where, ...start];
}

/** Without TMUX: with it tmux refuses to attach ("nested"), and takes a pane of another server for the current one. */
export function serverEnv(server: Server): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(server.env ?? process.env)) {
    if (value !== undefined && name !== 'TMUX' && name !== 'TMUX_PANE') env[name] = value;
  }
  return env;
}
