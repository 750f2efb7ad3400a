import { existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FIXTURES, versionAfter, versionsIn } from '../../schemas/definitions/schemaIds.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Io } from '../io/io.ts';

export type DraftKind = 'template' | 'persona';

/** Where definitions of a kind are, and where their drafts are. */
export function draftPlaces({ env }: Pick<Io, 'env'>, kind: DraftKind): { published: string; drafts: string } {
  const paths = resolvePaths(env);
  return kind === 'template'
    ? { published: paths.userTemplates, drafts: paths.templateDrafts }
    : { published: paths.userPersonas, drafts: paths.personaDrafts };
}

/** The draft file of a name, or of `name@version`. Undefined if there is none, or if what is published is newer. */
export function draftFile(io: Pick<Io, 'env'>, kind: DraftKind, ref: string): string | undefined {
  const { published, drafts } = draftPlaces(io, kind);
  const [name = '', wanted] = ref.split('@');
  const newest = Math.max(0, ...versionsIn(drafts, name));
  const version = wanted === undefined ? newest : Number(wanted);
  const file = join(drafts, `${name}@${version}.yaml`);
  if (!existsSync(file)) return undefined;
  const isOlder =
    wanted === undefined
      ? versionsIn(published, name).some((each) => each > version)
      : existsSync(join(published, `${name}@${version}.yaml`));
  return isOlder ? undefined : file;
}

/** The version of the next draft of a name: above all that was published. Only a running daemon knows of some of it. */
export async function nextVersion(io: Io, kind: DraftKind, name: string): Promise<number> {
  const stored = await readDaemon(io, (client) => client.call(`${kind}.list`, { unpublished: true }));
  const known = (stored ?? []).flatMap((each) => (each.name === name ? [each.version] : []));
  return versionAfter([...known, ...versionsIn(draftPlaces(io, kind).published, name)]);
}

/** Removes the draft of what is published now, so that nobody changes a text that no longer counts. Other files stay. */
export function removeDraft(io: Pick<Io, 'env' | 'cwd'>, kind: DraftKind, file: string): void {
  if (isDraft(io, kind, file)) rmSync(resolve(io.cwd, file), { force: true });
}

/** The same for the artifact schemas that were published with a draft. */
export function removeDraftSchemas(io: Pick<Io, 'env' | 'cwd'>, schemas: readonly string[], file: string): void {
  if (!isDraft(io, 'template', file)) return;
  const directory = join(draftPlaces(io, 'template').drafts, 'artifacts');
  for (const schema of schemas) {
    rmSync(join(directory, `${schema}.json`), { force: true });
    rmSync(join(directory, FIXTURES, schema), { recursive: true, force: true });
  }
}

function isDraft(io: Pick<Io, 'env' | 'cwd'>, kind: DraftKind, file: string): boolean {
  return dirname(resolve(io.cwd, file)) === draftPlaces(io, kind).drafts;
}
