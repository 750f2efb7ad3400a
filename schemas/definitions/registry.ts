import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import ajv2020 from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { isContractDocument } from '../contracts/readArtifact.ts';
import { DevflowError } from '../errors.ts';
import { readSettingsFile } from '../files/openRegular.ts';
import { nearest } from '../text/nearest.ts';
import { semanticFaults, type ValidationError } from './artifactSemantics.ts';
import { schemaFileFault } from './issueText.ts';
import { FIXTURES, fixtureFile, isSchemaId, listSchemaIds } from './schemaIds.ts';

export type JsonSchema = Record<string, unknown>;

export type Validation = { ok: true } | { ok: false; errors: ValidationError[] };

/** The artifact schemas; each is read and compiled when first asked for. */
export interface Registry {
  /** Throws `artifact_schema_unknown`, with the nearest id, also if the schema file is broken. */
  loadSchema(id: string): JsonSchema;
  /** Throws as `loadSchema` does. Returns at most 30 faults of the data. */
  validateArtifact(id: string, data: unknown): Validation;
  /** The message of `loadSchema` for an unusable schema; undefined for a usable one. */
  schemaFault(id: string): string | undefined;
  /** All schema ids, sorted. */
  listSchemas(): string[];
  /** The example of a schema (`ok`, `invalid`, …) that the fake agent writes; undefined if there is none. */
  fixturePath(id: string, scenario: string): string | undefined;
}

export interface RegistryPlaces {
  /** `schemas/artifacts` of the package. */
  builtinDir: string;
  /** The user's own schemas. A built-in one with the same id wins, because published ids never change. */
  userDir?: string;
}

const MAX_ERRORS = 30;

export function createRegistry({ builtinDir, userDir }: RegistryPlaces): Registry {
  const directories = userDir === undefined ? [builtinDir] : [builtinDir, userDir];
  const schemas = new Map<string, JsonSchema>();
  const validators = new Map<string, ValidateFunction>();
  const ajv = newAjv();

  const listSchemas = () => listSchemaIds(directories);

  function loadSchema(id: string): JsonSchema {
    const known = schemas.get(id);
    if (known) return known;
    const file = isSchemaId(id) ? directories.map((dir) => join(dir, `${id}.json`)).find(existsSync) : undefined;
    if (!file) {
      const meant = nearest(id, listSchemas());
      const hint = meant ? `; the nearest known one is ${meant}` : '';
      throw new DevflowError('artifact_schema_unknown', `There is no artifact schema ${id}${hint}.`, {
        data: { id, nearest: meant },
      });
    }
    const schema = unbroken(file, () => JSON.parse(readText(file)) as JsonSchema);
    // Compiled here, so that a schema that loads also works.
    validators.set(
      id,
      unbroken(file, () => compile(schema)),
    );
    schemas.set(id, schema);
    return schema;
  }

  /** Ajv keeps the `$id` of a schema that does not compile, and would refuse its repaired text. */
  function compile(schema: JsonSchema): ValidateFunction {
    try {
      return ajv.compile(schema);
    } catch (error) {
      ajv.removeSchema(schema);
      throw error;
    }
  }

  function validateArtifact(id: string, data: unknown): Validation {
    loadSchema(id);
    const validate = validators.get(id) as ValidateFunction;
    return validationOf(id, validate, data);
  }

  function schemaFault(id: string): string | undefined {
    // Built-in schemas are known to compile, and compiling them would slow every start.
    if (isContractDocument(id)) return undefined;
    if (isSchemaId(id) && existsSync(join(builtinDir, `${id}.json`))) return undefined;
    try {
      loadSchema(id);
      return undefined;
    } catch (error) {
      if (error instanceof DevflowError) return error.message;
      throw error;
    }
  }

  function fixturePath(id: string, scenario: string): string | undefined {
    return directories.flatMap((dir) => fixtureFile(join(dir, FIXTURES), id, scenario) ?? [])[0];
  }

  return { loadSchema, validateArtifact, schemaFault, listSchemas, fixturePath };
}

function newAjv() {
  // Both modules are CommonJS: the class and the plugin are members of their default export.
  const ajv = new ajv2020.Ajv2020({ allErrors: true, allowUnionTypes: true });
  ajvFormats.default(ajv);
  return ajv;
}

/** A schema that is in no directory. Throws for one that does not compile. */
export function compileSchema(definition: JsonSchema): ValidateFunction {
  return newAjv().compile(definition);
}

export function validationOf(id: string, validate: ValidateFunction, data: unknown): Validation {
  const isShaped = validate(data);
  const errors = isShaped ? semanticFaults(id, data) : (validate.errors ?? []).map(asValidationError);
  return errors.length === 0 ? { ok: true } : { ok: false, errors: errors.slice(0, MAX_ERRORS) };
}

function unbroken<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const why = cause instanceof UnreadFile ? cause.message : schemaFileFault(cause);
    throw new DevflowError('artifact_schema_unknown', `The artifact schema in ${file} cannot be used: ${why}.`, {
      cause,
      recoveryHint: 'Fix the schema file.',
    });
  }
}

/** Adds names and values that Ajv's messages leave out, because an agent needs them to fix its file. */
export function asValidationError({ instancePath, keyword, params, message }: ErrorObject): ValidationError {
  const path = instancePath;
  if (keyword === 'enum') return { path, message: `must be one of ${JSON.stringify(params.allowedValues)}` };
  if (keyword === 'const') return { path, message: `must be ${JSON.stringify(params.allowedValue)}` };
  if (keyword === 'additionalProperties') {
    return { path, message: `must not have the property '${params.additionalProperty}'` };
  }
  return { path, message: message ?? `fails ${keyword}` };
}

/** Its message is for people. */
class UnreadFile extends Error {}

function readText(file: string): string {
  const read = readSettingsFile(file);
  if (!read.ok) throw new UnreadFile(read.fault);
  return read.bytes.toString('utf8');
}

/** A registry that knows more schemas, which come first. Each stands alone, because ids inside of schemas may meet. */
export function extendRegistry(base: Registry, given: readonly { schema: string; definition: JsonSchema }[]): Registry {
  const definitions = new Map(given.map(({ schema, definition }) => [schema, definition]));
  const compiled = new Map<string, ReturnType<typeof compileSchema>>();
  return {
    ...base,
    loadSchema: (id) => definitions.get(id) ?? base.loadSchema(id),
    validateArtifact(id, data) {
      const definition = definitions.get(id);
      if (definition === undefined) return base.validateArtifact(id, data);
      const validate = compiled.get(id) ?? compileSchema(definition);
      compiled.set(id, validate);
      return validationOf(id, validate, data);
    },
    schemaFault: (id) => (definitions.has(id) ? undefined : base.schemaFault(id)),
    listSchemas: () => [...new Set([...base.listSchemas(), ...definitions.keys()])].sort(),
  };
}
