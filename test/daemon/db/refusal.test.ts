import pg from 'pg';
import { expect, test } from 'vitest';
import { isPassing } from '../../../daemon/db/pgErrors.ts';
import { refusal } from '../../../daemon/db/refusal.ts';

const fromServer = (code: string, message: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, severity: 'FATAL' });
const fromSystem = (code: string) => Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect', port: 1 });

test.each([
  fromServer('57P03', 'the database system is starting up'),
  fromServer('57P03', 'the database system is in recovery mode'),
  fromServer('57P03', 'the database system is shutting down'),
  fromServer('57P01', 'terminating connection due to administrator command'),
  fromServer('53300', 'sorry, too many clients already'),
  fromServer('08006', 'server closed the connection'),
  fromSystem('ECONNREFUSED'),
  fromSystem('ENOENT'),
  fromSystem('ETIMEDOUT'),
  fromSystem('ENETUNREACH'),
  fromSystem('EAI_AGAIN'),
  new Error('Connection terminated unexpectedly'),
  new Error('Connection terminated due to connection timeout'),
])('passes by itself, and no pooler is blamed: %s', (error) => {
  expect(isPassing(error)).toBe(true);
  expect(refusal(error, 'The database', 60_000)).toMatchObject({
    code: 'db_unreachable',
    message: expect.stringMatching(/ devflow waited 60 s for it\.$/),
    recoveryHint: expect.not.stringContaining('PgBouncer'),
  });
});

test.each([
  [fromServer('28P01', 'password authentication failed'), 'Check user and password in the URL.'],
  [fromServer('3D000', 'database "x" does not exist'), 'Create it (createdb), or fix the name in the URL.'],
  [fromServer('08P01', 'database "x" does not exist'), 'Create it (createdb), or fix the name in the URL.'],
  [fromServer('08P01', 'no such database: x'), 'Create it (createdb), or fix the name in the URL.'],
  [
    fromServer('42501', 'permission denied for database'),
    "Check the URL, the rights of its user and the server's log.",
  ],
  [fromSystem('ENOTFOUND'), 'Check that it runs and that the URL is right.'],
  [new Error('The server does not support SSL connections'), "Check the URL and the server's settings."],
])('does not pass, and no pooler is blamed: %s', (error, recoveryHint) => {
  expect(isPassing(error)).toBe(false);
  expect(refusal(error, 'The database', 0)).toMatchObject({ code: 'db_unreachable', recoveryHint });
});

test.each(['unsupported startup parameter: options', 'bouncer config error', 'no such user: devflow'])(
  'a pooler says so itself: %s',
  (message) => {
    const error = fromServer('08P01', message);
    expect(isPassing(error)).toBe(false);
    expect(refusal(error, 'The database', 0).recoveryHint).toContain('PgBouncer');
  },
);
