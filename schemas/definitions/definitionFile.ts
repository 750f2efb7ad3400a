import { basename } from 'node:path';
import type { z } from 'zod';
import { Persona, personaHash } from './persona.ts';
import type { Fault } from './phase/kindDefinition.ts';
import type { Registry } from './registry.ts';
import { Template, templateHash } from './template.ts';
import { templateFaults } from './templateFaults.ts';
import { unstorableFaults } from './unstorableText.ts';
import { type Problem, parseYaml, problemAt, problemsOf, readYaml, textTooLarge, type YamlResult } from './yamlFile.ts';

/** A template or persona as its file holds it. */
export interface Definition<T> {
  name: string;
  version: number;
  /** The same version with another hash is refused: what is published never changes. */
  hash: string;
  file: string;
  definition: T;
}

export type DefinitionResult<T> = { ok: true; value: Definition<T> } | { ok: false; problems: Problem[] };

/** The known artifact schemas, against which a template is checked. */
export type Schemas = Pick<Registry, 'schemaFault'>;

/** Reads a template file. Never throws: `problems` has every fault, with file and line. */
export function readTemplateFile(file: string, schemas: Schemas): DefinitionResult<Template> {
  return named(file, templateIn(readYaml(file), file, schemas));
}

/** Like `readTemplateFile`, for a persona. */
export function readPersonaFile(file: string): DefinitionResult<Persona> {
  return named(file, parsed(readYaml(file), file, Persona, personaHash));
}

/**
 * Reads the text of a template that has no file yet, or another file name. `file` is its name in problems. A text has a
 * limit, because the daemon answers nobody else while it parses.
 */
export function readTemplateText(text: string, schemas: Schemas, file = 'template'): DefinitionResult<Template> {
  return templateIn(parseSmall(file, text), file, schemas);
}

/** Like `readTemplateText`, for a persona. */
export function readPersonaText(text: string, file = 'persona'): DefinitionResult<Persona> {
  return parsed(parseSmall(file, text), file, Persona, personaHash);
}

function parseSmall(file: string, text: string): YamlResult {
  const fault = textTooLarge(text);
  if (fault === undefined) return parseYaml(file, text);
  return { ok: false, problems: [{ file, path: '', code: 'too_large', message: fault }] };
}

function templateIn(read: YamlResult, file: string, schemas: Schemas): DefinitionResult<Template> {
  return parsed(read, file, Template, templateHash, (template) => templateFaults(template, schemas));
}

interface Identity {
  name: string;
  version: number;
}

function parsed<T extends Identity>(
  read: YamlResult,
  file: string,
  schema: z.ZodType<T>,
  hashOf: (definition: T) => string,
  faultsOf: (definition: T) => Fault[] = () => [],
): DefinitionResult<T> {
  if (!read.ok) return read;
  const result = schema.safeParse(read.yaml.value);
  if (!result.success) return { ok: false, problems: problemsOf(result.error, schema, read.yaml) };
  const faults = [...unstorableFaults(result.data), ...faultsOf(result.data)];
  if (faults.length > 0) return { ok: false, problems: faults.map((fault) => problemAt(fault, read.yaml)) };
  const { name, version } = result.data;
  return { ok: true, value: { name, version, hash: hashOf(result.data), file, definition: result.data } };
}

/** The file name is the identity of what is published: it must say what the file says. */
export function named<T>(file: string, result: DefinitionResult<T>): DefinitionResult<T> {
  if (!result.ok) return result;
  const { name, version } = result.value;
  const fault = fileNameFault(file, { name, version });
  return fault ? { ok: false, problems: [{ file, path: 'name', code: 'file_name', message: fault }] } : result;
}

export function fileNameFault(file: string, { name, version }: Identity): string | undefined {
  const expected = `${name}@${version}.yaml`;
  if (basename(file) === expected) return undefined;
  return `the file holds ${name}@${version}, so it must be named ${expected}`;
}
