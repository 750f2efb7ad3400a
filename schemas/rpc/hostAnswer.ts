import type { RpcErrorObject } from './envelope.ts';
import { fromWire } from './wireError.ts';

/** The answer of another host's daemon. An error is an answer too: the host was reached. */
export type HostAnswer = { result: unknown } | { error: RpcErrorObject };

/** Asks the daemon of another host. Rejects with the error of its answer, or with `host_unreachable`. */
export type AskHost = (hostId: string, method: string, params: unknown) => Promise<unknown>;

/** The result of an answer. Throws its error. */
export function resultOf(answer: HostAnswer): unknown {
  if ('error' in answer) throw fromWire(answer.error);
  return answer.result;
}
