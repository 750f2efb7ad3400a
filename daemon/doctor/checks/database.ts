import { join } from 'node:path';
import type pg from 'pg';
import { DevflowError } from '../../../schemas/errors.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { isNew, pendingMigrations } from '../../db/migrate.ts';
import { type Check, type Diagnosis, fail, pass, unchecked, warn } from '../probe/check.ts';
import { lookForDatabase } from '../probe/databaseProbe.ts';
import { ask } from '../probe/program.ts';

/** The database answers. A database that devflow itself starts may be down, unless strict. */
export const database: Check = {
  name: 'database',
  async run(subject) {
    if (!subject.config) return unchecked();
    const found = await lookForDatabase(subject);
    try {
      if (found.state === 'up') return pass(found.detail);
      if (found.state === 'broken') return fail(found.detail, found.remediation);
      return subject.strict ? fail(found.detail, 'Run devflow up.') : pass(found.detail);
    } finally {
      if (found.state === 'up') await found.close();
    }
  },
};

/** Only the database mode `compose` needs Docker. */
export const docker: Check = {
  name: 'docker',
  async run({ env, config, strict }) {
    if (!config && !strict) return unchecked();
    if (!strict && config?.database.mode !== 'compose') {
      return pass(`not needed: the database mode is ${config?.database.mode}`);
    }
    const ran = await ask('docker', ['info', '--format', '{{.ServerVersion}}'], env);
    const remediation = 'Install and start Docker, or use the embedded database: devflow up --db embedded.';
    if (!ran) return fail('docker is not on PATH', remediation);
    return ran.ok ? pass(`Docker ${ran.out}`) : fail(`the Docker daemon does not answer: ${ran.why}`, remediation);
  },
};

export const migrations: Check = {
  name: 'migrations',
  async run(subject) {
    if (!subject.config) return unchecked();
    const found = await lookForDatabase(subject);
    if (found.state === 'broken') {
      return (subject.strict ? fail : warn)('unknown: the database does not answer', found.remediation);
    }
    if (found.state === 'down') {
      const detail = 'the database is not started (devflow up applies pending migrations)';
      return subject.strict ? fail(detail, 'Run devflow up.') : pass(detail);
    }
    try {
      const pending = await pendingMigrations(found, join(subject.packageDir, 'daemon', 'db', 'migrations'));
      if (pending === 0) return pass('none pending');
      if (await isNew(found)) return await judgeNew(found.pool);
      return fail(counted(pending, 'migration is pending', 'migrations are pending'), 'Run devflow up.');
    } catch (error) {
      if (error instanceof DevflowError) return fail(error.message, error.recoveryHint);
      throw error;
    } finally {
      await found.close();
    }
  },
};

/** `devflow up` makes the tables of a new database, if its role may. */
async function judgeNew(pool: pg.Pool): Promise<Diagnosis> {
  const { rows } = await pool.query(
    `SELECT current_user AS role, current_database() AS database,
       has_database_privilege(current_database(), 'CREATE') AS schemas, has_schema_privilege('public', 'CREATE') AS tables`,
  );
  const [{ role, database, schemas, tables }] = rows;
  const lacks = [
    ...(schemas ? [] : [`GRANT CREATE ON DATABASE "${database}" TO "${role}"`]),
    ...(tables ? [] : [`GRANT CREATE ON SCHEMA public TO "${role}"`]),
  ];
  if (lacks.length > 0)
    return fail(`role ${role} may not make tables`, `As the owner of the database: ${lacks.join('; ')}.`);
  return pass('the database is new (devflow up makes its tables)');
}
