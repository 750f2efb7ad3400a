import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCUMENT_SCHEMAS } from '../../build/contractsDocument.ts';
import { POINTER_CONTRACT, POINTER_FILE } from '../../schemas/contracts/autodev/pointer.ts';
import { readPointer } from '../../schemas/contracts/autodev/readPointer.ts';
import { CYCLE_CONTRACT, statePath } from '../../schemas/contracts/cycle/state/cyclePaths.ts';
import { typedValue } from '../../schemas/contracts/document/fields.ts';
import { parseFrontmatter } from '../../schemas/contracts/document/frontmatter.ts';
import type { DocumentSchema } from '../../schemas/contracts/document/jsonSchema.ts';
import { contractDocuments, isContractDocument, readContractDocument } from '../../schemas/contracts/readArtifact.ts';
import { PARTS } from '../../schemas/contracts/registry.ts';
import { CONTRACTS } from '../../schemas/contracts/report/codes.ts';
import { createRegistry } from '../../schemas/definitions/registry.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { givenTree } from '../schemas/contracts/autodev/given.ts';

const directory = join(packageRoot(), 'schemas/artifacts');
const registry = createRegistry({ builtinDir: directory });
const fixtureOf = (id: string, name: string) => readFileSync(registry.fixturePath(id, name) as string, 'utf8');
const isTaken = (id: string, data: unknown) => registry.validateArtifact(id, data).ok;

test('every document of one file has a schema, and every schema is of a document', () => {
  const ofContracts = CONTRACTS.map(({ id }) => id).filter((id) => !id.startsWith('devt/'));
  const all = new Set([...ofContracts.filter((id) => id !== 'handover/architecture@1'), ...contractDocuments()]);
  expect(DOCUMENT_SCHEMAS.map(({ id }) => id).sort()).toEqual([...all].sort());
  expect(registry.listSchemas()).toEqual(expect.arrayContaining([...all]));
});

test.each(['autodev', 'cycle', 'handover'])('%s has no schema that is not generated', (family) => {
  const files = readdirSync(join(directory, family)).map((name) => `${family}/${name.replace('.json', '')}`);
  const generated = DOCUMENT_SCHEMAS.map(({ id }) => id).filter((id) => id.startsWith(`${family}/`));
  expect(files.sort()).toEqual(generated.sort());
});

describe.each(DOCUMENT_SCHEMAS.map((each) => [each.id, each] as const))('%s', (id, document) => {
  test('its ok fixture is valid without a warning, and its schema takes it', () => {
    const text = fixtureOf(id, 'ok');
    expect(faultsOf(id, text)).toEqual([]);
    expect(registry.validateArtifact(id, dataOf(document, text))).toEqual({ ok: true });
  });

  test('check and schema refuse its invalid fixture', () => {
    const text = fixtureOf(id, 'invalid');
    expect(faultsOf(id, text)).not.toEqual([]);
    expect(isTaken(id, dataOf(document, text))).toBe(false);
  });

  test('check and schema report each required field that is left out, and no other', () => {
    const required = registry.loadSchema(id).required as string[];
    const given = Object.keys(dataOf(document, fixtureOf(id, 'ok')) as object);
    expect(given).toEqual(expect.arrayContaining(required));
    const found = given.map((name) => {
      const text = withoutField(fixtureOf(id, 'ok'), name);
      const data = dataOf(document, text);
      expect(data).not.toHaveProperty(name);
      return [name, faultsOf(id, text).length > 0, isTaken(id, data)];
    });
    const warned = id === 'handover/research@1' ? ['confidence'] : [];
    expect(found).toEqual(
      given.map((name) => [name, [...required, ...warned].includes(name), !required.includes(name)]),
    );
  });
});

/** What the contract says of a text, errors and warnings. */
function faultsOf(id: string, text: string): unknown[] {
  if (isContractDocument(id)) {
    const read = readContractDocument(id, text);
    return read.ok ? read.warnings : read.errors;
  }
  const path = id === POINTER_CONTRACT ? POINTER_FILE : statePath('cycle-v1-20260122T100000-abc123');
  const tree = givenTree({ [path]: text });
  const found = PARTS.flatMap((part) =>
    part.detect(tree).flatMap(({ path }) => part.check(tree, path, 'strict')),
  ).flatMap(({ contract, errors, warnings }) => (contract === id ? [...errors, ...warnings] : []));
  // There are no folders beside the text.
  return found.filter(({ code }) => code !== 'AUTODEV_DISAGREES');
}

/** What the schema describes: the frontmatter, the JSON, or the fields of the pointer. */
function dataOf({ id, fields }: DocumentSchema, text: string): unknown {
  if (id === CYCLE_CONTRACT || text.startsWith('{')) return JSON.parse(text);
  const given: [string, unknown][] =
    id === POINTER_CONTRACT
      ? Object.entries(readPointer({ ok: true, text }).read ?? {})
      : [...parseFrontmatter(text).fields].map(([name, raw]) => {
          return [name, typedValue(fields.find((each) => each.name === name)?.kind ?? 'text', raw)];
        });
  return Object.fromEntries(given.filter(([, value]) => id !== POINTER_CONTRACT || value !== null));
}

/** The text without a field and what is inside it. */
function withoutField(text: string, name: string): string {
  if (text.startsWith('{')) {
    const { [name]: _, ...rest } = JSON.parse(text);
    return JSON.stringify(rest);
  }
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`${name}:`));
  const after = lines.slice(at + 1);
  const inside = after.findIndex((line) => !line.startsWith(' '));
  return [...lines.slice(0, at), ...after.slice(inside)].join('\n');
}
