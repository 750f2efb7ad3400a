import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Io } from '../io/io.ts';
import { printJson } from '../print/output.ts';
import { withDaemon } from './withDaemon.ts';

/** The action of a command that calls one method of the daemon, and prints the answer or its JSON. */
export function calls<M extends MethodName>(
  method: M,
  print: (io: Io, answer: RpcResult<M>, params: RpcParams<M>) => void,
  exitCode: (answer: RpcResult<M>) => number = () => 0,
) {
  return async (params: RpcParams<M>, { json }: { json?: boolean }, io: Io): Promise<number> => {
    const answer = (await withDaemon(io, (client) => client.request(method, params))) as RpcResult<M>;
    if (json) printJson(io, answer);
    else print(io, answer, params);
    return exitCode(answer);
  };
}
