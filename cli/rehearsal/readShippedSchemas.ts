import { join } from 'node:path';
import { listSchemaIds } from '../../schemas/definitions/schemaIds.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { readSettingsFile } from '../../schemas/files/settingsFile.ts';

/** The artifact schemas of a directory, by id. */
export function readShippedSchemas(directory: string): Record<string, unknown> {
  return Object.fromEntries(listSchemaIds([directory]).map((id) => [id, readJson(join(directory, `${id}.json`))]));
}

/** The same, each with its examples in `fixtures/<id>/ok.json` and `invalid.json`. */
export function readShipped(directory: string) {
  return Object.entries(readShippedSchemas(directory)).map(([schema, definition]) => ({
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
    throw new DevflowError('usage', `${file} is no JSON: ${(cause as Error).message}`, { cause });
  }
}
