import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonDocument } from '../../../schemas/contracts/document/json.ts';
import { versionAfter, versionsIn } from '../../../schemas/definitions/schemaIds.ts';

/** The directories of the person's own definitions. */
export interface UserDefinitions {
  templates: string;
  personas: string;
  artifacts: string;
}

/** A template with the artifact schemas that come with it. */
export interface Promoted {
  name: string;
  version: number;
  yaml: string;
  artifacts: readonly { schema: string; definition: unknown; ok: unknown; invalid: unknown }[];
  /** The origin of the template. The same promotion, done twice, gives the same text. */
  provenance: Readonly<Record<string, unknown>>;
}

export type Promotion = { ok: true; file: string; artifacts: string[] } | { ok: false; reason: string };

/**
 * Publishes a template of the person. It writes each file whole and never replaces one, so of two promotions of one version
 * one fails. The template comes last: it is published when it is there.
 */
export function promoteTemplate(
  { templates, artifacts: artifactDir }: Pick<UserDefinitions, 'templates' | 'artifacts'>,
  given: Promoted,
): Promotion {
  const { name, version, yaml, artifacts, provenance } = given;
  const file = join(templates, `${name}@${version}.yaml`);
  const origin = join(templates, `${name}@${version}.provenance.json`);
  // The first process that writes this file may publish the version.
  if (!writeNew(origin, jsonDocument(provenance)))
    return {
      ok: false,
      reason: `${name}@${version} is promoted already: ${file}. The next free version is ${versionAfter(versionsIn(templates, name))}`,
    };
  const written: string[] = [];
  for (const { schema, definition, ok, invalid } of artifacts) {
    const path = join(artifactDir, `${schema}.json`);
    const fixtures = join(artifactDir, 'fixtures', schema);
    const texts: [string, unknown][] = [
      [join(fixtures, 'ok.json'), ok],
      [join(fixtures, 'invalid.json'), invalid],
      [path, definition],
    ];
    const taken = texts.find(([target, data]) => !writeNew(target, jsonDocument(data)));
    if (taken) return { ok: false, reason: `${taken[0]} is there already, with other content` };
    written.push(path);
  }
  if (!writeNew(file, yaml)) return { ok: false, reason: `${file} is there already, with other content` };
  return { ok: true, file, artifacts: written };
}

/** Whole or not at all. True if the file now has this text, also because it had it before. */
export function writeNew(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(path, 'utf8') === text;
  } finally {
    rmSync(draft, { force: true });
  }
}
