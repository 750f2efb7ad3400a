import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_ID } from '../names.ts';

/** A folder next to the domains. It holds examples, not schemas. */
export const FIXTURES = 'fixtures';

export function isSchemaId(id: string): boolean {
  return SCHEMA_ID.test(id) && !id.startsWith(`${FIXTURES}/`);
}

/** The ids of all schemas in these directories, sorted. */
export function listSchemaIds(directories: readonly string[]): string[] {
  return [...new Set(directories.flatMap(schemaIds))].sort();
}

function schemaIds(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((domain) => domain.isDirectory())
    .flatMap(({ name }) => readdirSync(join(directory, name)).map((file) => `${name}/${file}`))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter(isSchemaId);
}
