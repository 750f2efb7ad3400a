import { dirname, join, resolve } from 'node:path';
import { jsonFault } from '../../schemas/definitions/schemaFileFault.ts';
import { FIXTURES, fixtureFile, listSchemaIds } from '../../schemas/definitions/schemaIds.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { readSettingsFile } from '../../schemas/files/settingsFile.ts';

/**
 * The directory of the artifact schemas that come with a template file: the given one, else `artifacts` beside the file. The
 * template names those that it brings.
 */
export function shippedWith(file: string | undefined, cwd: string, given: string | undefined, text: string) {
  if (given !== undefined) return { directory: resolve(cwd, given), isWanted: () => true };
  if (file === undefined || file === '-') return undefined;
  return { directory: join(dirname(resolve(cwd, file)), 'artifacts'), isWanted: (id: string) => text.includes(id) };
}

type Shipped = NonNullable<ReturnType<typeof shippedWith>>;

/** The artifact schemas of a directory, by id. */
export function readShippedSchemas(shipped: Shipped | undefined): Record<string, unknown> {
  const { directory = '', isWanted } = shipped ?? {};
  const ids = isWanted ? listSchemaIds([directory]).filter(isWanted) : [];
  return Object.fromEntries(ids.map((id) => [id, readJson(join(directory, `${id}.json`))]));
}

/** What fake agents write for the schemas, as far as `fixtures/<id>/ok.json` is there. */
export function readExamples(shipped: Shipped | undefined): Record<string, unknown> {
  const found = Object.keys(readShippedSchemas(shipped)).flatMap((id) => {
    const file = fixtureFile(join(shipped?.directory ?? '', FIXTURES), id, 'ok');
    return file?.endsWith('.json') ? [[id, readJson(file)] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The same, each with its examples in `fixtures/<id>/ok.json` and `invalid.json`. */
export function readShipped(shipped: Shipped | undefined) {
  const { directory = '' } = shipped ?? {};
  return Object.entries(readShippedSchemas(shipped)).map(([schema, definition]) => ({
    schema,
    definition: definition as Record<string, unknown>,
    ok: readJson(join(directory, 'fixtures', schema, 'ok.json')),
    invalid: readJson(join(directory, 'fixtures', schema, 'invalid.json')),
  }));
}

function readJson(file: string): unknown {
  const read = readSettingsFile(file);
  if (!read.ok) throw new DevflowError('usage', `${file} cannot be read: ${read.fault}`);
  try {
    return JSON.parse(read.bytes.toString('utf8'));
  } catch (cause) {
    throw new DevflowError('usage', `${file} cannot be used: ${jsonFault(cause as Error)}.`, { cause });
  }
}
