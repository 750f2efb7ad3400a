import { join } from 'node:path';
import { listSchemaIds } from '../../schemas/definitions/schemaIds.ts';
import { readSettingsFile } from '../../schemas/files/settingsFile.ts';
import { sha256hex } from '../../schemas/hash.ts';

/** Changes when an artifact schema in the directory comes, goes or changes. */
export function schemaFingerprint(directory: string): string {
  const facts = listSchemaIds([directory]).map((id) => {
    const read = readSettingsFile(join(directory, `${id}.json`));
    return `${id} ${read.ok ? sha256hex(read.bytes) : read.fault}`;
  });
  return facts.join('\n');
}
