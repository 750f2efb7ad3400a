import { describeCaller, needsPerson } from '../../schemas/rpc/caller.ts';
import type { Method } from '../../schemas/rpc/contract.ts';
import { METHODS, type MethodName } from '../../schemas/rpc/methods/index.ts';
import { createDispatch, type Route, type Routes } from './dispatch.ts';
import type { RpcLog } from './failure.ts';
import type { CallGuard, Handlers } from './handlers.ts';
import type { Call } from './peer.ts';
import { type RpcServer, serve } from './server.ts';

/** Serves all methods of devflow on the socket. Without a guard, everyone may call everything. */
export function startRpc(options: {
  socketPath: string;
  handlers: Handlers;
  guard?: CallGuard;
  log: RpcLog;
}): Promise<RpcServer> {
  const { socketPath, handlers, guard, log } = options;
  return serve({ socketPath, dispatch: createDispatch(routesOf(handlers, guard), log), contextOf: (call) => call });
}

/** Each method with the handler of its name. */
export function routesOf(handlers: Handlers, guard?: CallGuard): Routes<Call> {
  return new Map(
    METHODS.map((method: Method) => {
      const name = method.name as MethodName;
      const handle: Handle = handlers[name];
      return [name, { method, handle: guard ? guarded(method, handle, guard) : handle }];
    }),
  );
}

type Handle = Route<Call>['handle'];

function guarded(method: Method, handle: Handle, guard: CallGuard): Handle {
  const caller = describeCaller(method);
  const isReader = caller === 'reader';
  return (params, call) => {
    if (!isReader && !needsPerson(caller, Object.keys(method.params.shape), params)) return handle(params, call);
    return guard[isReader ? 'checkReader' : 'check'](method.name as MethodName, params, call.peer).then(() =>
      handle(params, call),
    );
  };
}
