import { DevflowError } from '../../schemas/errors.ts';
import { EVENTS_METHOD, type RpcErrorObject } from '../../schemas/rpc/envelope.ts';
import { createFrameDecoder, encodeFrame } from '../../schemas/rpc/framing.ts';
import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import { openSocket } from './openSocket.ts';
import { PATIENCE, type Patience, watchSilence } from './silence.ts';
import { fromWire } from './wireError.ts';

// Types only from what imports zod: loading it would cost more than the rest of a command's start.

type CallArguments<N extends MethodName> =
  Record<string, never> extends RpcParams<N> ? [params?: RpcParams<N>] : [params: RpcParams<N>];

export interface ClientSubscription {
  readonly id: string;
  readonly runId: string | null;
  /** Where the replay began; null for a subscription to the whole daemon. */
  readonly afterSeq: number | null;
  close(): Promise<void>;
}

export interface Client {
  call<N extends MethodName>(method: N, ...params: CallArguments<N>): Promise<RpcResult<N>>;
  /** Any method by any name, unchecked: `devflow rpc`. */
  request(method: string, params?: unknown): Promise<unknown>;
  /** No notification that follows the reply is missed. `onNotification` must not throw. */
  subscribe(
    params: RpcParams<'events.subscribe'>,
    onNotification: (notification: NotificationParams) => void,
  ): Promise<ClientSubscription>;
  /** Resolves once the connection is gone, for whatever reason. */
  readonly closed: Promise<void>;
  close(): void;
}

interface Waiting {
  succeed(result: unknown): void;
  fail(error: Error): void;
}

interface Incoming {
  id?: number | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: RpcErrorObject;
}

/** Connects to the daemon. Errors are `DevflowError`s with the daemon's code, hint and facts. */
export async function connect(socketPath: string, patience: Patience = PATIENCE): Promise<Client> {
  const socket = await openSocket(socketPath);
  const decoder = createFrameDecoder();
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, (notification: NotificationParams) => void>();
  let lastId = 0;
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
      lastId += 1;
      waiting.set(lastId, { succeed: (result) => resolve(onResult(result)), fail: reject });
      socket.write(encodeFrame({ jsonrpc: '2.0', id: lastId, method, params }));
    });

  const silence = watchSilence({
    socketPath,
    patience,
    isWaiting: () => waiting.size > 0,
    // Any answer proves life, and a refusal costs the daemon least.
    ask: () => void send('events.unsubscribe', {}, () => undefined).catch(() => {}),
    onDead(error) {
      fault = error;
      socket.destroy();
    },
  });
  socket.on('data', (chunk) => {
    silence.heard();
    try {
      decoder.push(chunk as Buffer, take);
    } catch (error) {
      fault = error as Error;
      socket.destroy();
    }
  });
  // 'close' follows, with the reason in `fault` or none that would help.
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
        // Here and not after an await: the first notification may be in the same chunk as the reply.
        const { subscriptionId: id, runId, afterSeq } = result as RpcResult<'events.subscribe'>;
        listeners.set(id, onNotification);
        const close = async () => {
          listeners.delete(id);
          if (socket.writable) await send('events.unsubscribe', { subscriptionId: id }, () => undefined);
        };
        return { id, runId, afterSeq, close };
      }),
    closed,
    close: () => socket.destroy(),
  };
}

function gone(): DevflowError {
  return new DevflowError('daemon_not_running', 'the connection to the daemon closed before it answered', {
    recoveryHint: 'See whether it still runs: devflow status.',
  });
}
