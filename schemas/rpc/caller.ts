import type { z } from 'zod';

/** The parameters of a method that are true or false. */
export type Flag<P extends z.core.$ZodObject> = {
  [K in keyof z.output<P> & string]: NonNullable<z.output<P>[K]> extends boolean ? K : never;
}[keyof z.output<P> & string];

/**
 * The lasting changes of a method's calls. `nothing`: a client may repeat the call as often as it likes. With `if`,
 * only a call whose parameter is true changes something. With `unless`, only a call whose parameter is not true.
 */
export type Changes<F extends string = string> =
  | 'nothing'
  | 'something'
  | { if: F /** Data of any home of this machine, not only of this one. */; ofAnyHome?: true }
  | { unless: F };

/**
 * The allowed caller. `person`, of calls that change something: no agent of devflow, and no command that devflow runs.
 * `reader`, of calls that change nothing: the same while a run judged by measurements is open. Its log says what no
 * agent may know, and so does everything made from it. For other runs anyone may read.
 */
export type Caller<C extends Changes = Changes> = 'anyone' | (C extends 'nothing' ? 'reader' : 'person');

/** As `rpc.discover` says it. */
export type DescribedCaller = 'anyone' | 'person' | 'reader' | { person: 'if' | 'unless'; param: string };

export function describeCaller({ caller, changes }: { caller: Caller; changes: Changes }): DescribedCaller {
  if (caller !== 'person' || typeof changes === 'string') return caller;
  return 'if' in changes ? { person: 'if', param: changes.if } : { person: 'unless', param: changes.unless };
}

/** True if only a person may make this call. Parameters may come in order, or by name. */
export function needsPerson(caller: DescribedCaller, paramNames: readonly string[], params: unknown): boolean {
  if (typeof caller === 'string') return caller === 'person';
  const { person, param } = caller;
  const value = Array.isArray(params)
    ? params[paramNames.indexOf(param)]
    : (params as Record<string, unknown> | null | undefined)?.[param];
  return (value === true) === (person === 'if');
}
