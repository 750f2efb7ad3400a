import { connect as connectSocket, type Socket } from 'node:net';
import { DevflowError } from '../../schemas/errors.ts';

/** Connects to the daemon's socket. Throws `daemon_not_running` if no daemon listens. */
export function openSocket(socketPath: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(socketPath);
    const refuse = (error: NodeJS.ErrnoException) => {
      const nobody = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
      const message = nobody ? `no daemon answers on ${socketPath}` : `cannot reach the daemon: ${error.message}`;
      const recoveryHint = nobody ? undefined : `Look at the socket: ls -l ${socketPath}`;
      reject(new DevflowError('daemon_not_running', message, { cause: error, recoveryHint, data: { socketPath } }));
    };
    socket.once('error', refuse);
    socket.once('connect', () => {
      socket.off('error', refuse);
      resolve(socket);
    });
  });
}
