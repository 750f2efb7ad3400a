import { defined } from '../../defined.ts';
import { DATE, INSTANT, TIME } from './calendar.ts';
import { type Field, type Holds, KEBAB_CASE, type Kind, LONGEST_SLUG } from './fields.ts';

export type JsonSchema = Record<string, unknown>;

/** A document as its JSON Schema describes it: the fields of its frontmatter, or of its JSON. */
export interface DocumentSchema {
  /** The id of the schema, such as `handover/brief@1`. */
  id: string;
  title: string;
  about: string;
  /** The document's own type or version. */
  constants?: Readonly<Record<string, string | number>>;
  fields: readonly Field[];
  /** True if other fields are refused. */
  isClosed?: boolean;
  /** Objects that the document has elsewhere, such as in a fenced block. */
  definitions?: Readonly<Record<string, readonly Field[]>>;
}

/** The JSON Schema of a document. The contract reports all that it refuses, and more that no schema can say. */
export function jsonSchemaOf(document: DocumentSchema): JsonSchema {
  const { title, about, constants = {}, fields, isClosed, definitions = {} } = document;
  const { required, properties } = insideMap(fields);
  const fixed = Object.entries(constants).map(([name, value]): [string, JsonSchema] => [
    name,
    { const: value, description: `Always ${JSON.stringify(value)}.` },
  ]);
  const named = Object.entries(definitions).map(([name, each]): [string, JsonSchema] => [
    name,
    { type: 'object', ...insideMap(each) },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    description: about,
    type: 'object',
    required: [...fixed.map(([name]) => name), ...required],
    properties: { ...Object.fromEntries(fixed), ...properties },
    ...(isClosed ? { additionalProperties: false } : {}),
    ...(named.length > 0 ? { $defs: Object.fromEntries(named) } : {}),
  };
}

function insideMap(fields: readonly Field[]) {
  return {
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
  };
}

function schemaOf({ kind, values, least, most, pattern, mayBeNull, orText, about, holds }: Field): JsonSchema {
  const { type, ...more } = KINDS[kind];
  const value = {
    type: mayBeNull ? [type, 'null'] : type,
    ...(values ? { enum: mayBeNull ? [...values, null] : values } : more),
    ...defined({ minimum: least, maximum: most, pattern: pattern?.source }),
    ...(holds ? insideOf(holds, kind === 'map') : {}),
  };
  const described = defined({ description: about });
  return orText === undefined ? { ...value, ...described } : { anyOf: [value, { const: orText }], ...described };
}

function insideOf(holds: Holds, isMap: boolean): JsonSchema {
  if ('entries' in holds) {
    const entry = { type: 'object', ...insideMap(holds.entries) };
    return { patternProperties: { [holds.names.source]: entry }, additionalProperties: false };
  }
  if ('fields' in holds) {
    const inside = insideMap(holds.fields);
    return isMap ? inside : { items: { type: 'object', ...inside } };
  }
  const { values, pattern } = holds.texts;
  return {
    items: { type: 'string', ...defined({ enum: values, pattern: pattern?.source }) },
  };
}

const KINDS: Readonly<Record<Kind, { type: string } & JsonSchema>> = {
  text: { type: 'string' },
  line: { type: 'string', pattern: '^[^\\r\\n]+$' },
  slug: { type: 'string', maxLength: LONGEST_SLUG, pattern: KEBAB_CASE.source },
  whole: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date', pattern: DATE.source },
  instant: { type: 'string', pattern: INSTANT.source },
  time: { type: 'string', format: 'date-time', pattern: TIME.source },
  texts: { type: 'array', items: { type: 'string' } },
  list: { type: 'array' },
  map: { type: 'object' },
};
