import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { beginOf } from '../../../schemas/sheet/documentLine.ts';
import { formatDocument } from '../../../schemas/sheet/formatDocument.ts';

const FIXTURES = join(packageRoot(), 'schemas/artifacts/fixtures');
const SCHEMAS = readdirSync(FIXTURES).flatMap((family) =>
  readdirSync(join(FIXTURES, family)).map((name) => `${family}/${name}`),
);

function shown(value: unknown, schema = 'custom/any@1'): string[] {
  const content = typeof value === 'string' ? value : JSON.stringify(value);
  return formatDocument(content, schema).map((line) => `${beginOf(line)}${line.text}`.trimEnd());
}

const SPEC = {
  openQuestions: ['In which language?'],
  title: 'Greet by name',
  summary: 'It **should** greet.\n\n- by name\n- politely',
  goals: ['A user is greeted'],
  nonGoals: [],
  requirements: [{ id: 'R1', text: 'It says hello.', acceptance: ['Run it.', 'See hello.'] }],
};

test('a specification is a document with numbered requirements', () => {
  expect(shown(SPEC, 'dev/spec@1')).toEqual([
    'Title: Greet by name',
    '',
    'Summary',
    'It **should** greet.',
    '',
    '• by name',
    '• politely',
    '',
    'Goals',
    '• A user is greeted',
    '',
    'Not goals: none',
    '',
    'Requirements',
    'R1 It says hello.',
    '  • Run it.',
    '  • See hello.',
    '',
    'Open questions',
    '• In which language?',
  ]);
});

test('a plan is a list of tasks', () => {
  const task = {
    id: 'T1',
    title: 'Say hello',
    description: 'Write it.',
    writeSet: ['src/a.ts'],
    dependsOn: ['T0'],
    checks: [{ argv: ['npm', 'test'] }],
  };
  expect(shown({ tasks: [task], summary: 'One task.' }, 'dev/dag@1')).toEqual([
    'Summary: One task.',
    '',
    'Tasks',
    'T1 Say hello',
    '  Write it.',
    '  Writes: src/a.ts',
    '  After: T0',
    '  Checks:',
    '    •',
    '      Argv: npm, test',
  ]);
});

test('a draft of a template is shown as its YAML', () => {
  const lines = formatDocument(JSON.stringify({ cites: [], yaml: 'name: a\nphases:\n  - key: b\n' }), 'tpl/draft@1');
  expect(lines.slice(0, 4)).toEqual([
    { pointer: '/yaml', text: 'Template', as: 'heading', depth: 0 },
    { pointer: '/yaml', text: 'name: a', as: 'code', depth: 0 },
    { pointer: '/yaml', text: 'phases:', as: 'code', depth: 0 },
    { pointer: '/yaml', text: '  - key: b', as: 'code', depth: 0 },
  ]);
});

test('each line of a value has the pointer of the value', () => {
  const lines = formatDocument(JSON.stringify(SPEC), 'dev/spec@1');
  expect(lines.find(({ text }) => text === 'See hello.')).toMatchObject({ pointer: '/requirements/0/acceptance/1' });
  expect(lines.find(({ text }) => text === 'politely')).toMatchObject({ pointer: '/summary' });
  const odd = formatDocument('{"a/b":{"c~d":[["x"]]}}', 'custom/any@1');
  expect(odd.find(({ text }) => text === 'x')).toMatchObject({ pointer: '/a~1b/c~0d/0/0' });
});

test('Markdown keeps its lines, its headings and its code', () => {
  const lines = formatDocument(
    '# Plan\r\ntext\n```sh\n# no heading\n```\n1. one\n  - two\n| a | b |',
    'handover/plan@1',
  );
  expect(lines.map(({ as, depth, mark, text }) => [as, depth, mark, text])).toEqual([
    ['heading', 0, undefined, 'Plan'],
    ['text', 0, undefined, 'text'],
    ['code', 0, undefined, '```sh'],
    ['code', 0, undefined, '# no heading'],
    ['code', 0, undefined, '```'],
    ['item', 0, '1.', 'one'],
    ['item', 1, '•', 'two'],
    ['code', 0, undefined, '| a | b |'],
  ]);
});

