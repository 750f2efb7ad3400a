import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../errors.ts';
import { sha256hex } from '../hash.ts';
import {
  type Definition,
  type DefinitionResult,
  named,
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
  /** `checked`: a file that the build made, because to check all built-in files would be half of the daemon's start. */
  builtin: DefinitionDirectories & { checked?: string };
  user?: DefinitionDirectories;
  schemas: Schemas;
}

/** Definitions that were read and checked before, by the hash of the text of their file. */
export type CheckedDefinitions = Readonly<
  Record<string, Pick<Definition<unknown>, 'name' | 'version' | 'hash' | 'definition'>>
>;

/** The reader of one file of each kind. */
export interface FileReaders {
  templates(file: string): DefinitionResult<Template>;
  personas(file: string): DefinitionResult<Persona>;
}

/**
 * Reads all template and persona files. Skips and reports a broken user file, so that it never stops the daemon. Throws
 * `template_load_failed` for a broken built-in file, because the installation is broken.
 */
export function loadDefinitions({ builtin, user, schemas }: DefinitionPlaces): Definitions {
  const published = loadBuiltin(builtin, schemas);
  if (!user) return published;
  return addUserFiles(published, user, {
    templates: (file) => readTemplateFile(file, schemas),
    personas: readPersonaFile,
  });
}

function loadBuiltin({ checked, ...directories }: DefinitionPlaces['builtin'], schemas: Schemas): Definitions {
  const known = readChecked(checked);
  const load = <T>(directory: string, read: (file: string) => DefinitionResult<T>): Loaded<T>[] =>
    listDefinitionFiles(directory).map((file): Loaded<T> => {
      const before = known[sha256hex(readFileSync(file))] as Omit<Definition<T>, 'file'> | undefined;
      const result = before ? named(file, { ok: true, value: { ...before, file } }) : read(file);
      if (!result.ok) throw brokenBuiltin(result.problems);
      return { ...result.value, source: 'built-in' };
    });
  const templates = load(directories.templates, (file) => readTemplateFile(file, schemas));
  const personas = load(directories.personas, readPersonaFile);
  return { templates, personas, errors: [] };
}

/** The built-in definitions among `before`, and what the user's files hold now. */
export function addUserFiles(
  before: Pick<Definitions, 'templates' | 'personas'>,
  user: DefinitionDirectories,
  read: FileReaders,
): Definitions {
  const errors: Problem[] = [];
  const add = <T>(all: Loaded<T>[], directory: string, readFile: (file: string) => DefinitionResult<T>) => {
    const builtin = all.filter(isBuiltin);
    const added = userFiles(directory, errors).flatMap((file): Loaded<T>[] => {
      const result = asAddition(readFile(file), builtin);
      if (!result.ok) errors.push(...result.problems);
      return result.ok && !isAmong(builtin, result.value) ? [{ ...result.value, source: 'user' }] : [];
    });
    return [...builtin, ...added];
  };
  const templates = add(before.templates, user.templates, read.templates);
  const personas = add(before.personas, user.personas, read.personas);
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

export function isBuiltin({ source }: { source: DefinitionSource }): boolean {
  return source === 'built-in';
}

/** A user's file may repeat a built-in definition, but not change one under the same name and version. */
function asAddition<T>(result: DefinitionResult<T>, builtin: Loaded<T>[]): DefinitionResult<T> {
  if (!result.ok) return result;
  const { name, version, hash, file } = result.value;
  const message = changedBuiltin(builtin, { name, version, hash });
  if (message === undefined) return result;
  return { ok: false, problems: [{ file, path: 'version', code: 'changed_builtin', message }] };
}

/** Why this name and version cannot have this content; undefined if they can. */
export function changedBuiltin(
  builtin: readonly Pick<Loaded<unknown>, 'name' | 'version' | 'hash'>[],
  { name, version, hash }: Pick<Loaded<unknown>, 'name' | 'version' | 'hash'>,
): string | undefined {
  const published = builtin.find((each) => each.name === name && each.version === version);
  if (!published || published.hash === hash) return undefined;
  return `${name}@${version} is built in with other content; give yours another name or version`;
}

function isAmong<T>(builtin: Loaded<T>[], { hash }: Definition<T>): boolean {
  return builtin.some((each) => each.hash === hash);
}

/** The content of `checked`. The build reads the built-in files once, so no start has to. */
export function checkedDefinitions({
  templates,
  personas,
}: Pick<Definitions, 'templates' | 'personas'>): CheckedDefinitions {
  const all: Loaded<unknown>[] = [...templates, ...personas];
  return Object.fromEntries(
    all.map(({ file, name, version, hash, definition }) => [
      sha256hex(readFileSync(file)),
      { name, version, hash, definition },
    ]),
  );
}

/** Without the file, which a checkout that was not built lacks, everything is checked. */
function readChecked(file: string | undefined): CheckedDefinitions {
  return file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** A directory of the user that cannot be read is a problem, too. */
function userFiles(directory: string, errors: Problem[]): string[] {
  try {
    return listDefinitionFiles(directory);
  } catch (cause) {
    errors.push({ file: directory, path: '', message: (cause as Error).message });
    return [];
  }
}

/** Sorted, so that every start reports faults in the same order. */
export function listDefinitionFiles(directory: string): string[] {
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
