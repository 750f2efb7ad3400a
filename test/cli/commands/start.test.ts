import { expect, it } from 'vitest';
import { action } from '../../../cli/commands/start.ts';

type Options = Parameters<typeof action>[1];

/** Refused before anything is read or started, so no more of the terminal is needed. */
const start = (options: Partial<Options>) =>
  action({} as never, { text: [], ...options } as Options, {} as never, 'start');

it.each<[string, Partial<Options>]>([
  ['words and -m', { text: ['a'], message: ['b'] }],
  ['words and a list', { text: ['a'], each: 'tasks.md' }],
  ['a list and a pane to go to', { each: 'tasks.md', attach: true }],
])('refuses %s', async (_, options) => {
  await expect(start(options)).rejects.toMatchObject({ code: 'usage' });
});
