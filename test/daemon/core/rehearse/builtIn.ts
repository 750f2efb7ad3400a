import { join } from 'node:path';
import { readTemplateFile } from '../../../../schemas/definitions/definitionFile.ts';
import type { Template } from '../../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

export const DIRECTORY = join(packageRoot(), 'schemas/templates');

/** A template of the package. */
export function builtIn(file: string): Template {
  const read = readTemplateFile(join(DIRECTORY, file), { schemaFault: () => undefined });
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value.definition;
}
