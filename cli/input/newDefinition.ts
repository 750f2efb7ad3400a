import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot, resolvePaths } from '../../schemas/files/paths.ts';
import { SLUG } from '../../schemas/names.ts';
import type { Io } from '../io/io.ts';
import { usage } from './parse.ts';

/** Where a new definition goes; undefined for standard output. Throws usage for a name that cannot be used. */
export function newDefinitionPath(
  io: Io,
  kind: 'templates' | 'personas',
  name: string,
  out: string | undefined,
): string | undefined {
  if (!SLUG.test(name))
    throw usage(`${name} cannot be a name`, 'Use lower-case letters, digits, - and _ (at most 64).');
  const file = `${name}@1.yaml`;
  if (existsSync(join(packageRoot(), 'schemas', kind, file))) {
    throw usage(`${name}@1 is built in`, 'Choose another name.');
  }
  if (out === '-') return undefined;
  const { userTemplates, userPersonas } = resolvePaths(io.env);
  return out === undefined
    ? join({ templates: userTemplates, personas: userPersonas }[kind], file)
    : resolve(io.cwd, out);
}
