import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../errors.ts';
import {
  type Definition,
  type DefinitionResult,
  readPersonaFile,
  readPersonaText,
  readTemplateFile,
  readTemplateText,
  type Schemas,
} from './definitionFile.ts';
import type { Persona } from './persona.ts';
import type { Template } from './template.ts';
import { type Problem, problemSentence } from './yamlFile.ts';

export type DefinitionSource = 'built-in' | 'user';
export type Loaded<T> = Definition<T> & { source: DefinitionSource };

/** All templates and personas. `errors` are faults of user files, which are not loaded. */
export interface Definitions {
  templates: Loaded<Template>[];
  personas: Loaded<Persona>[];
  errors: Problem[];
}

export interface DefinitionDirectories {
  templates: string;
  personas: string;
}

export interface DefinitionPlaces {
  builtin: DefinitionDirectories;
  user?: DefinitionDirectories;
  schemas: Schemas;
}

/**
 * Reads all template and persona files. Skips and reports a broken user file, so that it never stops the daemon. Throws
 * `template_load_failed` for a broken built-in file, because the installation is broken.
 */
export function loadDefinitions(places: DefinitionPlaces): Definitions {
  const errors: Problem[] = [];
  const load = <T>(kind: keyof DefinitionDirectories, read: (file: string) => DefinitionResult<T>): Loaded<T>[] => {
    const builtin = yamlFiles(places.builtin[kind]).map((file): Loaded<T> => {
      const result = read(file);
      if (!result.ok) throw brokenBuiltin(result.problems);
      return { ...result.value, source: 'built-in' };
    });
    const user = (places.user ? yamlFiles(places.user[kind]) : []).flatMap((file): Loaded<T>[] => {
      const result = asAddition(read(file), builtin);
      if (!result.ok) errors.push(...result.problems);
      return result.ok && !isAmong(builtin, result.value) ? [{ ...result.value, source: 'user' }] : [];
    });
    return [...builtin, ...user];
  };
  const templates = load('templates', (file) => readTemplateFile(file, places.schemas));
  const personas = load('personas', readPersonaFile);
  return { templates, personas, errors };
}

/** Checks the text of a user's template as the daemon checks its file. */
export function checkTemplateText(
  text: string,
  { templates }: Pick<Definitions, 'templates'>,
  schemas: Schemas,
): DefinitionResult<Template> {
  return asAddition(readTemplateText(text, schemas), templates.filter(isBuiltin));
}

/** Like `checkTemplateText`, for a persona. */
export function checkPersonaText(text: string, { personas }: Pick<Definitions, 'personas'>): DefinitionResult<Persona> {
  return asAddition(readPersonaText(text), personas.filter(isBuiltin));
}

function isBuiltin({ source }: { source: DefinitionSource }): boolean {
  return source === 'built-in';
}

/** A user's file may repeat a built-in definition, but not change one under the same name and version. */
function asAddition<T>(result: DefinitionResult<T>, builtin: Loaded<T>[]): DefinitionResult<T> {
  if (!result.ok) return result;
  const { name, version, hash, file } = result.value;
  const published = builtin.find((each) => each.name === name && each.version === version);
  if (!published || published.hash === hash) return result;
  const message = `${name}@${version} is built in with other content; give yours another name or version`;
  return { ok: false, problems: [{ file, path: 'version', message }] };
}

function isAmong<T>(builtin: Loaded<T>[], { hash }: Definition<T>): boolean {
  return builtin.some((each) => each.hash === hash);
}

/** Sorted, so that every start reports faults in the same order. */
function yamlFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(directory, name));
}

function brokenBuiltin(problems: Problem[]): DevflowError {
  const message = `A built-in file cannot be used: ${problems.map(problemSentence).join('; ')}.`;
  return new DevflowError('template_load_failed', message, { recoveryHint: 'Install devflow again.' });
}
