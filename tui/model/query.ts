import type { ReadParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { ApiError } from './apiError.ts';
import type { QueryMethod } from './stale.ts';

/** Data that a screen shows and the daemon has. Two queries with the same key are the same. */
export interface Query {
  readonly key: string;
  readonly method: QueryMethod;
  readonly params: object;
}

export interface QueryOf<N extends QueryMethod> extends Query {
  readonly method: N;
}

/** The answer to a query. An error leaves the older value in place. */
export interface Answer {
  readonly value?: unknown;
  readonly error?: ApiError;
}

export type Data = ReadonlyMap<string, Answer>;

export function query<N extends QueryMethod>(method: N, params: ReadParams<N>): QueryOf<N> {
  return { key: `${method} ${JSON.stringify(params)}`, method, params: params as object };
}

/** The header of every screen shows it. */
export const STATUS = query('daemon.status', {});

/** The newest answer, or undefined until the first one. */
export function answerOf<N extends QueryMethod>(data: Data, { key }: QueryOf<N>): RpcResult<N> | undefined {
  return data.get(key)?.value as RpcResult<N> | undefined;
}

/** Why there is no answer, or why the newest one is old. */
export function errorOf(data: Data, { key }: Query): ApiError | undefined {
  return data.get(key)?.error;
}

/** The model with this as the newest answer to a query that something else asked. */
export function withAnswer<M extends { readonly data: Data }>(
  model: M,
  { key }: Pick<Query, 'key'>,
  answer: Answer,
): M {
  return { ...model, data: new Map(model.data).set(key, answer) };
}
