import { DevflowError } from '../../schemas/errors.ts';
import type { Method } from '../../schemas/rpc/contract.ts';
import { RPC_CODES, type RpcId, type RpcRequest, type RpcResponse } from '../../schemas/rpc/envelope.ts';
import { MAX_FRAME_BYTES } from '../../schemas/rpc/framing.ts';
import { errorObject, failure, invalidRequest, isRequest, ProtocolError, type RpcLog } from './failure.ts';
import { parseParams } from './params.ts';

/** A larger batch is refused: many small requests could ask for a very large answer. */
export const MAX_BATCH = 1000;

export interface Route<C> {
  method: Method;
  handle(params: never, context: C): unknown;
}

export type Routes<C> = ReadonlyMap<string, Route<C>>;

/** Takes one message and returns at most one, without its newline. Never rejects. */
export type Dispatch<C> = (text: string, context: C) => Promise<string | undefined>;

/** Answers JSON-RPC 2.0 messages, single or in batches. */
export function createDispatch<C>(routes: Routes<C>, log: RpcLog): Dispatch<C> {
  const answer = async (member: unknown, context: C): Promise<RpcResponse | undefined> => {
    if (!isRequest(member)) return invalidRequest('not a JSON-RPC 2.0 request');
    try {
      const result = await run(routes, member, context);
      return member.id === undefined ? undefined : { jsonrpc: '2.0', id: member.id, result: result ?? null };
    } catch (error) {
      const object = errorObject(error, member.method, log);
      return member.id === undefined ? undefined : failure(member.id, object);
    }
  };
  const answerBatch = async (members: unknown[], context: C) => {
    if (members.length === 0) return invalidRequest('an empty batch');
    if (members.length > MAX_BATCH) return invalidRequest(`a batch of more than ${MAX_BATCH} members`);
    const answers = await Promise.all(members.map((member) => answer(member, context)));
    const replies = answers.filter((reply) => reply !== undefined);
    return replies.length === 0 ? undefined : replies;
  };

  return async (text, context) => {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return JSON.stringify(
        failure(null, { code: RPC_CODES.parseError, message: `not JSON: ${(error as Error).message}` }),
      );
    }
    const reply = await (Array.isArray(message) ? answerBatch(message, context) : answer(message, context));
    if (reply === undefined) return undefined;
    try {
      return encodeWithinLimit(reply);
    } catch (error) {
      return JSON.stringify(failure(idOf(reply), errorObject(error, 'encoding a reply', log)));
    }
  };
}

function run<C>(routes: Routes<C>, request: RpcRequest, context: C): unknown {
  const route = routes.get(request.method);
  if (!route) throw new ProtocolError(RPC_CODES.methodNotFound, `no method ${request.method}`);
  return route.handle(parseParams(route.method, request.params) as never, context);
}

/** Replaces a reply that exceeds the client's limit with an error. */
function encodeWithinLimit(reply: RpcResponse | RpcResponse[]): string {
  const text = JSON.stringify(reply);
  // A UTF-16 unit takes at most three bytes, so only long texts need the exact count.
  if (text.length * 3 <= MAX_FRAME_BYTES || Buffer.byteLength(text) <= MAX_FRAME_BYTES) return text;
  throw new DevflowError('frame_too_large', `The answer exceeds the limit of ${MAX_FRAME_BYTES} bytes.`, {
    recoveryHint: 'Ask for less at a time: set a limit, or send a smaller batch.',
    data: { limit: MAX_FRAME_BYTES },
  });
}

function idOf(reply: RpcResponse | RpcResponse[]): RpcId {
  return Array.isArray(reply) ? null : reply.id;
}
