import { expect, test } from 'vitest';
import { gaps, readRepository } from './readRepository.ts';

test('reads 200 of a million scripts', () => {
  const scripts = Object.fromEntries(Array.from({ length: 20_000 }, (_, nth) => [`test:${nth}`, 'x']));
  const files = { 'package.json': JSON.stringify({ scripts }, null, 1) };
  expect(readRepository(files).facts).toHaveLength(200);
  expect(gaps(files)).toEqual([
    'package.json: 19800 of its 20000 scripts are not read',
    'package.json: 2 more commands are left out, of package.json',
  ]);
});

test('does not expand a YAML bomb', () => {
  const levels = Array.from(
    { length: 9 },
    (_, nth) => `a${nth + 1}: &a${nth + 1} [${'*aN, '.replaceAll('N', String(nth)).repeat(9)}]`,
  );
  const text = ['a0: &a0 x', ...levels].join('\n');
  expect(gaps({ '.github/workflows/ci.yml': text })).toEqual([
    expect.stringMatching(/^\.github\/workflows\/ci\.yml: it cannot be read: .*alias/),
  ]);
});

test.each([
  ['YAML', '.gitlab-ci.yml', '['.repeat(200_000)],
  ['YAML in sequences', '.gitlab-ci.yml', '- '.repeat(100_000)],
  ['JSON', 'package.json', '['.repeat(200_000)],
  ['TOML', 'pyproject.toml', `a = ${'['.repeat(200_000)}`],
])('survives %s that nests deeply', (_, path, text) => {
  expect(gaps({ [path]: text })).toHaveLength(1);
});

test.each([
  ['TOML tables', 'Cargo.toml', `[${'a.'.repeat(100_000)}a]`],
  ['a Makefile', 'Makefile', `${'a '.repeat(120_000)}\n`],
  ['a pom', 'pom.xml', `<project>${'<module>'.repeat(30_000)}<!--`],
  ['Gradle settings', 'settings.gradle', `include ${"':a',".repeat(50_000)}`],
  ['a list of packages', 'requirements.txt', ' '.repeat(250_000)],
  ['a document', 'README.md', '```sh\n'.repeat(40_000)],
  ['a script', '.gitlab-ci.yml', `test:\n  script:\n${'    - npm test; npm run lint\n'.repeat(8000)}`],
])('reads %s of unusual form', (_, path, text) => {
  expect(readRepository({ [path]: text }).facts.length).toBeLessThan(10);
});

test.each([
  ['expressions without an end', '$'.concat('{{} } ').repeat(35_000)],
  ['an expression of very many terms', `\${{ ${"'' || ".repeat(40_000)} x }}`],
])('reads a workflow with %s', (_, run) => {
  const matrix = Object.fromEntries(['a', 'b'].map((axis) => [axis, [1, 2, 3, 4, 5]]));
  const job = { strategy: { matrix }, steps: [{ run }, { run: 'npm test' }] };
  const files = { '.github/workflows/ci.yml': JSON.stringify({ jobs: { test: job } }) };
  expect(readRepository(files).facts.map(({ kind }) => kind)).toEqual(['test']);
  expect(gaps(files)).toContainEqual(expect.stringMatching(/ is too long$/));
});

test('fills in no values that together are very long', () => {
  const job = {
    strategy: { matrix: { a: ['x'.repeat(60_000)] } },
    steps: [{ run: `npm test ${'$'.concat('{{ matrix.a }}').repeat(2)}` }],
  };
  expect(readRepository({ '.github/workflows/ci.yml': JSON.stringify({ jobs: { test: job } }) }).facts).toEqual([]);
});

test('reads jobs whose names are special to JavaScript', () => {
  const text = '__proto__:\n  script: npm test\nconstructor:\n  script: npm run lint\n';
  expect(readRepository({ '.gitlab-ci.yml': text }).facts.map(({ kind }) => kind)).toEqual(['test', 'lint']);
});

test('shows control characters of names as signs', () => {
  expect(gaps({ 'a\nb/package.json': '{}' })).toEqual(['a␊b/package.json: the path has control characters']);
});

test('reads the nearest 120 of many manifests', () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, nth) => [`p${nth}/go.mod`, 'module x']));
  expect(gaps(files)[0]).toMatch(/^p\d+\/go\.mod: this file and 179 more are not read: devflow reads 120$/);
});
