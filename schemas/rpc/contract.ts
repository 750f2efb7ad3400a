import type { z } from 'zod';
import type { ZodMiniObject } from 'zod/mini';
import type { ErrorCode } from '../errors.ts';
import type { Caller, Changes, Flag } from './caller.ts';
import type { ContractFamily } from './contractFamilies.ts';

/** Which host answers a method that needs a disk or agents. */
export interface AnsweredBy {
  /** The parameter that names the host, or a run, gate, artifact, session or schedule of that host. Without it, this host answers. */
  hostOf: 'host' | 'runId' | 'approvalId' | 'artifactId' | 'sessionId' | 'scheduleId';
  /**
   * This daemon's action if that is another host. `ask`: it asks the other daemon. `askOrAnswer`: it asks, and answers
   * from the database, as far as that can, if the host is unreachable. `refuse`: a person must do it there.
   */
  elsewhere: 'ask' | 'askOrAnswer' | 'refuse';
}

/** `zod/mini` where a command must not wait for all of zod. */
export type ParamsSchema = z.ZodObject | ZodMiniObject;

/** A method, declared once. Server, client, `rpc.discover` and the documents read this object. */
export interface Method<
  N extends string = string,
  P extends ParamsSchema = ParamsSchema,
  R extends z.ZodType = z.ZodType,
  C extends Changes = Changes,
  W extends boolean = boolean,
> {
  name: N;
  summary: string;
  /** A strict object: an unknown parameter causes an error that names it. An array gives the parameters in this order. */
  params: P;
  result: R;
  changes: C;
  /** Checked before the handler runs. An agent and its commands are no person. */
  caller: Caller;
  /** The devflow errors to expect, beyond those of every method. */
  errors: readonly ErrorCode[];
  /** Absent: every host answers it. */
  answeredBy?: AnsweredBy;
  /** Without a daemon `devflow` answers it itself, because it needs neither a database nor agents. */
  withoutDaemon: W;
}

/** A method's declaration of itself. */
type Declaration<
  N extends string,
  P extends ParamsSchema,
  R extends z.ZodType,
  C extends Changes,
  W extends boolean,
> = Omit<Method<N, P, R, C, W>, 'caller' | 'errors' | 'withoutDaemon'> & {
  caller: Caller<C>;
  errors?: readonly ErrorCode[];
  withoutDaemon?: W;
};

/** Declares a method. Results are not parsed, because our own typed handlers make them. */
export function defineMethod<
  const N extends string,
  P extends ParamsSchema,
  R extends z.ZodType,
  const C extends Changes<Flag<P>>,
  const W extends boolean = false,
>(method: Declaration<N, P, R, C, W>): Method<N, P, R, C, W> {
  return { ...method, errors: method.errors ?? [], withoutDaemon: method.withoutDaemon ?? (false as W) };
}

/** Declares a method that changes nothing, and that anyone may call. */
export function defineRead<
  const N extends string,
  P extends ParamsSchema,
  R extends z.ZodType,
  const W extends boolean = false,
>(method: Omit<Declaration<N, P, R, 'nothing', W>, 'changes' | 'caller'>): Method<N, P, R, 'nothing', W> {
  return defineMethod({ ...method, changes: 'nothing', caller: 'anyone' } as Declaration<N, P, R, 'nothing', W>);
}

/** Declares a method that always changes something, and that only a person may call. */
export function defineAct<
  const N extends string,
  P extends ParamsSchema,
  R extends z.ZodType,
  const W extends boolean = false,
>(method: Omit<Declaration<N, P, R, 'something', W>, 'changes' | 'caller'>): Method<N, P, R, 'something', W> {
  return defineMethod({ ...method, changes: 'something', caller: 'person' } as Declaration<N, P, R, 'something', W>);
}

/** Declares a method of contracts. */
export function defineContractMethod<
  const N extends `${ContractFamily}.${string}`,
  P extends ParamsSchema,
  R extends z.ZodType,
  const C extends Changes<Flag<P>>,
>(method: Omit<Declaration<N, P, R, C, true>, 'withoutDaemon'>): Method<N, P, R, C, true> {
  return defineMethod<N, P, R, C, true>({ ...method, withoutDaemon: true } as Declaration<N, P, R, C, true>);
}

/** Declares a method of contracts that changes nothing. */
export function defineContractRead<
  const N extends `${ContractFamily}.${string}`,
  P extends ParamsSchema,
  R extends z.ZodType,
>(method: Omit<Declaration<N, P, R, 'nothing', true>, 'changes' | 'caller' | 'withoutDaemon'>) {
  return defineRead<N, P, R, true>({ ...method, withoutDaemon: true });
}

/** Declares a method of contracts that always changes something, and that only a person may call. */
export function defineContractAct<
  const N extends `${ContractFamily}.${string}`,
  P extends ParamsSchema,
  R extends z.ZodType,
>(method: Omit<Declaration<N, P, R, 'something', true>, 'changes' | 'caller' | 'withoutDaemon'>) {
  return defineAct<N, P, R, true>({ ...method, withoutDaemon: true });
}
