import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** A method, declared once: server, client, `rpc.discover` and the documents all read this object. */
export interface Method<
  N extends string = string,
  P extends z.ZodObject = z.ZodObject,
  R extends z.ZodType = z.ZodType,
> {
  name: N;
  summary: string;
  /** A strict object: an unknown parameter is an error that names it. */
  params: P;
  result: R;
  /** The order of the parameters where a caller gives an array. */
  paramNames: readonly (keyof z.input<P> & string)[];
  /** Errors of ours that a caller should expect, beyond those any method may end with. */
  errors: readonly ErrorCode[];
}

/** Declares a method. Results are trusted, not parsed: they come from our own typed handlers. */
export function defineMethod<const N extends string, P extends z.ZodObject, R extends z.ZodType>(
  method: Omit<Method<N, P, R>, 'errors'> & { errors?: readonly ErrorCode[] },
): Method<N, P, R> {
  return { ...method, errors: method.errors ?? [] };
}
