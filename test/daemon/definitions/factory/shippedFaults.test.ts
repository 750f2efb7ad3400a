import { expect, test } from 'vitest';
import { shippedFaults } from '../../../../daemon/definitions/factory/shippedFaults.ts';

const NOTE = { schema: 'me/note@1', definition: { type: 'string' }, ok: 'a', invalid: 1 };
const faults = (...artifacts: (typeof NOTE | Record<string, unknown>)[]) =>
  shippedFaults({ artifacts: artifacts as never }, (schema) => schema === 'dev/spec@1').map(
    ({ path, message }) => `${path} ${message}`,
  );
const nested = (depth: number): unknown => {
  let schema: unknown = { type: 'string' };
  for (let each = 0; each < depth; each += 1) schema = { not: schema };
  return schema;
};

test('takes a schema with an example of each kind', () => {
  expect(faults(NOTE)).toEqual([]);
  const named = { type: 'object', properties: { pattern: { type: 'string' }, format: { type: 'string' } } };
  expect(faults({ ...NOTE, definition: named, ok: { pattern: 'a' }, invalid: 1 })).toEqual([]);
});

test.each([
  ['one that exists', [{ ...NOTE, schema: 'dev/spec@1' }], '/artifacts/0/schema known_artifact: dev/spec@1 exists.'],
  ['one twice', [NOTE, NOTE], '/artifacts/1/schema known_artifact: me/note@1 is there twice'],
  [
    'an example that it refuses',
    [{ ...NOTE, ok: 2 }],
    '/artifacts/0/ok unusable_artifact: the schema refuses it: the whole must be string',
  ],
  [
    'a bad example that it accepts',
    [{ ...NOTE, invalid: 'b' }],
    '/artifacts/0/invalid unusable_artifact: the schema accepts it',
  ],
  [
    'what is no schema',
    [{ ...NOTE, definition: { type: 'text' } }],
    '/artifacts/0/definition unusable_artifact: this is no usable JSON Schema: the value at /type is not allowed in a JSON Schema.',
  ],
  [
    'an unknown keyword',
    [{ ...NOTE, definition: { kind: 'x' } }],
    '/artifacts/0/definition unusable_artifact: this is no usable JSON Schema: JSON Schema has no keyword kind.',
  ],
  [
    'a reference to elsewhere',
    [{ ...NOTE, definition: { $ref: 'https://example.org/a' } }],
    '/artifacts/0/definition unusable_artifact: this is no usable JSON Schema: the reference https://example.org/a leads nowhere.',
  ],
  [
    'a regular expression',
    [{ ...NOTE, definition: { type: 'string', pattern: '(a+)+$' } }],
    '/artifacts/0/definition unusable_artifact: pattern is not allowed here.',
  ],
  [
    'one that is too deep',
    [{ ...NOTE, definition: nested(20_000) }],
    '/artifacts/0/definition unusable_artifact: this is no usable JSON Schema: it is no JSON Schema that devflow can use.',
  ],
])('refuses %s', (_, artifacts, expected) => {
  expect(faults(...artifacts)).toEqual([expect.stringContaining(expected)]);
});
