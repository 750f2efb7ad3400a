import { expect, test } from 'vitest';
import { isAlive, pidExists, signalIfThere } from '../../../schemas/process/processes.ts';

test('this process exists and is alive; a number without a process is neither', () => {
  expect([pidExists(process.pid), isAlive(process.pid)]).toEqual([true, true]);
  expect([pidExists(2 ** 30), isAlive(2 ** 30)]).toEqual([false, false]);
});

test('a signal to a process that has ended is no error, but one that may not be sent is', () => {
  expect(() => signalIfThere(2 ** 30, 'SIGCONT')).not.toThrow();
  expect(() => signalIfThere(process.pid, 'SIGNOTHING' as NodeJS.Signals)).toThrow('Unknown signal');
});
