import { connect as connectSocket, type Socket } from 'node:net';
import { DevflowError } from '../../schemas/errors.ts';
import { EVENTS_METHOD, type RpcErrorObject } from '../../schemas/rpc/envelope.ts';
import { createFrameDecoder, encodeFrame } from '../../schemas/rpc/framing.ts';
import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import { fromWire } from '../../schemas/rpc/wireError.ts';
import { createEarlyAnswers } from './earlyAnswers.ts';
import type { EarlyRequests } from './earlyRequests.ts';
import { PATIENCE, type Patience, watchSilence } from './silence.ts';

// Import only types from files that load zod: loading it takes longer than the rest of a command's start.

type CallArguments<N extends MethodName> =
  Record<string, never> extends RpcParams<N> ? [params?: RpcParams<N>] : [params: RpcParams<N>];

export interface ClientSubscription {
  readonly id: string;
  readonly runId: string | null;
  /** The seq after which the replay starts; null for a subscription to the whole daemon. */
  readonly afterSeq: number | null;
  close(): Promise<void>;
}

export interface Client {
  call<N extends MethodName>(method: N, ...params: CallArguments<N>): Promise<RpcResult<N>>;
  /** Calls any method by name, without checks, for `devflow rpc`. */
  request(method: string, params?: unknown): Promise<unknown>;
  /** Misses no notification after the reply. `onNotification` must not throw. */
  subscribe(
    params: RpcParams<'events.subscribe'>,
    onNotification: (notification: NotificationParams) => void,
  ): Promise<ClientSubscription>;
  /** Early requests that nobody asked for until now: their answers may be old, so nobody gets them. */
  forgetEarly(): void;
  /** Resolves once the connection is closed, for any reason. */
  readonly closed: Promise<void>;
  close(): void;
}

interface Incoming {
  id?: number | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: RpcErrorObject;
}

/**
 * Connects to the daemon. Errors are `DevflowError`s with the daemon's code, hint and data. A call that was sent early gets
 * that answer.
 */
export async function connect(
  socketPath: string,
  patience: Patience = PATIENCE,
  sentEarly?: EarlyRequests,
): Promise<Client> {
  const taken = sentEarly?.socket.destroyed === false ? sentEarly : undefined;
  const socket = taken?.socket ?? (await openSocket(socketPath));
  const decoder = createFrameDecoder();
  const early = createEarlyAnswers(taken?.requests ?? []);
  const { waiting } = early;
  const listeners = new Map<string, (notification: NotificationParams) => void>();
  let lastId = waiting.size;
  let fault: Error | undefined;

  const take = (frame: string) => {
    const message = JSON.parse(frame) as Incoming;
    if (message.method === EVENTS_METHOD) {
      const params = message.params as NotificationParams;
      listeners.get(params.subscriptionId)?.(params);
      return;
    }
    if (message.error && (message.id === null || message.id === undefined)) throw fromWire(message.error);
    const caller = waiting.get(message.id ?? -1);
    waiting.delete(message.id ?? -1);
    if (message.error) caller?.fail(fromWire(message.error));
    else caller?.succeed(message.result);
  };
  const send = <T>(method: string, params: unknown, onResult: (result: unknown) => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed || !socket.writable) return reject(fault ?? gone());
      const caller = { succeed: (result: unknown) => resolve(onResult(result)), fail: reject };
      if (early.claim(method, params, caller)) return;
      lastId += 1;
      waiting.set(lastId, caller);
      socket.write(encodeFrame({ jsonrpc: '2.0', id: lastId, method, params }));
    });

  const silence = watchSilence({
    socketPath,
    patience,
    isWaiting: () => waiting.size > 0,
    // Any answer shows that the daemon is alive. This refusal is the cheapest.
    ask: () => void send('events.unsubscribe', {}, () => undefined).catch(() => {}),
    onDead(error) {
      fault = error;
      socket.destroy();
    },
  });
  const read = (chunk: Buffer) => {
    silence.heard();
    try {
      decoder.push(chunk, take);
    } catch (error) {
      fault = error as Error;
      socket.destroy();
    }
  };
  // A subscription sent early may have notifications already: its caller claims it first.
  if (taken) setImmediate(() => socket.on('data', read));
  else socket.on('data', read);
  // 'close' follows. `fault` holds the reason, if there is a useful one.
  socket.on('error', () => socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      silence.stop();
      for (const caller of waiting.values()) caller.fail(fault ?? gone());
      waiting.clear();
      resolve();
    });
  });

  return {
    call: (method, ...params) => send(method, params[0] ?? {}, (result) => result as RpcResult<typeof method>),
    request: (method, params) => send(method, params, (result) => result),
    subscribe: (params, onNotification) =>
      send('events.subscribe', params, (result) => {
        // Not after an await: the first notification may be in the same chunk as the reply.
        const { subscriptionId: id, runId, afterSeq } = result as RpcResult<'events.subscribe'>;
        listeners.set(id, onNotification);
        const close = async () => {
          listeners.delete(id);
          if (socket.writable) await send('events.unsubscribe', { subscriptionId: id }, () => undefined);
        };
        return { id, runId, afterSeq, close };
      }),
    forgetEarly: early.forget,
    closed,
    close: () => socket.destroy(),
  };
}

function gone(): DevflowError {
  return new DevflowError('daemon_not_running', 'the connection to the daemon closed before it answered', {
    recoveryHint: 'Check whether it still runs: devflow status.',
  });
}

/** Connects to the daemon's socket. Throws `daemon_not_running` if no daemon listens. */
function openSocket(socketPath: string): Promise<Socket> {
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
