import { Document, isCollection, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import { canonicalize } from '../hash.ts';
import { readEdit } from './readEdit.ts';

/** A JSON Schema, as far as descriptions go. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** Wider comments are wrapped. */
const WIDTH = 100;

/**
 * A document as YAML with the descriptions of its schema as comments. As JSON where YAML would not give the same document back:
 * with halves of characters, or more words than devflow reads as YAML.
 */
export function editableText(data: unknown, schema: JsonSchema, about: readonly string[]): string {
  const head = about.map((line) => `# ${line}\n`).join('');
  const yaml = `${head}\n${yamlOf(data, schema)}`;
  const again = readEdit(yaml.toWellFormed());
  if (again.ok && isSame(again.data, data)) return yaml;
  return `${head}\n${JSON.stringify(data, null, 2)}\n`;
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    return canonicalize(one) === canonicalize(other);
  } catch {
    // Halves of characters have no canonical form.
    return false;
  }
}

function yamlOf(data: unknown, schema: JsonSchema): string {
  const document = new Document(data, { aliasDuplicateObjects: false });
  describe(document.contents as Node | null, schema, { root: schema, said: new Set() });
  return document.toString({ lineWidth: 0 });
}

interface Told {
  root: JsonSchema;
  /** Each description is written once: items of a list share them. */
  said: Set<string>;
}

/** Writes the description of each field above it. */
function describe(node: Node | null, given: unknown, told: Told): void {
  const schema = resolved(given, told.root);
  if (isSeq(node)) {
    for (const item of node.items) describe(item as Node, schema.items, told);
    return;
  }
  if (!isMap(node)) return;
  const fields = asSchema(schema.properties);
  for (const [nth, pair] of node.items.entries()) {
    if (!isPair(pair) || !isScalar(pair.key)) continue;
    const field = Object.hasOwn(fields, String(pair.key.value)) ? fields[String(pair.key.value)] : undefined;
    const { description } = resolved(field, told.root);
    if (typeof description === 'string' && !told.said.has(description)) {
      told.said.add(description);
      pair.key.commentBefore = wrapped(description);
      pair.key.spaceBefore = nth > 0;
    }
    if (isCollection(pair.value)) describe(pair.value, field, told);
  }
}

/** Follows one reference inside of the schema. */
function resolved(given: unknown, root: JsonSchema): JsonSchema {
  const schema = asSchema(given);
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return schema;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<JsonSchema>((at, key) => asSchema(Object.hasOwn(at, key) ? at[key] : undefined), root);
  return { ...found, ...schema };
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};
}

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(` ${word}`);
  }
  return lines.join('\n');
}
