import { join } from 'node:path';
import { counted } from '../../../schemas/counted.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { type Check, fail, pass, unchecked, warn } from '../probe/check.ts';
import { lookForDatabase } from '../probe/databaseProbe.ts';

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
      return fail(counted(pending, 'migration is pending', 'migrations are pending'), 'Run devflow up.');
    } catch (error) {
      if (error instanceof DevflowError) return fail(error.message, error.recoveryHint);
      throw error;
    } finally {
      await found.close();
    }
  },
};
