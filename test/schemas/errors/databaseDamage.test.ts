import { expect, it } from 'vitest';
import { damageInLog } from '../../../schemas/errors/databaseDamage.ts';

it('takes the last line of a server log that names damage', () => {
  const log = [
    '2026-11-26 18:00:01.000 UTC [7] FATAL:  relation mapping file "global/pg_filenode.map" contains invalid data',
    '2026-11-26 18:00:02.000 UTC [8] PANIC:  could not locate a valid checkpoint record',
    '2026-11-26 18:00:02.000 UTC [8] WARNING:  page verification failed, calculated checksum 1 but expected 2',
    '2026-11-26 18:00:02.000 UTC [8] DETAIL:  Could not open file "pg_xact/0000": No such file or directory.',
    '2026-11-26 18:00:03.000 UTC [9] FATAL:  the database system is in recovery mode',
    '\tFATAL:  invalid page in block 0',
    '',
  ];
  expect(damageInLog(log.join('\n'))).toBe('could not locate a valid checkpoint record');
  expect(damageInLog(log.slice(2).join('\n'))).toBeUndefined();
  const closed = '2026-11-26 18:00:01.000 UTC [7] PANIC:  could not open file "global/pg_control": Permission denied';
  expect(damageInLog(closed)).toBeUndefined();
});
