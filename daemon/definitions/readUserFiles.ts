import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DefinitionResult,
  readPersonaFile,
  readTemplateFile,
  type Schemas,
} from '../../schemas/definitions/definitionFile.ts';
import {
  addUserFiles,
  type DefinitionDirectories,
  type Definitions,
  listDefinitionFiles,
} from '../../schemas/definitions/definitions.ts';
import type { Persona } from '../../schemas/definitions/persona.ts';
import type { Template } from '../../schemas/definitions/template.ts';
import { readSettingsFile } from '../../schemas/files/openRegular.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { orElse } from '../../schemas/orElse.ts';

/** Requests wait while this many files are read. */
const FILES_A_TURN = 10;

/** Contents of files at the last reading, by path. */
export interface ReadFiles {
  schemas: Schemas;
  templates: ReadonlyMap<string, ReadFile<Template>>;
  personas: ReadonlyMap<string, ReadFile<Persona>>;
}

interface ReadFile<T> {
  hash: string;
  result: DefinitionResult<T>;
}

/** Reads the user's files again, and parses only those that changed: to parse a thousand takes two seconds. */
export async function readUserFiles(
  current: Definitions,
  user: DefinitionDirectories,
  schemas: Schemas,
  before: ReadFiles | undefined,
): Promise<{ definitions: Definitions; files: ReadFiles }> {
  // A template's validity depends on the artifact schemas.
  const known = before?.schemas === schemas ? before.templates : undefined;
  const templates = remembering((file) => readTemplateFile(file, schemas), known);
  const personas = remembering(readPersonaFile, before?.personas);
  await readInTurns(user.templates, templates.read);
  await readInTurns(user.personas, personas.read);
  const definitions = addUserFiles(current, user, { templates: templates.read, personas: personas.read });
  return { definitions, files: { schemas, templates: templates.files, personas: personas.files } };
}

function remembering<T>(
  read: (file: string) => DefinitionResult<T>,
  before: ReadonlyMap<string, ReadFile<T>> = new Map(),
): { read(file: string): DefinitionResult<T>; files: ReadonlyMap<string, ReadFile<T>> } {
  const files = new Map<string, ReadFile<T>>();
  return {
    files,
    read(file) {
      const bytes = readSettingsFile(file);
      if (!bytes.ok) return read(file);
      const hash = sha256hex(bytes.bytes);
      const known = files.get(file) ?? before.get(file);
      const now = known?.hash === hash ? known : { hash, result: read(file) };
      files.set(file, now);
      return now.result;
    },
  };
}

async function readInTurns(directory: string, read: (file: string) => unknown): Promise<void> {
  // `addUserFiles` reports a directory that cannot be read.
  for (const [nth, file] of orElse(() => listDefinitionFiles(directory), []).entries()) {
    read(file);
    if (nth % FILES_A_TURN === FILES_A_TURN - 1) await nextTurn();
  }
}
