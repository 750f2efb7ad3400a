import { describe, expect, test } from 'vitest';
import { gaps, readRepository, shortFacts } from '../readRepository.ts';

const PACKAGE = `{
  "name": "shop",
  "scripts": {
    "dev": "vite",
    "build": "vite build",
    "test": "vitest run",
    "test:watch": "vitest",
    "lint": "eslint .",
    "lint:fix": "eslint --fix .",
    "typecheck": "tsc --noEmit",
    "format:check": "prettier --check .",
    "bench": "tsx bench.ts"
  }
}
`;

describe('a package', () => {
  test('has its scripts as facts, without those that change files or never end', () => {
    expect(shortFacts({ 'package.json': PACKAGE, 'package-lock.json': '{}' })).toEqual([
      '2 package-manager .: npm --version (package.json:2)',
      '2 install .: npm ci (package.json:2)',
      '2 build .: npm run build (package.json:5)',
      '2 test .: npm test (package.json:6)',
      '2 lint .: npm run lint (package.json:8)',
      '2 typecheck .: npm run typecheck (package.json:10)',
      '2 format .: npm run format:check (package.json:11)',
      '2 bench .: npm run bench (package.json:12)',
    ]);
  });

  test('quotes the exact line', () => {
    const { facts } = readRepository({ 'package.json': PACKAGE });
    expect(facts.find(({ kind }) => kind === 'test')?.from).toEqual({
      path: 'package.json',
      line: 6,
      quote: '    "test": "vitest run",',
    });
  });

  test.each([
    ['npm without a lock', {}, ['npm install', 'npm test']],
    ['npm', { 'package-lock.json': '' }, ['npm ci', 'npm test']],
    ['pnpm', { 'pnpm-lock.yaml': '' }, ['pnpm install --frozen-lockfile', 'pnpm test']],
    ['yarn', { 'yarn.lock': '' }, ['yarn install --frozen-lockfile', 'yarn test']],
    ['yarn 2', { 'yarn.lock': '', '.yarnrc.yml': '' }, ['yarn install --immutable', 'yarn test']],
    ['bun', { 'bun.lock': '' }, ['bun install --frozen-lockfile', 'bun run test']],
  ])('is run by %s, as its lock file says', (_, files, expected) => {
    const { facts } = readRepository({ 'package.json': '{"scripts": {"test": "x"}}', ...files });
    expect(facts.filter(({ kind }) => kind !== 'package-manager').map(({ argv }) => argv.join(' '))).toEqual(expected);
  });

  test('believes packageManager before a lock file', () => {
    const { facts } = readRepository({
      'package.json': '{\n  "packageManager": "pnpm@9.1.0",\n  "scripts": {"test": "x"}\n}',
      'yarn.lock': '',
    });
    expect(facts.map(({ argv, rank, from }) => [argv.join(' '), rank, from.line])).toEqual([
      ['pnpm --version', 3, 2],
      ['pnpm install', 3, 2],
      ['pnpm test', 3, 3],
    ]);
  });

  test('lists the members of a workspace, whose scripts are facts too', () => {
    const files = {
      'package.json': '{"workspaces": ["packages/*", "!packages/old"]}',
      'package-lock.json': '{}',
      'packages/core/package.json': '{"scripts": {"test": "vitest run"}}',
      'packages/old/package.json': '{}',
      'apps/web/package.json': '{}',
    };
    expect(readRepository(files).workspaces).toEqual([{ path: 'packages/core', from: 'package.json' }]);
    expect(shortFacts(files)).toContain('2 test packages/core: npm test (packages/core/package.json:1)');
  });

  test('reads the members from pnpm-workspace.yaml', () => {
    const files = {
      'package.json': '{}',
      'pnpm-workspace.yaml': 'packages:\n  - "libs/**"\n',
      'libs/a/b/package.json': '{}',
    };
    expect(readRepository(files).workspaces).toEqual([{ path: 'libs/a/b', from: 'pnpm-workspace.yaml' }]);
  });

  test('ranks a script that only prints below everything', () => {
    const script = 'echo \\"Error: no test specified\\" && exit 1';
    expect(shortFacts({ 'package.json': `{"scripts": {"test": "${script}"}}` })).toContain(
      '5 test .: npm test (package.json:1)',
    );
  });

  test('leaves out scripts with names that are no plain words, and says so', () => {
    const scripts = { __proto__: 'x', 'test\nrm': 'x', '--test': 'x', constructor: 'x', 'test:a': 'x' };
    const text = JSON.stringify({ scripts }).replace('{"scripts":{', '{"scripts":{"__proto__":"x",');
    const files = { 'package.json': text };
    expect(
      readRepository(files)
        .facts.filter(({ kind }) => kind === 'test')
        .map(({ argv }) => argv),
    ).toEqual([['npm', 'run', 'test:a']]);
    expect(gaps(files)).toEqual([
      String.raw`package.json: the name of the script "test\nrm" is unusual`,
      'package.json: the name of the script "--test" is unusual',
    ]);
  });

  test('that is no JSON is a gap', () => {
    expect(gaps({ 'package.json': '{' })).toEqual([expect.stringMatching(/^package\.json: it cannot be read: .*JSON/)]);
  });
});
