import { requestFault, toErrorRecord } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Env } from '../../schemas/files/paths.ts';
import type { Method } from '../../schemas/rpc/contract.ts';
import type { RpcRequest } from '../../schemas/rpc/envelope.ts';
import { ProtocolError } from '../rpc/failure.ts';
import { parseParams } from '../rpc/params.ts';
import { refuseAgentOnce } from './refuseAgentOnce.ts';

/** The answer to one call as JSON, `{"result"}` or `{"error"}`. */
export async function answerOnce(json: string, answer: (given: RpcRequest['params']) => unknown): Promise<string> {
  try {
    return JSON.stringify({ result: await answer(JSON.parse(json)) });
  } catch (error) {
    const data = error instanceof DevflowError ? error.data : {};
    return JSON.stringify({ error: { ...(requestFault(error) ?? toErrorRecord(error)), data } });
  }
}

/**
 * The parameters of a call that its caller may make. Wrong ones are wrong use, with the same sentence as from a daemon. A
 * method that is not declared needs the daemon.
 */
export async function paramsOnce(
  env: Env,
  methods: readonly Method[],
  name: string,
  given: RpcRequest['params'],
): Promise<Record<string, unknown>> {
  const method = methods.find((each) => each.name === name);
  if (!method) throw new DevflowError('daemon_not_running', `${name} needs the daemon.`);
  const params = parsedOnce(method, given);
  await refuseAgentOnce(env, method, params);
  return params;
}

function parsedOnce(method: Method, given: RpcRequest['params']): Record<string, unknown> {
  try {
    return parseParams(method, given);
  } catch (error) {
    if (error instanceof ProtocolError) throw new DevflowError('usage', error.message);
    throw error;
  }
}
