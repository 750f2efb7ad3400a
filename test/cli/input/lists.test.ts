import { expect, test } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { whenEmpty } from '../../../cli/commands/approval.list.ts';
import { limitOf, printCutNote } from '../../../cli/input/lists.ts';
import { fakeIo } from '../fakeIo.ts';

const client = (total: number) => ({ call: async () => ({ total }) }) as unknown as Client;

test.each([
  ['nothing given', undefined, undefined, 100],
  ['--limit 5', 5, undefined, 5],
  ['--limit 0', 0, undefined, 0],
  ['--all', undefined, true, 0],
  ['--all --limit 5', 5, true, 5],
])('the limit of %s', (_, given, all, limit) => {
  expect(limitOf(given, all)).toBe(limit);
});

test.each([
  ['was cut', 100, 100, 132, 'Showing 100 of 132 runs, the newest. --limit 0 shows all.\n'],
  ['was cut but for open runs', 120, 100, 132, 'Showing 120 of 132 runs, the newest. --limit 0 shows all.\n'],
  ['is whole', 100, 100, 100, ''],
  ['is short', 3, 100, 3, ''],
  ['has no limit', 132, 0, 132, ''],
])('a list that %s says so on standard error only', async (_, shown, limit, total, said) => {
  const io = fakeIo();
  await printCutNote(io, client(total), { of: 'runs', shown, limit });
  expect(io.written).toEqual({ out: '', err: said });
});

test('an empty list says which gates it would show', () => {
  expect(whenEmpty({})).toMatch(/^No gate waits for a decision\./);
  expect(whenEmpty({ all: true })).toBe('There are no gates.');
  expect(whenEmpty({ all: true, state: 'rejected' })).toBe('No gate has the state rejected.');
});