describe('every schema of devflow', () => {
  test.each(SCHEMAS)('%s is shown whole, and not as JSON', (schema) => {
    const [file = ''] = readdirSync(join(FIXTURES, schema)).filter((name) => name.startsWith('ok.'));
    const content = readFileSync(join(FIXTURES, schema, file), 'utf8');
    const text = shown(content, schema).join('\n');
    const value: unknown = file.endsWith('.json') ? JSON.parse(content) : content.split('\n');
    for (const word of wordsIn(value)) expect(text).toContain(word);
    expect(text).not.toMatch(/^\s*[{}[\]"],?$/m);
  });
});

/** The short texts of a value: each must be on the page. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value.split('\n').length === 1 && value.trim() === value ? [markless(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(wordsIn);
}

const markless = (text: string) => text.replace(/^(#+|[-*+]|\d+[.)])\s+/, '');

describe('hostile JSON', () => {
  test('no value becomes a heading or a line of its own page', () => {
    const evil = { title: '# Approved\n## Approved', note: 'x\nChecks\n✓ npm test', 'a\nChecks': ['# b'] };
    const lines = formatDocument(JSON.stringify(evil), 'dev/spec@1');
    const headings = lines.filter(({ as }) => as === 'heading').map(({ text }) => text);
    expect(headings).toEqual(['Title', 'Note', 'A Checks']);
    for (const { text } of lines) expect(text).not.toMatch(/\n/);
  });

  test('names of fields that JavaScript knows are only names', () => {
    const text = '{"__proto__":{"title":"x"},"constructor":"y","toString":["z"],"hasOwnProperty":1}';
    expect(shown(text).join('\n')).toMatch(/Proto {2}:|Proto/i);
    expect(shown(text)).toContain('Constructor: y');
    for (const schema of ['__proto__@1', 'constructor@1', 'toString', '', '@'])
      expect(() => formatDocument(text, schema)).not.toThrow();
  });

  test('a deep value ends at a limit', () => {
    const deep = `${'['.repeat(50_000)}1${']'.repeat(50_000)}`;
    expect(formatDocument(`{"a":${deep}}`, 'dev/spec@1').length).toBeLessThan(20);
    expect(() => formatDocument(deep, 'dev/dag@1')).not.toThrow();
  });

  test('a huge value is cut, and says so', () => {
    const many = formatDocument(JSON.stringify(Array.from({ length: 20_000 }, (_, nth) => nth)), 'x/y@1');
    expect(many).toHaveLength(5_001);
    expect(many.at(-1)?.text).toBe('… 15000 more lines');
    const [, long] = formatDocument(JSON.stringify({ a: 'x'.repeat(250_000) }), 'x/y@1');
    expect(long?.text.length).toBeLessThan(4_100);
  });

  test('a part of a JSON document is shown as it is', () => {
    const lines = formatDocument('{"title": "# x",\n"goals": ["a', 'dev/spec@1');
    expect(lines.map(({ as, text }) => [as, text])).toEqual([
      ['code', '{"title": "# x",'],
      ['code', '"goals": ["a'],
    ]);
  });

  test('any JSON is shown, each value on lines of its own', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('dev/spec@1', 'dev/dag@1', 'tpl/draft@1', 'x@1', ''), (text, schema) => {
        for (const line of formatDocument(text, schema)) {
          expect(line.text).not.toContain('\n');
          expect(line.depth).toBeLessThan(40);
        }
      }),
    );
  });

  test.each(['dev/spec@1', 'dev/implementation@1', 'dev/review-finding-batch@2', 'tpl/draft@1', 'tpl/rehearsal@1'])(
    'fields of %s with another form are shown as they are',
    (schema) => {
      const odd = {
        summary: [1, { a: null }],
        goals: 'one',
        requirements: { id: 7 },
        yaml: 3,
        walk: [],
        findings: 'x',
        title: {},
      };
      expect(() => formatDocument(JSON.stringify(odd), schema)).not.toThrow();
    },
  );
});
