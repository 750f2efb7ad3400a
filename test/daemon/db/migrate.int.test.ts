import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, pendingMigrations } from '../../../daemon/db/migrate.ts';
import { leadMigrated } from '../../../daemon/startup/lead.ts';
import { hostIdOf } from '../../../schemas/config/hostSettings.ts';
import { MIGRATIONS_DIR } from '../../helpers/globalPostgres.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const db = useDatabase({ empty: true });
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devflow-migrations-'));
  cpSync(MIGRATIONS_DIR, dir, { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Adds a migration to the copied folder; `when` in ms, as the journal has it. */
function add(tag: string, when: number): void {
  const file = join(dir, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  journal.entries.push({ idx: journal.entries.length, version: '7', when, tag, breakpoints: true });
  writeFileSync(file, JSON.stringify(journal));
  writeFileSync(join(dir, `${tag}.sql`), `CREATE TABLE ${tag} (id int);`);
}

test('four concurrent callers migrate an empty database once', async () => {
  expect(await pendingMigrations(db(), dir)).toBeGreaterThan(2);
  await Promise.all(Array.from({ length: 4 }, () => migrate(db(), dir)));
  expect(await pendingMigrations(db(), dir)).toBe(0);
  expect((await db().pool.query('SELECT count(*) AS n FROM runs')).rows[0].n).toBe(0);
});

test('applies a later migration; reports one that was merged late', async () => {
  await migrate(db(), dir);
  add('later', Date.now());
  expect(await pendingMigrations(db(), dir)).toBe(1);
  await migrate(db(), dir);
  await db().pool.query('SELECT * FROM later');
  add('merged_late', Date.now() - 1000);
  await expect(migrate(db(), dir)).rejects.toMatchObject({ code: 'migration_pending' });
});

test('refuses a database of a newer devflow', async () => {
  add('later', Date.now());
  await migrate(db(), dir);
  await expect(migrate(db(), MIGRATIONS_DIR)).rejects.toMatchObject({
    code: 'migration_pending',
    recoveryHint: expect.stringMatching(/^Update devflow/),
  });
});

const LAST = '(SELECT max(created_at) FROM drizzle.__drizzle_migrations)';

test.each([
  [
    'a time that cannot be',
    `UPDATE drizzle.__drizzle_migrations SET created_at = 1::int8 << 52 WHERE created_at = ${LAST}`,
  ],
  ['a time below zero', `UPDATE drizzle.__drizzle_migrations SET created_at = -created_at WHERE created_at = ${LAST}`],
  [
    'a later time of its own migration',
    `UPDATE drizzle.__drizzle_migrations SET created_at = ${LAST} + 1 WHERE created_at = ${LAST}`,
  ],
  [
    'no hash',
    `UPDATE drizzle.__drizzle_migrations SET hash = overlay(hash placing '%' from 9) WHERE created_at = ${LAST}`,
  ],
  ['lost entries', 'DELETE FROM drizzle.__drizzle_migrations'],
])('takes an impossible entry for damage, not for the work of a newer devflow: %s', async (_, change) => {
  await migrate(db(), dir);
  await db().pool.query(change);
  await expect(migrate(db(), dir)).rejects.toMatchObject({
    code: 'db_damaged',
    message: expect.stringContaining('drizzle.__drizzle_migrations has'),
  });
});

test.each(['alone', 'as one of several hosts'])('leads no database of a newer devflow, %s', async (how) => {
  add('later', Date.now());
  await migrate(db(), dir);
  const options = { shared: how !== 'alone', mayMigrate: true, onLost: () => {} };
  await expect(leadMigrated(db(), { ...options, migrationsDir: MIGRATIONS_DIR })).rejects.toMatchObject({
    code: 'migration_pending',
    message: 'A newer devflow has migrated this database.',
  });
  // It did not take the lock.
  await (await leadMigrated(db(), { ...options, migrationsDir: dir })).release();
});

test('rolls a failed migration back', async () => {
  add('broken', Date.now());
  writeFileSync(join(dir, 'broken.sql'), 'CREATE TABLE half (id int); SELECT nonsense;');
  await expect(migrate(db(), dir)).rejects.toThrow();
  expect((await db().pool.query(`SELECT to_regclass('half') AS half, to_regclass('runs') AS runs`)).rows).toEqual([
    { half: null, runs: null },
  ]);
});

test('a run of an older version still occupies its repository', async () => {
  const file = join(dir, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  const older = journal.entries.filter(({ idx }: { idx: number }) => idx <= 5);
  writeFileSync(file, JSON.stringify({ ...journal, entries: older }));
  await migrate(db(), dir);
  const { pool } = db();
  const { rows } = await pool.query(
    `INSERT INTO workflow_templates (name, version, hash, definition) VALUES ('t', 1, 'h', '{}') RETURNING id`,
  );
  await pool.query(
    `INSERT INTO runs (template_id, template_hash, state, repo_path, base_branch, worktree_root)
     VALUES ($1, 'h', 'executing', '/home/p/repo', 'main', '/w')`,
    [rows[0].id],
  );
  await migrate(db(), MIGRATIONS_DIR);
  expect((await pool.query('SELECT repository, slot FROM runs')).rows).toEqual([
    { repository: '/home/p/repo/.git', slot: 0 },
  ]);
});

test('the lease of an older version becomes that of its host', async () => {
  const file = join(dir, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  const older = journal.entries.filter(({ idx }: { idx: number }) => idx <= 11);
  writeFileSync(file, JSON.stringify({ ...journal, entries: older }));
  await migrate(db(), dir);
  const { pool } = db();
  await pool.query(`INSERT INTO daemon_lease (epoch, pid, host, beat_at) VALUES (7, 1, 'Anns MacBook.local', now())`);
  await migrate(db(), MIGRATIONS_DIR);
  expect((await pool.query('SELECT host, machine, epoch, led_alone FROM daemon_lease')).rows).toEqual([
    { host: hostIdOf('Anns MacBook.local'), machine: 'Anns MacBook.local', epoch: 7, led_alone: true },
  ]);
});

test.each(['local', 'shared'])('daemons that start at once on an older database (%s) migrate it once', async (kind) => {
  const shared = kind === 'shared';
  const begin = (host: string) =>
    leadMigrated(db(), {
      host,
      shared,
      migrationsDir: MIGRATIONS_DIR,
      mayMigrate: true,
      onLost: (error) => {
        throw error;
      },
    });
  const tries = await Promise.allSettled(['a', 'b', 'c'].map(begin));
  const leaders = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(leaders).toHaveLength(shared ? 3 : 1);
  expect(await pendingMigrations(db(), MIGRATIONS_DIR)).toBe(0);
  for (const leader of leaders) await leader.release();
});

test('does not migrate under the daemon of another host', async () => {
  const leading = { shared: true, mayMigrate: true, onLost: () => {} };
  const running = await leadMigrated(db(), { ...leading, host: 'a', migrationsDir: dir });
  add('later', Date.now());
  await expect(leadMigrated(db(), { ...leading, host: 'b', migrationsDir: dir })).rejects.toMatchObject({
    code: 'migration_pending',
    recoveryHint: expect.stringContaining('on all hosts'),
  });
  await running.release();
  await (await leadMigrated(db(), { ...leading, host: 'b', migrationsDir: dir })).release();
});
