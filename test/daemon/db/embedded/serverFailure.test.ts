import { expect, test } from 'vitest';
import { serverFailure } from '../../../../daemon/db/embedded/serverFailure.ts';

const line = (pid: number, text: string) => `2026-11-28 01:02:03.004 UTC [${pid}] ${text}`;
const message = (...lines: string[]) => serverFailure('Starting it', lines.join('\n'), undefined, 20).message;

test('names what the started server says, although processes of a killed one complain after it', () => {
  const own = line(20, 'FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use');
  const hint = line(20, 'HINT:  Terminate any old server processes associated with data directory "/data".');
  const late = [
    line(11, 'FATAL:  terminating connection due to unexpected postmaster exit'),
    line(12, 'FATAL:  connection to client lost'),
  ];
  expect(message(own, hint, ...late)).toBe(
    'Starting it failed: pre-existing shared memory block (key 1, ID 2) is still in use.',
  );
});

test('names what a process of the started server says when the server itself does not complain', () => {
  const panic = line(21, 'PANIC:  could not write to file "pg_wal/xlogtemp.21"');
  const abort = line(20, 'LOG:  aborting startup due to startup process failure');
  expect(message(panic, abort)).toBe('Starting it failed: could not write to file "pg_wal/xlogtemp.21".');
});
