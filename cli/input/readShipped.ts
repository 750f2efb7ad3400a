import { dirname, join, resolve } from 'node:path';
import type { BroughtSchema } from '../../schemas/definitions/brought.ts';
import { jsonFault } from '../../schemas/definitions/issueText.ts';
import { FIXTURES, fixtureFile, listSchemaIds } from '../../schemas/definitions/schemaIds.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { readSettingsFile } from '../../schemas/files/openRegular.ts';

/**
 * The directory of the artifact schemas that come with a template file: the given one, else `artifacts` beside the file. The
 * template names those that it brings.
 */
export function shippedWith(file: string | undefined, cwd: string, given: string | undefined, text: string) {
  if (given !== undefined) return { directory: resolve(cwd, given), isWanted: () => true };
  if (file === undefined || file === '-') return undefined;
  const named = new Set(text.match(/[a-z0-9-]+\/[a-z0-9-]+@\d+/g));
  return { directory: join(dirname(resolve(cwd, file)), 'artifacts'), isWanted: (id: string) => named.has(id) };
}

type Shipped = NonNullable<ReturnType<typeof shippedWith>>;

/** The artifact schemas of a directory, each with what fake agents write for it, as far as `fixtures/<id>/ok.json` is there. */
export function readShipped(shipped: Shipped | undefined): BroughtSchema[] {
  const { directory = '', isWanted } = shipped ?? {};
  const ids = isWanted ? listSchemaIds([directory]).filter(isWanted) : [];
  return ids.map((schema) => {
    const definition = readJson(join(directory, `${schema}.json`)) as BroughtSchema['definition'];
    const example = fixtureFile(join(directory, FIXTURES), schema, 'ok');
    return example?.endsWith('.json') ? { schema, definition, ok: readJson(example) } : { schema, definition };
  });
}

/** The same, to publish them: each needs its examples `fixtures/<id>/ok.json` and `invalid.json`. */
export function readPublished(shipped: Shipped | undefined) {
  const exampleOf = (schema: string, name: string) =>
    readJson(join(shipped?.directory ?? '', FIXTURES, schema, `${name}.json`));
  return readShipped(shipped).map((each) => ({
    ...each,
    ok: 'ok' in each ? each.ok : exampleOf(each.schema, 'ok'),
    invalid: exampleOf(each.schema, 'invalid'),
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
