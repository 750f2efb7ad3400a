import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Io } from '../io.ts';
import { oneshot } from './oneshot.ts';
import { readDaemon } from './withDaemon.ts';

/** For methods that need no daemon: the running one answers fastest; without one its program does, once. */
export async function askDaemonOrProgram<N extends MethodName>(
  io: Io,
  method: N,
  params: RpcParams<N>,
): Promise<RpcResult<N>> {
  const answer = await readDaemon(io, (client) => client.request(method, params));
  return answer === undefined ? oneshot(io, method, params) : (answer as RpcResult<N>);
}
