import ajv2020 from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkFields, type Field, type Kind } from '../../../../schemas/contracts/document/fields.ts';
import { jsonSchemaOf } from '../../../../schemas/contracts/document/jsonSchema.ts';

const ajv = new ajv2020.Ajv2020({ allErrors: true, allowUnionTypes: true });
ajvFormats.default(ajv);

const schemaOf = (...fields: Field[]) => jsonSchemaOf({ id: 'a/b@1', title: 'T', about: 'A.', fields });
const isTaken = (fields: Field[], value: unknown) => ajv.compile(schemaOf(...fields))(value) as boolean;

const field = (kind: Kind, more: Partial<Field> = {}): Field => ({ name: 'a', kind, isRequired: true, ...more });
const FIELDS: readonly Field[] = [
  field('text', { pattern: /\S/ }),
  field('text', { values: ['x', 'y'], mayBeNull: true }),
  field('line'),
  field('line', { values: ['x', 'y'], isRequired: false }),
  field('slug'),
  field('whole', { least: 1, orText: 'done' }),
  field('whole', { least: 0, isRequired: false }),
  field('number', { least: 0, most: 1 }),
  field('boolean'),
  field('date'),
  field('time'),
  field('instant', { mayBeNull: true }),
  field('texts'),
  field('list'),
  field('map'),
];

const TIMES = ['2026-01-22T10:00:00Z', '2026-01-22T24:00:00Z', '2026-01-22T10:00:00+08:00'];
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom('x', 'y', 'done', 'a-b', '-a', 'a--b', '', ' ', 'a\nb', '2026-01-22', '2026-02-30', '0026-01-22'),
  fc.constantFrom(...TIMES, '2026-01-22T10:00', '2026-01-22t10:00:00z', '2026-01-22 10:00:00Z'),
);
const values = fc.oneof(
  texts,
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(texts, fc.integer()), { maxLength: 2 }),
  fc.record({ b: texts }),
);

test.each(FIELDS.map((each) => [JSON.stringify(each), each] as const))(
  '%s: the schema and the check agree',
  (_, each) => {
    fc.assert(
      fc.property(fc.record({ a: values }, { requiredKeys: [] }), (object) => {
        const isValid = checkFields([each], object).length === 0;
        // A schema has no name for an instant, and so knows no calendar.
        const isUnknown = each.kind === 'instant' && object.a === '2026-02-30';
        expect(isTaken([each], object)).toBe(isValid || isUnknown);
      }),
    );
  },
);

test('a schema describes what is inside lists and maps', () => {
  const inside: Field[] = [{ name: 'b', kind: 'whole', isRequired: true }];
  const fields: Field[] = [
    { name: 'list', kind: 'list', isRequired: false, holds: { fields: inside } },
    { name: 'map', kind: 'map', isRequired: false, holds: { fields: inside } },
    { name: 'named', kind: 'map', isRequired: false, holds: { entries: inside, names: /^[a-z]$/ } },
    { name: 'texts', kind: 'texts', isRequired: false, holds: { texts: { values: ['x'] } } },
  ];
  const taken = { list: [{ b: 1 }], map: { b: 1, more: true }, named: { a: { b: 1 } }, texts: ['x'] };
  expect(isTaken(fields, taken)).toBe(true);
  for (const wrong of [{ list: [1] }, { list: [{}] }, { map: {} }, { named: { A: { b: 1 } } }, { named: { a: {} } }]) {
    expect([wrong, isTaken(fields, wrong)]).toEqual([wrong, false]);
  }
  expect(isTaken(fields, { texts: ['y'] })).toBe(false);
});

test('a schema refuses another constant, and other fields if it is closed', () => {
  const document = { id: 'a/b@1', title: 'T', about: 'A.', fields: [field('text')] };
  const closed = ajv.compile(jsonSchemaOf({ ...document, isClosed: true, constants: { version: '1' } }));
  expect(closed({ version: '1', a: 'x' })).toBe(true);
  for (const wrong of [{ version: 1, a: 'x' }, { a: 'x' }, { version: '1', a: 'x', b: 1 }]) {
    expect([wrong, closed(wrong)]).toEqual([wrong, false]);
  }
});
