import { expect, it } from 'vitest';
import { lossIn } from '../../../schemas/errors/databaseLoss.ts';

const failing = (message: string, facts: object) => Object.assign(new Error(message), facts);

it.each([
  ['ended', new Error('Connection terminated unexpectedly')],
  ['ended by the server', failing('terminating connection', { code: '57P01', severity: 'FATAL' })],
  ['behind a query', new Error('Failed query', { cause: new Error('Connection terminated unexpectedly') })],
  ['to nobody', failing('connect ENOENT', { code: 'ENOENT', syscall: 'connect', address: '/run/x/.s.PGSQL.5432' })],
  ['broken', failing('write EPIPE', { code: 'EPIPE', syscall: 'write' })],
  ['refused', failing('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect', port: 5432 })],
  ['without a network', failing('connect ENETUNREACH', { code: 'ENETUNREACH', syscall: 'connect', port: 5432 })],
  ['without a way', failing('connect EHOSTUNREACH', { code: 'EHOSTUNREACH', syscall: 'connect', port: 5432 })],
  ['without an address', failing('connect EADDRNOTAVAIL', { code: 'EADDRNOTAVAIL', syscall: 'connect', port: 5432 })],
  ['open while its network goes', failing('read EHOSTUNREACH', { code: 'EHOSTUNREACH', syscall: 'read' })],
  [
    'to a name without a name server',
    failing('getaddrinfo EAI_AGAIN db', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }),
  ],
  [
    'refused at each address of its name',
    new AggregateError([failing('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect', port: 5432 })]),
  ],
])('knows a connection to the database that is %s', (_what, error) => {
  expect(lossIn(error)).toEqual(expect.any(String));
});

it.each([
  ['a missing file', failing('ENOENT: no such file', { code: 'ENOENT', syscall: 'open', path: '/x' })],
  ['a full disk', failing('ENOSPC: no space left', { code: 'ENOSPC', syscall: 'write' })],
  ['another socket', failing('connect ENOENT', { code: 'ENOENT', syscall: 'connect', address: '/run/x.sock' })],
  ['a refused statement', failing('duplicate key', { code: '23505', severity: 'ERROR' })],
  ['several defects', new AggregateError([new TypeError('x is not a function')])],
  ['a defect', new TypeError('x is not a function')],
  ['nothing', undefined],
])('does not take %s for one', (_what, error) => {
  expect(lossIn(error)).toBeUndefined();
});
