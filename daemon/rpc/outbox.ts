import type { Socket } from 'node:net';
import { EVENTS_METHOD } from '../../schemas/rpc/envelope.ts';
import { encodeFrame } from '../../schemas/rpc/framing.ts';
import type { Sink } from '../events/subscription.ts';

/** Sends replies and notifications to one client. */
export interface Outbox extends Sink {
  write(frame: string): void;
  waitingBytes(): number;
}

/** Joins the writes of one turn into one system call, and signals subscriptions when the reader is slow. */
export function createOutbox(socket: Socket): Outbox {
  let corked = false;
  let room: Promise<void> | undefined;

  const write = (frame: string) => {
    if (!socket.writable) return;
    if (!corked) {
      corked = true;
      socket.cork();
      process.nextTick(() => {
        corked = false;
        socket.uncork();
      });
    }
    socket.write(frame);
  };
  const untilRoom = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        socket.off('drain', done);
        socket.off('close', done);
        room = undefined;
        resolve();
      };
      socket.on('drain', done);
      socket.on('close', done);
    });

  return {
    write,
    send: (params) => write(encodeFrame({ jsonrpc: '2.0', method: EVENTS_METHOD, params })),
    writable() {
      if (!socket.writableNeedDrain || socket.destroyed) return undefined;
      room ??= untilRoom();
      return room;
    },
    waitingBytes: () => socket.writableLength,
  };
}
