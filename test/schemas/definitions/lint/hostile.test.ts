import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textTooLarge } from '../../../../schemas/definitions/yamlFile.ts';
import { CODE, code, persona, personaLint, SCHEMAS, template, templateLint, VERIFY } from './givenLint.ts';

const codesOf = ({ findings }: ReturnType<typeof templateLint>) => [...new Set(findings.map((each) => each.code))];

describe('a hostile text gets an answer', () => {
  test.each<[string, string, string[]]>([
    ['a megabyte', `name: ${'x'.repeat(1024 * 1024)}`, ['too_large']],
    [
      '10,000 phases',
      `phases:\n${Array.from({ length: 10_000 }, (_, index) => `  - { key: p${index}, title: t, risk: low }\n`).join('')}`,
      ['too_large'],
    ],
    ['201 short phases', `phases: [${'{},'.repeat(201)}]`, ['too_large']],
    ['51 roles', `roles: [${'{},'.repeat(51)}]`, ['too_large']],
    ['lists without end', '['.repeat(100_000), ['too_large']],
    ['lists inside lists', '['.repeat(5000), ['yaml_error']],
    ['maps without end', '{a: '.repeat(50_000), ['too_large']],
    ['maps inside maps', '{a: '.repeat(2000), ['yaml_error']],
    [
      '50,000 short keys',
      `{${Array.from({ length: 50_000 }, (_, index) => `k${index.toString(36)}`).join()}}`,
      ['too_large'],
    ],
    ['100,000 empty lines', '\n'.repeat(100_000), ['too_large']],
    ['an alias of itself', '&a [*a]', ['yaml_error']],
    ['aliases that expand', `a: &a [x, x]\n${bomb()}`, ['yaml_error']],
    ['an alias of nothing', 'a: *b', ['yaml_error']],
    ['__proto__ as a key', `${template()}__proto__: { polluted: true }\n`, ['unknown_key']],
    ['other keys of objects', `${template()}constructor: 1\ntoString: 2\nhasOwnProperty: 3\n`, ['unknown_key']],
    [
      '2,000 unknown keys',
      Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join('\n'),
      ['unknown_key', 'wrong_shape'],
    ],
    ['keys that are maps', '? { toString: 1 }\n: 2\n', ['wrong_shape', 'unknown_key']],
    [
      'braces without end',
      template({ phases: [code({ instructions: `"${'{'.repeat(200_000)}"` })] }),
      ['long_instructions', 'unclosed_placeholder'],
    ],
    [
      'a command of 60,000 words',
      template({ end: [VERIFY.replace(' }', `, commands: [{ argv: [${'a,'.repeat(60_000)}] }] }`)] }),
      ['too_large'],
    ],
    ['no text', '', ['wrong_shape']],
  ])('%s', (_, text, codes) => {
    expect(codesOf(templateLint(text)).sort()).toEqual(codes.sort());
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each(['templates', 'personas'])('each of our %s eight times over is none', (kind) => {
    const texts = readdirSync(join(SCHEMAS, kind)).map((name) => readFileSync(join(SCHEMAS, kind, name), 'utf8'));
    for (const text of texts) expect(textTooLarge(text.repeat(8))).toBeUndefined();
  });

  test('a persona whose settings hold themselves', () => {
    expect(codesOf(personaLint(persona({ modelConfig: '&a { model: *a }' })))).toEqual(['yaml_error']);
  });

  test('of many findings the first 200 are shown', () => {
    const { findings, more } = templateLint(template({ phases: [code({ gates: `[${'G,'.repeat(500)}]` })] }));
    expect([findings.length, more]).toEqual([200, true]);
  });
});

function bomb(): string {
  const names = [...'abcdefgh'];
  return names
    .slice(1)
    .map((name, index) => `${name}: &${name} [${`*${names[index]},`.repeat(9)}]\n`)
    .join('');
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '\n',
  '&a ',
  '*a',
  '!!map ',
  '? ',
  '{{',
  '}}',
  '|',
  '"',
  '\0',
  '\u202e',
];
const EDIT = fc.tuple(
  fc.nat(400),
  fc.nat(6),
  fc.oneof(fc.constantFrom(...PIECES, '<<: ', '__proto__', '1e999', '~', '\t'), fc.string()),
);
const TEXT = fc
  .tuple(
    fc.constantFrom(template(), template({ phases: [CODE, CODE] }), persona(), ''),
    fc.array(EDIT, { maxLength: 5 }),
  )
  .map(([text, edits]) =>
    edits.reduce((all, [at, cut, piece]) => all.slice(0, at) + piece + all.slice(at + cut), text),
  );

test('no text makes lint throw, and each finding has a place', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      for (const { identity, findings } of [templateLint(text), personaLint(text)]) {
        expect(findings.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true);
        expect(identity !== null || findings.length > 0).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
