import { expect, test } from 'vitest';
import { isAlive, pidExists } from '../../schemas/processes.ts';

test('this process exists and is alive; a number without a process is neither', () => {
  expect([pidExists(process.pid), isAlive(process.pid)]).toEqual([true, true]);
  expect([pidExists(2 ** 30), isAlive(2 ** 30)]).toEqual([false, false]);
});
