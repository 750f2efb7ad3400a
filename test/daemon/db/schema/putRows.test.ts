import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingFunction, putRowsFunction } from '../../../../daemon/db/schema/putRows.ts';
import { MIGRATIONS_DIR } from '../../../helpers/globalPostgres.ts';

const migrations = globSync(join(MIGRATIONS_DIR, '*.sql'))
  .sort()
  .map((file) => readFileSync(file, 'utf8'));

test('the newest function of the migrations writes the columns of the tables (npm run migration -- --name <what>)', () => {
  expect(missingFunction(migrations)).toBeUndefined();
});

test('a migration needs the function when the newest one is another, or there is none', () => {
  const older = migrations.filter((text) => !text.includes('coalesce(slot, 0), host'));
  expect(older.length).toBeLessThan(migrations.length);
  expect(missingFunction(older)).toBe(putRowsFunction());
  expect(missingFunction([])).toBe(putRowsFunction());
  expect(missingFunction([...older, putRowsFunction()])).toBeUndefined();
});
