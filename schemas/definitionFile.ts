import { basename } from 'node:path';
import type { z } from 'zod';
import { Persona, personaHash } from './persona.ts';
import { Template, templateHash } from './template.ts';
import { type Problem, problemsOf, readYaml } from './yamlFile.ts';

/** A template or persona as its file holds it. */
export interface Definition<T> {
  name: string;
  version: number;
  /** Plan 6.2: what makes a published version unchangeable. */
  hash: string;
  file: string;
  definition: T;
}

export type DefinitionResult<T> = { ok: true; value: Definition<T> } | { ok: false; problems: Problem[] };

/** A template file. Never throws: everything that is wrong is in `problems`, with file and line. */
export function readTemplateFile(file: string): DefinitionResult<Template> {
  return readDefinition(file, Template, templateHash);
}

/** A persona file; as `readTemplateFile`. */
export function readPersonaFile(file: string): DefinitionResult<Persona> {
  return readDefinition(file, Persona, personaHash);
}

interface Identity {
  name: string;
  version: number;
}

function readDefinition<T extends Identity>(
  file: string,
  schema: z.ZodType<T>,
  hashOf: (definition: T) => string,
): DefinitionResult<T> {
  const read = readYaml(file);
  if (!read.ok) return read;
  const parsed = schema.safeParse(read.yaml.value);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error, schema, read.yaml) };
  const definition = parsed.data;
  const { name, version } = definition;
  const expected = `${name}@${version}.yaml`;
  if (basename(file) !== expected) {
    const message = `the file holds ${name}@${version}, so it must be named ${expected}`;
    return { ok: false, problems: [{ file, line: read.yaml.lineOf(['name']), path: 'name', message }] };
  }
  return { ok: true, value: { name, version, hash: hashOf(definition), file, definition } };
}
