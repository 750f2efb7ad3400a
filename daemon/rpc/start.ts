import type { Method } from '../../schemas/rpc/contract.ts';
import { METHODS, type MethodName } from '../../schemas/rpc/methods/index.ts';
import { createDispatch, type Route, type Routes } from './dispatch.ts';
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
    METHODS.map((method: Method) => {
      const name = method.name as keyof Handlers;
      return [name, { method, handle: guarded(name, handlers[name]) }];
    }),
  );
}

type Handle = Route<HandlerContext>['handle'];

/** Checks the caller of a method that only a person may call. */
function guarded(name: MethodName, handle: Handle): Handle {
  return (params, context) => {
    const { agents, call } = context;
    if (!agents?.decides(name, params)) return handle(params, context);
    return agents.check(name, params, call.peer).then(() => handle(params, context));
  };
}
