import type { Method } from '../../schemas/rpc/contract.ts';
import { METHODS } from '../../schemas/rpc/methods/index.ts';
import { createDispatch, type Routes } from './dispatch.ts';
import type { RpcLog } from './failure.ts';
import { HANDLERS } from './handlers/index.ts';
import type { HandlerContext, Handlers, Ports } from './ports.ts';
import { type RpcServer, serve } from './server.ts';

/** Serves all methods of devflow on the socket. */
export function startRpc(options: { socketPath: string; ports: Ports; log: RpcLog }): Promise<RpcServer> {
  const { socketPath, ports, log } = options;
  return serve({
    socketPath,
    dispatch: createDispatch(routesOf(HANDLERS), log),
    contextOf: (call): HandlerContext => ({ ...ports, call }),
  });
}

/** Each method with the handler of its name. */
export function routesOf(handlers: Handlers): Routes<HandlerContext> {
  return new Map(
    METHODS.map((method: Method) => [method.name, { method, handle: handlers[method.name as keyof Handlers] }]),
  );
}
