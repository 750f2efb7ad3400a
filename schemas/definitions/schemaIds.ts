import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_ID } from '../names.ts';
import { orElse } from '../orElse.ts';

/** A folder next to the domains. It holds examples, not schemas. */
export const FIXTURES = 'fixtures';

export function isSchemaId(id: string): boolean {
  return SCHEMA_ID.test(id) && !id.startsWith(`${FIXTURES}/`);
}

/** The ids of all schemas in these directories, sorted. */
export function listSchemaIds(directories: readonly string[]): string[] {
  return [...new Set(directories.flatMap(schemaIds))].sort();
}

/** The example of a schema in a directory of fixtures: JSON, or the Markdown of a contract. Undefined if there is none. */
export function fixtureFile(directory: string, id: string, scenario: string): string | undefined {
  if (!isSchemaId(id) || !/^[a-z0-9_-]+$/.test(scenario)) return undefined;
  return ['json', 'md'].map((ending) => join(directory, id, `${scenario}.${ending}`)).find(existsSync);
}

/** The folders of schemas in a directory, which may be links. */
export function listDomains(directory: string): string[] {
  const isDirectory = (name: string) => orElse(() => statSync(join(directory, name)).isDirectory(), false);
  return namesIn(directory).filter((name) => isSchemaId(`${name}/any@1`) && isDirectory(name));
}

function schemaIds(directory: string): string[] {
  return listDomains(directory)
    .flatMap((name) => namesIn(join(directory, name)).map((file) => `${name}/${file}`))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter(isSchemaId);
}

/** None if the directory is missing or may not be read: a person may change it at any time. */
export function namesIn(directory: string): string[] {
  return orElse(() => readdirSync(directory), []);
}

/** The versions of a name in a directory of templates or personas, also one whose publishing has only begun. */
export function versionsIn(directory: string, name: string): number[] {
  return namesIn(directory).flatMap((entry) => {
    const [, found, version] = /^(.+)@([1-9]\d*)\.(?:ya?ml|provenance\.json)$/.exec(entry) ?? [];
    return found === name ? [Number(version)] : [];
  });
}

/** The first number above all versions. */
export function versionAfter(versions: readonly number[]): number {
  return Math.max(0, ...versions) + 1;
}
