import type pg from 'pg';
import { expect, test } from 'vitest';
import { refusePooler } from '../../../daemon/db/refusePooler.ts';

/** A pooler in transaction mode that takes its sessions in turn, for one statement each. */
function poolerOf(sessions: number): pg.Pool {
  let statements = 0;
  const client = {
    async query() {
      statements += 1;
      return { rows: [{ backend: statements % sessions }] };
    },
    release() {},
  };
  return { connect: async () => client } as unknown as pg.Pool;
}

test.each([1, 2, 3, 4, 5])('refuses a pooler that takes its sessions in turn: %i', async (sessions) => {
  await expect(refusePooler(poolerOf(sessions), 'The database')).rejects.toMatchObject({
    code: 'db_unreachable',
    recoveryHint: expect.stringMatching(/^Set the URL of the server itself, or of a pooler in session mode\./),
  });
});

/** A server that gives one connection, and an error instead of the second. */
function poolOfOne(code: string) {
  let given = 0;
  const client = { query: async () => ({ rows: [{ backend: 1 }] }), release: () => (given -= 1) };
  const pool = {
    async connect() {
      if (given > 0) throw Object.assign(new Error('no second connection'), { code });
      given += 1;
      return client;
    },
  } as unknown as pg.Pool;
  return { pool, given: () => given };
}

test('asks nothing of a server without a second free connection, and passes other errors on', async () => {
  const full = poolOfOne('53300');
  await refusePooler(full.pool, 'The database');
  const gone = poolOfOne('ECONNREFUSED');
  await expect(refusePooler(gone.pool, 'The database')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect([full.given(), gone.given()]).toEqual([0, 0]);
});
