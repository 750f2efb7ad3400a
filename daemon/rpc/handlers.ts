import type { MethodName, ParsedParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Call, Peer } from './peer.ts';

/** Answers one method. The parameters are parsed; ids in them may still be prefixes. */
export type Handler<N extends MethodName> = (
  params: ParsedParams<N>,
  call: Call,
) => RpcResult<N> | Promise<RpcResult<N>>;

/** One handler for each method: a missing one does not compile. */
export type Handlers = { [N in MethodName]: Handler<N> };

/** The handlers whose names begin so: `HandlersOf<'run'>` has `run.start`, `run.list`, … */
export type HandlersOf<A extends string> = Pick<Handlers, Extract<MethodName, `${A}.${string}`>>;

/** Decides whether a person calls. */
export interface CallGuard {
  /** Checks a call that only a person may make. Throws `agent_may_not_decide`. */
  check(method: MethodName, params: Readonly<Record<string, unknown>>, peer: Pick<Peer, 'processId'>): Promise<void>;
  /** Checks a call that reads a run's log: the same, if the run keeps something from agents. */
  checkReader: CallGuard['check'];
}
