import type { z } from 'zod';

/** The parameters of a method that are true or false. */
export type Flag<P extends z.ZodObject> = {
  [K in keyof z.output<P> & string]: NonNullable<z.output<P>[K]> extends boolean ? K : never;
}[keyof z.output<P> & string];

/**
 * Who may call a method. `person`: no agent of devflow, and no command that devflow runs. `reader`: the same for an open run that is
 * judged by measurements, because its log and what follows from it say what no agent may know; anyone for other runs. With `if`, only a call whose
 * parameter is true needs a person. With `unless`, only a call whose parameter is not true.
 */
export type Caller<F extends string = string> = 'anyone' | 'person' | 'reader' | { person: 'if' | 'unless'; param: F };

/** Whether only a person may make this call. Parameters may come in order, or by name. */
export function needsPerson(method: { caller: Caller; paramNames: readonly string[] }, params: unknown): boolean {
  const { caller, paramNames } = method;
  if (typeof caller === 'string') return caller === 'person';
  const { person, param } = caller;
  const value = Array.isArray(params)
    ? params[paramNames.indexOf(param)]
    : (params as Record<string, unknown> | null | undefined)?.[param];
  return (value === true) === (person === 'if');
}
