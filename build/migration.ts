import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { missingFunction } from '../daemon/db/schema/putRows.ts';

/** `npm run migration -- --name <what>` writes the next migration, with the function that writes rows if that changed. */
const migrations = () => globSync('daemon/db/migrations/*.sql').sort();

function drizzleKit(...options: string[]): void {
  const generate = ['drizzle-kit', 'generate', '--config', 'build/drizzle.config.ts', ...options];
  const { status } = spawnSync('npx', generate, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const options = process.argv.slice(2);
const before = migrations().length;
drizzleKit(...options);
const missing = missingFunction(migrations().map((path) => readFileSync(path, 'utf8')));
if (missing !== undefined) {
  // Only the function changed: drizzle-kit found nothing to write.
  if (migrations().length === before) drizzleKit('--custom', ...options);
  const file = migrations().at(-1) as string;
  const written = readFileSync(file, 'utf8').replace(/^-- Custom SQL.*\s*/, '');
  writeFileSync(file, `${written && `${written}--> statement-breakpoint\n`}${missing}\n`);
}
