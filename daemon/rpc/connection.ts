import type { Socket } from 'node:net';
import { createFrameDecoder } from '../../schemas/rpc/framing.ts';
import type { Dispatch } from './dispatch.ts';
import { errorObject, failure } from './failure.ts';
import { type FrameBudget, type FrameHolder, tooSlow } from './frameBudget.ts';
import { createOutbox } from './outbox.ts';
import type { Call, Held, Peer } from './peer.ts';
import { readPeerPid } from './peerProcess.ts';

/** Requests of one client that run at once. Beyond that, devflow stops reading its socket. */
const MAX_IN_FLIGHT = 64;
/** With more unread reply bytes of a client than this, devflow stops reading its socket. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** A refused client is disconnected after this time. */
const LINGER_MS = 2000;

export interface Connection {
  /** Reads no more requests, lets the current ones finish, then ends. */
  finish(): Promise<void>;
  destroy(): void;
}

export interface ConnectionOptions<C> {
  dispatch: Dispatch<C>;
  contextOf(call: Call): C;
  maxFrameBytes?: number;
  budget: FrameBudget;
  onClose(): void;
}

/** Serves one client until it goes. */
export function serveConnection<C>(socket: Socket, options: ConnectionOptions<C>): Connection {
  const { dispatch, contextOf, maxFrameBytes, budget, onClose } = options;
  const decoder = createFrameDecoder(maxFrameBytes);
  const outbox = createOutbox(socket);
  const held = new Map<string, Held>();
  /** Read but not started. At most one chunk's worth, because a full connection is not read. */
  let queue: string[] = [];
  let inFlight = 0;
  let ending = false;
  let gone = false;

  let peerPid: Promise<number | undefined> | undefined;
  const peer: Peer = {
    sink: outbox,
    processId() {
      peerPid ??= readPeerPid(socket).then((pid) => {
        // The answer came too late: ask again at the next request.
        if (pid === 0) peerPid = undefined;
        return pid;
      });
      return peerPid;
    },
    hold(thing) {
      if (gone) thing.close();
      else held.set(thing.id, thing);
    },
    release(id) {
      const thing = held.get(id);
      thing?.close();
      return held.delete(id);
    },
  };
  const full = () => inFlight >= MAX_IN_FLIGHT || outbox.waitingBytes() > HIGH_WATER_BYTES;
  const balance = () => {
    while (queue.length > 0 && !full() && !gone) {
      inFlight += 1;
      void serve(queue.shift() as string);
    }
    if (ending || gone) return;
    if (full()) socket.pause();
    else if (socket.isPaused()) socket.resume();
  };
  const endWhenIdle = () => {
    if (!ending || gone || inFlight > 0 || queue.length > 0) return;
    release();
    socket.end();
  };
  const release = () => {
    for (const thing of held.values()) thing.close();
    held.clear();
  };
  const serve = async (text: string) => {
    const after: (() => void)[] = [];
    const reply = await dispatch(text, contextOf({ peer, afterReply: (action) => after.push(action) }));
    if (reply !== undefined) outbox.write(`${reply}\n`);
    for (const action of after) action();
    inFlight -= 1;
    balance();
    endWhenIdle();
  };
  const refuse = (error: unknown) => {
    ending = true;
    queue = [];
    forgetFrame();
    release();
    socket.end(`${JSON.stringify(failure(null, errorObject(error)))}\n`);
    // Keep reading and discard: closing now would reset the socket before the client reads our error.
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };

  const holder: FrameHolder = { refuse };
  let slow: NodeJS.Timeout | undefined;
  const forgetFrame = () => {
    clearTimeout(slow);
    decoder.drop();
    budget.holds(holder, 0);
  };
  /** The time limit of a message starts at its first byte. */
  const watchFrame = (isNext: boolean) => {
    const bytes = decoder.buffered();
    if (isNext || bytes === 0) {
      clearTimeout(slow);
      slow = bytes === 0 ? undefined : setTimeout(() => refuse(tooSlow(budget.limits)), budget.limits.frameMs).unref();
    }
    budget.holds(holder, bytes);
  };

  socket.on('data', (chunk) => {
    if (ending) return;
    const before = decoder.buffered();
    let frames = 0;
    try {
      decoder.push(chunk as Buffer, (text) => {
        frames += 1;
        queue.push(text);
      });
      watchFrame(before === 0 || frames > 0);
    } catch (error) {
      refuse(error);
    }
    balance();
  });
  socket.on('drain', balance);
  // A client may close its side after its last request (`nc -N`). It still gets the answers.
  socket.on('end', () => {
    ending = true;
    // A client that still reads skips an empty line. To one that is gone, this fails and closes the connection.
    if (held.size > 0) outbox.write('\n');
    endWhenIdle();
  });
  // A client that disconnects is not an error here; 'close' follows.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    gone = true;
    queue = [];
    forgetFrame();
    release();
    onClose();
  });

  return {
    finish: () =>
      new Promise((resolve) => {
        if (gone) return resolve();
        socket.once('close', () => resolve());
        ending = true;
        queue = [];
        socket.resume();
        endWhenIdle();
      }),
    destroy: () => socket.destroy(),
  };
}
