import { connect as connectSocket, type Socket } from 'node:net';
import { encodeFrame } from '../../schemas/rpc/framing.ts';

export interface EarlyRequest {
  readonly method: string;
  readonly params: object;
}

/**
 * A connection whose first requests are on the way before the program that reads the answers has loaded. Its id is the
 * place of a request, from 1. `connect` takes it over.
 */
export interface EarlyRequests {
  readonly socket: Socket;
  readonly requests: readonly EarlyRequest[];
}

/** Undefined if no daemon listens. The next connection reports why. */
export function sendEarly(socketPath: string, requests: readonly EarlyRequest[]): Promise<EarlyRequests | undefined> {
  return new Promise((resolve) => {
    const socket = connectSocket(socketPath);
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => {
      // An error that comes before the take-over destroys the socket; then `connect` opens another.
      socket.on('error', () => {});
      const frames = requests.map(({ method, params }, nth) => ({ jsonrpc: '2.0', id: nth + 1, method, params }));
      socket.write(frames.map(encodeFrame).join(''));
      resolve({ socket, requests });
    });
  });
}
