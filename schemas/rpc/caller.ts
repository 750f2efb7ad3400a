import type { z } from 'zod';

/** The parameters of a method that are true or false. */
export type Flag<P extends z.ZodObject> = {
  [K in keyof z.output<P> & string]: NonNullable<z.output<P>[K]> extends boolean ? K : never;
}[keyof z.output<P> & string];

/**
 * What calls of a method change. `nothing`: nothing outlives the answer, so a client may ask again as often as it likes. With `if`,
 * only a call whose parameter is true changes something. With `unless`, only a call whose parameter is not true.
 */
export type Changes<F extends string = string> =
  | 'nothing'
  | 'something'
  | { if: F /** Data of any home of this machine, not only of this one. */; ofAnyHome?: true }
  | { unless: F };

/**
 * Who may make a call. `person`, of calls that change something: no agent of devflow, and no command that devflow runs.
 * `reader`, of calls that change nothing: the same for an open run that is judged by measurements, because its log and what follows
 * from it say what no agent may know; anyone for other runs.
 */
export type Caller<C extends Changes = Changes> = 'anyone' | (C extends 'nothing' ? 'reader' : 'person');

/** As `rpc.discover` says it. */
export type DescribedCaller = 'anyone' | 'person' | 'reader' | { person: 'if' | 'unless'; param: string };

export function describeCaller({ caller, changes }: { caller: Caller; changes: Changes }): DescribedCaller {
  if (caller !== 'person' || typeof changes === 'string') return caller;
  return 'if' in changes ? { person: 'if', param: changes.if } : { person: 'unless', param: changes.unless };
}

/** Whether only a person may make this call. Parameters may come in order, or by name. */
export function needsPerson(caller: DescribedCaller, paramNames: readonly string[], params: unknown): boolean {
  if (typeof caller === 'string') return caller === 'person';
  const { person, param } = caller;
  const value = Array.isArray(params)
    ? params[paramNames.indexOf(param)]
    : (params as Record<string, unknown> | null | undefined)?.[param];
  return (value === true) === (person === 'if');
}
