import { RPC_CODES } from '../../schemas/rpc/envelope.ts';
import { METHODS, type MethodName } from '../../schemas/rpc/methods/index.ts';
import type { HostAnswer } from '../../schemas/rpc/wireError.ts';
import { errorObject, ProtocolError, type RpcLog } from './failure.ts';
import type { Handlers } from './handlers.ts';
import { parseParams } from './params.ts';
import type { Call } from './peer.ts';

/** Answers what the daemon of another host asks. Never rejects, so whoever carries the question need not carry errors. */
export type AnswerHost = (method: string, params: unknown) => Promise<HostAnswer>;

/** Answers only methods that are declared for it. The other daemon has checked who asks. */
export function createAnswerHost(handlers: Handlers, log: RpcLog): AnswerHost {
  return async (name, params) => {
    try {
      const method = METHODS.find((each) => each.name === name);
      if (!method?.answeredBy || method.answeredBy.elsewhere === 'refuse')
        throw new ProtocolError(RPC_CODES.methodNotFound, `no method ${name} for other hosts`);
      const handle = handlers[method.name as MethodName] as (params: unknown, call: Call) => unknown;
      return { result: (await handle(parseParams(method, params as Record<string, unknown>), NO_CALL)) ?? null };
    } catch (error) {
      return { error: errorObject(error, name, log) };
    }
  };
}

/** Nobody is connected. A method that needs its caller is not declared for other hosts. */
const NO_CALL: Call = {
  peer: {
    sink: { writable: () => undefined, send: () => {} },
    processId: async () => undefined,
    hold: (held) => held.close(),
    release: () => false,
  },
  afterReply: () => {},
};
