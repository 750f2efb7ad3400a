import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Definition, type DefinitionResult, readPersonaFile, readTemplateFile } from './definitionFile.ts';
import { DevflowError } from './errors.ts';
import { nearest } from './nearest.ts';
import type { Persona } from './persona.ts';
import type { Template } from './template.ts';
import { type Problem, problemSentence } from './yamlFile.ts';

export type DefinitionSource = 'built-in' | 'user';
export type Loaded<T> = Definition<T> & { source: DefinitionSource };

/** Everything published in files. `errors` are of user files, each of which was left out. */
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
  /** Ids of the artifact schemas there are; where given, a template that names another one is faulty. */
  artifactSchemas?: readonly string[];
}

/**
 * Reads all template and persona files. A broken user file is reported and skipped, so that it never stops the daemon;
 * a broken built-in one throws `template_load_failed`, because then the installation is broken.
 */
export function loadDefinitions(places: DefinitionPlaces): Definitions {
  const errors: Problem[] = [];
  const check = (result: DefinitionResult<Template>) => withKnownSchemas(result, places.artifactSchemas);
  const load = <T>(kind: keyof DefinitionDirectories, read: (file: string) => DefinitionResult<T>): Loaded<T>[] => {
    const builtin = yamlFiles(places.builtin[kind]).map((file): Loaded<T> => {
      const result = read(file);
      if (!result.ok) throw brokenBuiltin(result.problems);
      return { ...result.value, source: 'built-in' };
    });
    const user = (places.user ? yamlFiles(places.user[kind]) : []).flatMap((file): Loaded<T>[] => {
      const result = read(file);
      if (result.ok) return asAddition(result.value, builtin, errors);
      errors.push(...result.problems);
      return [];
    });
    return [...builtin, ...user];
  };
  const templates = load('templates', (file) => check(readTemplateFile(file)));
  const personas = load('personas', readPersonaFile);
  return { templates, personas, errors };
}

/** A user's file adds to the built-in ones; it may repeat one, but never say something else under its name. */
function asAddition<T>(value: Definition<T>, builtin: Loaded<T>[], errors: Problem[]): Loaded<T>[] {
  const published = builtin.find(({ name, version }) => name === value.name && version === value.version);
  if (!published) return [{ ...value, source: 'user' }];
  if (published.hash !== value.hash) {
    const id = `${value.name}@${value.version}`;
    const message = `${id} is built in and says something else; give yours another name or version`;
    errors.push({ file: value.file, path: 'version', message });
  }
  return [];
}

function withKnownSchemas(result: DefinitionResult<Template>, known?: readonly string[]): DefinitionResult<Template> {
  if (!result.ok || !known) return result;
  const { file, definition } = result.value;
  const problems = definition.phases.flatMap(({ expectedArtifact }, index): Problem[] => {
    if (!expectedArtifact || known.includes(expectedArtifact.schema)) return [];
    const message = `there is no artifact schema ${expectedArtifact.schema}; the nearest is ${nearest(expectedArtifact.schema, known)}`;
    return [{ file, path: `phases.${index}.expectedArtifact.schema`, message }];
  });
  return problems.length > 0 ? { ok: false, problems } : result;
}

/** Sorted, so that every start reports the same faults in the same order. */
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
