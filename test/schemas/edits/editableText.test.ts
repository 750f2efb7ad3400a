import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editableText } from '../../../schemas/edits/editableText.ts';
import { readEdit } from '../../../schemas/edits/readEdit.ts';
import { withFaults, withoutFaults } from '../../../schemas/edits/withFaults.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';

const ARTIFACTS = join(packageRoot(), 'schemas', 'artifacts');
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const backAgain = (text: string) => {
  const read = readEdit(text);
  return read.ok ? read.data : read.errors;
};

const DOMAINS = readdirSync(ARTIFACTS).filter((name) => name !== 'fixtures');
const SHIPPED = DOMAINS.flatMap((domain) =>
  readdirSync(join(ARTIFACTS, domain)).map((file) => `${domain}/${file.replace(/\.json$/, '')}`),
).filter((id) => existsSync(join(ARTIFACTS, 'fixtures', id, 'ok.json')));

describe('the text of each shipped schema gives the document back, and describes its fields', () => {
  test.each(SHIPPED)('%s', (id) => {
    const data = readJson(join(ARTIFACTS, 'fixtures', id, 'ok.json'));
    const schema = readJson(join(ARTIFACTS, `${id}.json`));
    const text = editableText(data, schema, ['A document.']);
    expect(text).toMatch(/^# A document\.\n/);
    expect(backAgain(text)).toEqual(data);
    const described = Object.keys(data).filter((key) => schema.properties?.[key]?.description);
    for (const key of described) {
      const [first] = String(schema.properties[key].description).split(/\s+/);
      expect(text).toContain(`# ${first}`);
    }
  });
});

test('a description is written once, above the first item that has it', () => {
  const schema = {
    properties: { all: { items: { $ref: '#/$defs/one' } } },
    $defs: { one: { properties: { id: { description: 'A short name.' } } } },
  };
  const text = editableText({ all: [{ id: 'a' }, { id: 'b' }] }, schema, []);
  expect(text.match(/# A short name\./g)).toHaveLength(1);
});

test('any document comes back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      expect(backAgain(editableText(data, {}, ['x']))).toEqual(JSON.parse(JSON.stringify(data)));
    }),
  );
});

test.each([
  ['a text that looks like a number', { a: '12', b: 'yes', c: 'null', d: '~', e: '0x1f', f: '1e3' }],
  ['lines, tabs and spaces at ends', { a: 'one\n\ttwo \n\nthree\n', b: ' x ', c: '\r\n', d: '# no comment' }],
  ['keys of the language', JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "": 3, "a: b": 4}')],
  ['halves of characters', { a: '\ud800' }],
  [
    'signs of YAML',
    { a: '*x', b: '&x', c: '!!js/function', d: '- a', e: '%TAG', f: '@x', g: '`x`', h: '---', i: '...' },
  ],
  ['more words than devflow reads as YAML', { a: Array.from({ length: 9000 }, (_, at) => ({ at })) }],
  ['a document that is no map', ['a', 1, null, true, [], {}]],
])('%s comes back as it was', (_, data) => {
  expect(backAgain(editableText(data, {}, ['About.']))).toEqual(data);
});

const BOMB = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefghi'.split('').map((key, at) => {
    const before = 'abcdefgh'[at];
    return `${key}: &${key} [${Array(9).fill(`*${before}`).join(', ')}]`;
  }),
].join('\n');

test.each([
  ['aliases that expand without end', BOMB, 'aliases repeat'],
  ['an alias inside of itself', 'a: &a [*a]', 'must not contain itself'],
  ['a tag of a language', 'a: !!js/function "x"', 'tag'],
  ['NUL', 'a: "x\0"', 'NUL'],
  ['nesting without end', `${'['.repeat(100_000)}`, ''],
  ['two keys of one name', 'a: 1\na: 2', 'must differ'],
  ['a broken JSON text of many words', `{"a": [${'1, '.repeat(9000)}`, 'not JSON'],
  ['two documents', 'a: 1\n---\nb: 2', ''],
])('%s is a fault', (_, text, words) => {
  const read = readEdit(text);
  expect(read.ok).toBe(false);
  expect(!read.ok && read.errors.map(({ message }) => message).join('\n')).toContain(words);
});

test('a byte order mark, comments above JSON and CRLF are no faults', () => {
  expect(backAgain('\ufeff# About.\r\n\r\n{"a": [1, 2]}\r\n')).toEqual({ a: [1, 2] });
  expect(backAgain('\ufeffa: b\r\nc: d\r\n')).toEqual({ a: 'b', c: 'd' });
});

test('faults stand on top, once, and show every character', () => {
  const text = 'title: x\n';
  const once = withFaults(text, [{ path: '/title', message: 'is \u001b[31m short\nand bad' }]);
  expect(once).not.toContain('\u001b');
  expect(once.split('\n').filter((line) => !line.startsWith('#'))).toEqual(['title: x', '']);
  expect(withoutFaults(once)).toBe(text);
  const again = withFaults(withoutFaults(once), [{ path: '', message: 'no' }]);
  expect(again.match(/did not take this text/g)).toHaveLength(1);
  expect(backAgain(once)).toEqual({ title: 'x' });
});
