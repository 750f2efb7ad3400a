import { describe, expect, test } from 'vitest';
import { createLifecycle, exitCodeOf } from '../../../daemon/startup/lifecycle.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { KEPT_EXIT } from '../../../schemas/keeper/keptExit.ts';

const forever = () => new Promise<never>(() => {});

test('releases in reverse order, and names what failed or took longer than it asked for', async () => {
  const said: unknown[] = [];
  const released: string[] = [];
  const lifecycle = createLifecycle({ warn: (...facts: unknown[]) => void said.push(facts) });
  lifecycle.hold('first', () => released.push('first'));
  lifecycle.hold('hangs', forever, 1);
  lifecycle.hold('fails', () => Promise.reject(new Error('no')));
  lifecycle.hold('last', () => released.push('last'));
  await lifecycle.end();
  expect(released).toEqual(['last', 'first']);
  expect(said).toEqual([
    [{ name: 'fails', err: new Error('no') }, 'release failed'],
    [{ name: 'hangs' }, 'release timed out'],
  ]);
});

describe('exitCodeOf', () => {
  const errorOf = (message: string, facts: object = {}) => Object.assign(new Error(message), facts);

  test.each([
    ['an ended connection', new Error('Connection terminated unexpectedly'), KEPT_EXIT.database],
    [
      'a failed query',
      new Error('Failed query', { cause: errorOf('stop', { code: '57P01', severity: 'FATAL' }) }),
      KEPT_EXIT.database,
    ],
    ['a refused file', errorOf('no', { code: 'EACCES', syscall: 'open', path: '/x' }), KEPT_EXIT.person],
    ['a read-only disk', errorOf('no', { code: 'EROFS', syscall: 'mkdir', path: '/x' }), KEPT_EXIT.person],
    ['a full disk', errorOf('no', { code: 'ENOSPC', syscall: 'write' }), 2],
    ['a defect', new TypeError('x is undefined'), 2],
    ['no error', 'oops', 2],
    ['an error of devflow', new DevflowError('fenced', 'x'), KEPT_EXIT.otherDaemon],
    [
      'an error of devflow with another cause',
      new DevflowError('config_invalid', 'x', { cause: new Error('Connection terminated') }),
      KEPT_EXIT.person,
    ],
  ])('tells the keeper what ended the daemon: %s', (_, error, code) => {
    expect(exitCodeOf(error, { kept: true })).toBe(code);
  });

  test('says no more without a keeper', () => {
    expect(exitCodeOf(new Error('Connection terminated unexpectedly'), { kept: false })).toBe(2);
    const { exitCode } = new DevflowError('db_unreachable', 'x');
    expect(exitCodeOf(new DevflowError('db_unreachable', 'x'), { kept: false })).toBe(exitCode);
  });
});
