import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { DevflowError } from '../../schemas/errors.ts';
import { type Connection, type ConnectionOptions, serveConnection } from './connection.ts';
import { checkLength, prepareDirectory, removeStale } from './socketPath.ts';

export interface RpcServer {
  readonly socketPath: string;
  connections(): number;
  /** Takes no more clients, lets requests under way finish, and after the deadline drops who is left. */
  close(deadlineMs?: number): Promise<void>;
}

export type ServerOptions<C> = Omit<ConnectionOptions<C>, 'onClose'> & { socketPath: string };

/** Listens on a Unix socket that only this user can open. Throws `daemon_running` when one is served already. */
export async function serve<C>(options: ServerOptions<C>): Promise<RpcServer> {
  const { socketPath, ...connection } = options;
  const open = new Set<Connection>();
  // Half-open, so that a client that has said its last word still gets its answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const served: Connection = serveConnection(socket, { ...connection, onClose: () => open.delete(served) });
    open.add(served);
  });
  checkLength(socketPath);
  prepareDirectory(socketPath);
  await removeStale(socketPath);
  await listenPrivately(server, socketPath);

  return {
    socketPath,
    connections: () => open.size,
    async close(deadlineMs = 2000) {
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

function listenPrivately(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new DevflowError('daemon_running', `another daemon has just taken ${socketPath}`)
          : new DevflowError('daemon_start_failed', `cannot listen on ${socketPath}: ${error.message}`, {
              cause: error,
            }),
      );
    });
    // The file is made inside this call, so the mask covers it and nothing else.
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
