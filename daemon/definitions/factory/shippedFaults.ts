import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import ajv2020 from 'ajv/dist/2020.js';
import { schemaFileFault } from '../../../schemas/definitions/issueText.ts';
import { asValidationError } from '../../../schemas/definitions/registry.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { draftFault, type Shipped } from './draft.ts';

/** These run a regular expression that an agent wrote, which can take forever. */
const PATTERNS: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format']);

/** The faults for which an artifact schema of an agent cannot be shipped. */
export function shippedFaults(
  { artifacts }: { artifacts: readonly Shipped[] },
  isKnown: (schema: string) => boolean,
): ValidationError[] {
  return artifacts.flatMap((shipped, index) => {
    const at = `/artifacts/${index}`;
    if (isKnown(shipped.schema)) return [draftFault(`${at}/schema`, 'known_artifact', `${shipped.schema} exists`)];
    if (artifacts.findIndex(({ schema }) => schema === shipped.schema) < index)
      return [draftFault(`${at}/schema`, 'known_artifact', `${shipped.schema} is there twice`)];
    return definitionFaults(shipped).map(({ path, message }) =>
      draftFault(`${at}${path}`, 'unusable_artifact', message),
    );
  });
}

function definitionFaults({ definition, ok, invalid }: Shipped): ValidationError[] {
  const read = usableSchema(definition);
  if (!read.ok) return [{ path: '/definition', message: read.fault }];
  const { accepts } = read;
  return [
    ...(accepts(ok) ? [] : [{ path: '/ok', message: `the schema refuses it: ${refusals(accepts.errors)}` }]),
    ...(accepts(invalid) ? [{ path: '/invalid', message: 'the schema accepts it' }] : []),
  ];
}

/** Compiles a schema that comes with a template, or says why devflow does not take it. */
export function usableSchema(
  definition: Readonly<Record<string, unknown>>,
): { ok: true; accepts: ValidateFunction } | { ok: false; fault: string } {
  try {
    const pattern = keywordsIn(definition).find((key) => PATTERNS.has(key));
    if (pattern !== undefined) return { ok: false, fault: `${pattern} is not allowed here` };
    // A new one, because ids of schemas must not meet.
    const ajv: Ajv2020 = new ajv2020.Ajv2020({ strict: true, allowUnionTypes: true });
    return { ok: true, accepts: ajv.compile(definition) };
  } catch (error) {
    return { ok: false, fault: `this is no usable JSON Schema: ${schemaFileFault(error)}` };
  }
}

function refusals(errors: readonly ErrorObject[] | null | undefined): string {
  return (errors ?? [])
    .map(asValidationError)
    .map(({ path, message }) => `${path === '' ? 'the whole' : path} ${message}`)
    .join(', ');
}

/** Keywords whose keys are names. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'dependentSchemas']);

function keywordsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsIn);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => [
    key,
    ...(NAMED.has(key) && typeof inner === 'object' && inner !== null
      ? Object.values(inner).flatMap(keywordsIn)
      : keywordsIn(inner)),
  ]);
}
