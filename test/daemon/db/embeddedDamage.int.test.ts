import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBinaries } from '../../../daemon/db/embedded/binaries.ts';
import { serverUser } from '../../../daemon/db/embedded/serverUser.ts';
import { migrate, pendingMigrations } from '../../../daemon/db/migrate.ts';
import { lookForEmbedded } from '../../../daemon/doctor/probe/embeddedProbe.ts';
import { readRunningServer } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { MIGRATIONS_DIR } from '../../helpers/globalPostgres.ts';
import { one, useEmbedded } from './givenEmbedded.ts';

const embedded = useEmbedded();
const place = (path: string) => join(embedded().options.dataDir, path);

function flip(path: string): void {
  const bytes = readFileSync(place(path));
  for (let at = 8000; at < 8190; at += 1) bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  writeFileSync(place(path), bytes);
}

const zero = (path: string) => writeFileSync(place(path), Buffer.alloc(statSync(place(path)).size));
const remove = (path: string) => rmSync(place(path), { recursive: true });

/** Of a cluster that initdb made: pg_class is 1259, the roles are 1260, and the database `postgres` is 5. */
test.each<[string, () => void, string]>([
  ['flipped bytes of a table', () => flip('base/5/1259'), 'invalid page in block 0 of relation base/5/1259.'],
  ['a table of zeros', () => zero('base/5/1259'), 'could not open critical system index'],
  ['a missing table', () => remove('base/5/1259'), 'could not open file "base/5/1259": No such file or directory.'],
  ['a map of zeros', () => zero('base/5/pg_filenode.map'), '"base/5/pg_filenode.map" contains invalid data.'],
  ['a shared map of zeros', () => zero('global/pg_filenode.map'), '"global/pg_filenode.map" contains invalid data.'],
  ['roles of zeros', () => zero('global/1260'), 'role "devflow" does not exist.'],
  ['a missing database', () => remove('base/5'), 'database "postgres" does not exist.'],
  ['a missing status of transactions', () => remove('pg_xact/0000'), '(could not access status of transaction'],
  [
    'a missing log of writes',
    () => {
      for (const name of readdirSync(place('pg_wal'))) if (/^[0-9A-F]{24}$/.test(name)) remove(`pg_wal/${name}`);
    },
    '(could not locate a valid checkpoint record).',
  ],
])('names damage, says what to do, and leaves no server: %s', async (_, harm, said) => {
  const { givenCluster, open, options } = embedded();
  givenCluster();
  harm();
  await expect(open()).rejects.toMatchObject({
    code: 'db_damaged',
    message: expect.stringContaining(said),
    recoveryHint: expect.stringContaining('restore the database from a backup'),
  });
  expect(readRunningServer(options.dataDir)).toBeUndefined();
});

test('takes a damaged list of migrations for damage, not for the work of a newer devflow', async () => {
  const { givenCluster, open } = embedded();
  givenCluster();
  const whole = await open();
  await migrate(whole, MIGRATIONS_DIR);
  const { rows } = await whole.pool.query(`SELECT pg_relation_filepath('drizzle.__drizzle_migrations') AS path`);
  await whole.stopServer();
  flip(rows[0].path);
  await expect(pendingMigrations(await open(), MIGRATIONS_DIR)).rejects.toMatchObject({
    code: 'db_damaged',
    message: `The database is damaged: invalid page in block 0 of relation ${rows[0].path}.`,
  });
});

test('goes on with the cluster of an earlier devflow, and the doctor says that it has no checksums', async () => {
  const { givenCluster, home, open, options } = embedded();
  const paths = { ...resolvePaths({ HOME: home, DEVFLOW_HOME: home }), postgresData: options.dataDir };
  const user = serverUser();
  mkdirSync(options.dataDir, { recursive: true });
  if (user) chownSync(options.dataDir, user.uid, user.gid);
  const { initdb } = findBinaries(options.binariesCacheDir, user);
  const flags = ['-U', 'devflow', '-E', 'UTF8', '--locale=C', '--wal-segsize=4', '--auth-local=trust'];
  execFileSync(initdb, ['-D', options.dataDir, ...flags], { ...user, cwd: '/', stdio: 'ignore' });
  const detail = async () => {
    const found = await lookForEmbedded(paths);
    if (found.state === 'up') await found.close();
    return found.detail;
  };
  const earlier = await open();
  expect(await one(earlier)).toBe(1);
  expect(await detail()).toMatch(/\(pid \d+\), without checksums \(made by an earlier devflow\)$/);
  await earlier.stopServer();
  rmSync(join(options.dataDir, '..'), { recursive: true });
  givenCluster();
  await open();
  expect(await detail()).toMatch(/\(pid \d+\)$/);
});
