import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { DevflowError } from '../../schemas/errors.ts';
import { removePidFile, writePidFile } from '../../schemas/files/pidFile.ts';
import { type Connection, type ConnectionOptions, serveConnection } from './connection.ts';
import { errorObject, failure } from './failure.ts';
import { createFrameBudget, type FrameLimits } from './frameBudget.ts';
import { checkLength, prepareDirectory, removeStale } from './socketPath.ts';

export interface RpcServer {
  readonly socketPath: string;
  connections(): number;
  /** Bytes of unfinished messages, over all connections. */
  bufferedBytes(): number;
  /** Accepts no more clients, lets current requests finish, and drops the rest after the deadline. */
  close(deadlineMs?: number): Promise<void>;
}

export type ServerOptions<C> = Omit<ConnectionOptions<C>, 'onClose' | 'budget'> & {
  socketPath: string;
  limits?: FrameLimits;
};

/** Listens on a Unix socket that only this user can open. Throws `daemon_running` if a daemon answers there. */
export async function serve<C>(options: ServerOptions<C>): Promise<RpcServer> {
  const { socketPath, limits, ...connection } = options;
  const budget = createFrameBudget(limits);
  const open = new Set<Connection>();
  // Half-open, so that a client that closed its sending side still gets its answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (open.size >= budget.limits.connections) return turnAway(socket, budget.limits.connections);
    const onClose = () => open.delete(served);
    const served: Connection = serveConnection(socket, { ...connection, budget, onClose });
    open.add(served);
  });
  checkLength(socketPath);
  prepareDirectory(socketPath);
  await removeStale(socketPath);
  await listenPrivately(server, socketPath);
  writePidFile(socketPath);

  return {
    socketPath,
    connections: () => open.size,
    bufferedBytes: () => budget.bytes(),
    async close(deadlineMs = 2000) {
      removePidFile(socketPath);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const late = setTimeout(() => {
        for (const served of open) served.destroy();
      }, deadlineMs);
      await Promise.all([...open].map((served) => served.finish()));
      clearTimeout(late);
      await closed;
    },
  };
}

function turnAway(socket: Socket, limit: number): void {
  const error = new DevflowError('too_many_connections', `The daemon already serves ${limit} connections.`);
  socket.on('error', () => socket.destroy());
  socket.end(`${JSON.stringify(failure(null, errorObject(error)))}\n`, () => socket.destroy());
}

function listenPrivately(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new DevflowError('daemon_running', `Another daemon has just taken ${socketPath}.`)
          : new DevflowError('daemon_start_failed', `Cannot listen on ${socketPath}: ${error.message}.`, {
              cause: error,
            }),
      );
    });
    // listen() creates the file in this call, so the umask applies to nothing else.
    const mask = process.umask(0o177);
    try {
      server.listen(socketPath, () => {
        chmodSync(socketPath, 0o600);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}
