import { expect, it } from 'vitest';
import { lossIn } from '../../schemas/databaseLoss.ts';

const failing = (message: string, facts: object) => Object.assign(new Error(message), facts);

it.each([
  ['ended', new Error('Connection terminated unexpectedly')],
  ['ended by the server', failing('terminating connection', { code: '57P01', severity: 'FATAL' })],
  ['behind a query', new Error('Failed query', { cause: new Error('Connection terminated unexpectedly') })],
  ['to nobody', failing('connect ENOENT', { code: 'ENOENT', syscall: 'connect', address: '/run/x/.s.PGSQL.5432' })],
  ['broken', failing('write EPIPE', { code: 'EPIPE', syscall: 'write' })],
  ['refused', failing('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect', port: 5432 })],
])('knows a connection to the database that is %s', (_what, error) => {
  expect(lossIn(error)).toEqual(expect.any(String));
});

it.each([
  ['a missing file', failing('ENOENT: no such file', { code: 'ENOENT', syscall: 'open', path: '/x' })],
  ['a full disk', failing('ENOSPC: no space left', { code: 'ENOSPC', syscall: 'write' })],
  ['another socket', failing('connect ENOENT', { code: 'ENOENT', syscall: 'connect', address: '/run/x.sock' })],
  ['a refused statement', failing('duplicate key', { code: '23505', severity: 'ERROR' })],
  ['a defect', new TypeError('x is not a function')],
  ['nothing', undefined],
])('does not take %s for one', (_what, error) => {
  expect(lossIn(error)).toBeUndefined();
});
