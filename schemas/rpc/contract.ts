import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** A method, declared once. Server, client, `rpc.discover` and the documents read this object. */
export interface Method<
  N extends string = string,
  P extends z.ZodObject = z.ZodObject,
  R extends z.ZodType = z.ZodType,
> {
  name: N;
  summary: string;
  /** A strict object: an unknown parameter causes an error that names it. */
  params: P;
  result: R;
  /** The order of the parameters if a caller passes an array. */
  paramNames: readonly (keyof z.input<P> & string)[];
  /** The devflow errors to expect, beyond those of every method. */
  errors: readonly ErrorCode[];
}

/** Declares a method. Results are not parsed, because our own typed handlers make them. */
export function defineMethod<const N extends string, P extends z.ZodObject, R extends z.ZodType>(
  method: Omit<Method<N, P, R>, 'errors'> & { errors?: readonly ErrorCode[] },
): Method<N, P, R> {
  return { ...method, errors: method.errors ?? [] };
}
