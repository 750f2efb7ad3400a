import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { ApiError } from './apiError.ts';

/** Something that is shown and must be read from the daemon; two needs with one key are the same. */
export interface Query {
  readonly key: string;
  readonly method: MethodName;
  readonly params: object;
}

export interface QueryOf<N extends MethodName> extends Query {
  readonly method: N;
}

/** What is known of a need. An error leaves the older value in place. */
export interface Entry {
  readonly value?: unknown;
  readonly error?: ApiError;
}

export type Data = ReadonlyMap<string, Entry>;

/** Reads that a screen shows; the feed keeps each of them fresh while it is needed. */
export function query<N extends MethodName>(method: N, params: RpcParams<N>): QueryOf<N> {
  return { key: `${method} ${JSON.stringify(params)}`, method, params: params as object };
}

/** What the header shows on every screen. */
export const STATUS = query('daemon.status', {});

/** The newest answer, or undefined until there is one. */
export function answerOf<N extends MethodName>(data: Data, wanted: QueryOf<N>): RpcResult<N> | undefined {
  return data.get(wanted.key)?.value as RpcResult<N> | undefined;
}

/** Why there is none, or why the newest is old. */
export function errorOf(data: Data, wanted: Query): ApiError | undefined {
  return data.get(wanted.key)?.error;
}
