import type { z } from 'zod';
import type { Changes, Flag } from '../../caller.ts';
import { type Declaration, defineMethod, type Method, type ParamsSchema } from '../../contract.ts';
import type { ContractFamily } from '../../contractFamilies.ts';

/** Declares a method of contracts. */
export function defineContractMethod<
  const N extends `${ContractFamily}.${string}`,
  P extends ParamsSchema,
  R extends z.ZodType,
  const C extends Changes<Flag<P>>,
>(method: Omit<Declaration<N, P, R, C, true>, 'withoutDaemon'>): Method<N, P, R, C, true> {
  return defineMethod<N, P, R, C, true>({ ...method, withoutDaemon: true } as Declaration<N, P, R, C, true>);
}
