import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import { SLUG } from '../../schemas/names.ts';
import type { Io } from '../io/io.ts';
import { type DraftKind, draftPlaces, nextVersion } from './drafts.ts';
import { usage } from './parse.ts';

/** Where a new definition goes, among the drafts by default; no path for standard output. Throws usage for a name that cannot be used. */
export async function newDefinition(
  io: Io,
  kind: DraftKind,
  name: string,
  out: string | undefined,
): Promise<{ version: number; path?: string; isDraft: boolean }> {
  if (!SLUG.test(name))
    throw usage(`${name} cannot be a name`, 'Use lower-case letters, digits, - and _ (at most 64).');
  if (existsSync(join(packageRoot(), 'schemas', `${kind}s`, `${name}@1.yaml`))) {
    throw usage(`${name}@1 is built in`, 'Choose another name.');
  }
  const version = await nextVersion(io, kind, name);
  if (out === '-') return { version, isDraft: false };
  if (out !== undefined) return { version, path: resolve(io.cwd, out), isDraft: false };
  return { version, path: join(draftPlaces(io, kind).drafts, `${name}@${version}.yaml`), isDraft: true };
}
