import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENT_SCHEMAS } from '../../../build/contractsDocument.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';

const builtinDir = join(packageRoot(), 'schemas/artifacts');
const registry = createRegistry({ builtinDir });

let userDir: string;
beforeAll(() => {
  userDir = mkdtempSync(join(tmpdir(), 'devflow-registry-'));
  mkdirSync(join(userDir, 'mine'));
  writeFileSync(join(userDir, 'mine/thing@1.json'), JSON.stringify({ type: 'object', additionalProperties: false }));
  writeFileSync(join(userDir, 'mine/broken@1.json'), '{"type": "nothing"}');
});
afterAll(() => rmSync(userDir, { recursive: true, force: true }));

test('lists the built-in schemas, but no fixtures', () => {
  expect(registry.listSchemas()).toEqual([
    'autodev/state@1',
    'bt/failure-mining@1',
    'bt/hypothesis@1',
    'bt/iteration-result@1',
    'bt/metrics@1',
    'bt/objective@1',
    'bt/objective@2',
    'common/final-report@1',
    'cycle/changes@1',
    'cycle/cycle-state@1',
    'cycle/plan@1',
    'cycle/requirements@1',
    'cycle/test-results@1',
    'dev/comment-answers@1',
    'dev/conflict-resolution@1',
    'dev/dag@1',
    'dev/implementation@1',
    'dev/phase-plan@1',
    'dev/phase-plan@2',
    'dev/review-finding-batch@1',
    'dev/review-finding-batch@2',
    'dev/review-response@1',
    'dev/review-verdict@1',
    'dev/spec@1',
    'handover/brief@1',
    'handover/plan@1',
    'handover/progress@1',
    'handover/research@1',
    'handover/review@1',
    'handover/session-prompt@1',
    'handover/session-state@1',
    'tpl/draft@1',
    'tpl/intent@1',
    'tpl/promotion@1',
    'tpl/rehearsal@1',
    'tpl/repo-facts@1',
    'tpl/repo-facts@2',
  ]);
});

const OF_CONTRACTS = DOCUMENT_SCHEMAS.map(({ id }) => id);
/** A person writes them. */
const OF_PERSONS = ['bt/objective@1', 'bt/objective@2'];
const OWN = registry.listSchemas().filter((id) => !OF_CONTRACTS.includes(id));

describe.each(OWN)('%s', (id) => {
  const fixture = (scenario: string) => JSON.parse(readFileSync(registry.fixturePath(id, scenario) as string, 'utf8'));

  test('takes its ok fixture', () => {
    expect(registry.validateArtifact(id, fixture('ok'))).toEqual({ ok: true });
  });

  test('takes fields that an agent adds, and refuses those that a person misspelt', () => {
    const { ok } = registry.validateArtifact(id, { ...fixture('ok'), remark: 'more' });
    expect(ok).toBe(!OF_PERSONS.includes(id));
  });

  test('refuses its invalid fixture, and each required field left out', () => {
    expect(registry.validateArtifact(id, fixture('invalid')).ok).toBe(false);
    for (const field of registry.loadSchema(id).required as string[]) {
      const { [field]: _, ...rest } = fixture('ok');
      expect(registry.validateArtifact(id, rest)).toEqual({
        ok: false,
        errors: [{ path: '', message: `must have required property '${field}'` }],
      });
    }
  });
});

describe.each(registry.listSchemas())('%s', (id) => {
  test('describes every field at its top', () => {
    const { properties, description } = registry.loadSchema(id) as {
      properties: Record<string, { description?: string }>;
      description?: string;
    };
    expect(description).toBeTruthy();
    for (const [name, property] of Object.entries(properties)) {
      if (name !== 'events') expect(property.description, name).toBeTruthy();
    }
  });
});

const OF_HOSTILE_AGENTS = [
  'bt/hypothesis@1',
  'dev/dag@1',
  'dev/phase-plan@2',
  'dev/comment-answers@1',
  'dev/conflict-resolution@1',
  'dev/review-finding-batch@1',
  'dev/review-finding-batch@2',
  'dev/review-response@1',
  'dev/review-verdict@1',
];

describe.each(OF_HOSTILE_AGENTS)('%s', (id) => {
  test('bounds every list and text', () => {
    expect(unbounded(registry.loadSchema(id), id)).toEqual([]);
  });
});

test('an unbounded text is found', () => {
  expect(unbounded({ type: 'array', items: { type: 'string' } }, 'a')).toEqual(['a', 'a/items']);
});

/** The lists and texts of a schema that could have any length. */
function unbounded(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maxItems, maxLength, pattern } = schema as Record<string, unknown>;
  const isBounded = type === 'array' ? maxItems : type === 'string' ? (maxLength ?? pattern) : true;
  const inner = Object.entries(schema).flatMap(([key, value]) => unbounded(value, `${at}/${key}`));
  return isBounded ? inner : [at, ...inner];
}

test('errors name the place and what is allowed', () => {
  const data = { summary: 's', files: [{ path: '/a', change: 'improved' }], howToCheck: ['x'], followUps: [] };
  expect(registry.validateArtifact('dev/implementation@1', data)).toEqual({
    ok: false,
    errors: [
      { path: '/files/0/path', message: 'must match pattern "^[^/]"' },
      { path: '/files/0/change', message: 'must be one of ["added","modified","deleted","renamed"]' },
    ],
  });
});

test.each(['dev/spec@2', 'dev/sepc@1', '../dev/spec@1', 'fixtures/spec@1', ''])('%j is unknown', (id) => {
  expect(() => registry.loadSchema(id)).toThrow(expect.objectContaining({ code: 'artifact_schema_unknown' }));
});

test('the nearest id is named', () => {
  expect(() => registry.loadSchema('dev/sepc@1')).toThrow('the nearest known one is dev/spec@1');
});

describe('the user directory', () => {
  test('adds schemas', () => {
    const both = createRegistry({ builtinDir, userDir });
    expect(both.listSchemas()).toContain('mine/thing@1');
    expect(both.validateArtifact('mine/thing@1', { a: 1 })).toEqual({
      ok: false,
      errors: [{ path: '', message: "must not have the property 'a'" }],
    });
  });

  test('refuses a broken schema by name', () => {
    const both = createRegistry({ builtinDir, userDir });
    expect(() => both.loadSchema('mine/broken@1')).toThrow(/mine\/broken@1\.json cannot be used/);
  });
});

test('no fixture for an unknown scenario or one that is a path', () => {
  expect(registry.fixturePath('dev/spec@1', 'other')).toBeUndefined();
  expect(registry.fixturePath('dev/spec@1', '../spec@1/ok')).toBeUndefined();
});
