import { describe, expect, test } from 'vitest';
import { filesToBreak } from '../../../daemon/discovery/filesToBreak.ts';
import type { FactKind } from '../../../schemas/repoFacts.ts';

const PATHS = new Set([
  '.github/ci.yml',
  '.gitignore',
  'Dockerfile',
  'Makefile',
  'app.py',
  'install.sh',
  'package.json',
]);

/** What stays whole while devflow breaks the rest; undefined if it breaks nothing. */
function whole(command: string, texts: Record<string, string> = {}, kind: FactKind = 'test'): string[] | undefined {
  const bodies = Object.entries(texts).map(([path, text]) => ({ path, line: 1, text }));
  const judged = { bodies, unread: [], refused: undefined };
  const files = filesToBreak({ argv: command.split(' '), cwd: '.', kind }, judged, PATHS);
  return files && [...PATHS].filter((path) => !files.includes(path) && path !== '.gitignore');
}

describe('breaks', () => {
  test.each<[string, FactKind]>([
    ['shellcheck install.sh', 'lint'],
    ['ruff check app.py', 'lint'],
    ['python -m py_compile app.py', 'build'],
    ['actionlint', 'lint'],
    ['hadolint Dockerfile', 'lint'],
    ['yamllint .github', 'lint'],
  ])('all that %s could be about', (command, kind) => {
    expect(whole(command, {}, kind)).toEqual([]);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['sh install.sh', { 'install.sh': 'node -e 1' }, ['install.sh']],
    ['python app.py', {}, ['app.py']],
    ['./install.sh fast', {}, ['install.sh']],
    ['make test', { Makefile: 'node -e 1' }, ['Makefile']],
    ['npm test', { 'package.json': 'sh install.sh', 'install.sh': 'true' }, ['install.sh', 'package.json']],
  ])('all but what starts %s %j', (command, texts, kept) => {
    expect(whole(command, texts)).toEqual(kept);
  });
});

describe('breaks nothing', () => {
  test.each<[string, Record<string, string>]>([
    ['bash -n install.sh', { 'install.sh': 'make' }],
    ['make test', { Makefile: 'shellcheck install.sh && sh install.sh', 'install.sh': 'true' }],
    ['make test', { Makefile: 'checkmake Makefile' }],
    ['make test', { Makefile: 'checkmake <Makefile' }],
    ['make test', { Makefile: 'checkmake --file=./Makefile' }],
    ['make test', { Makefile: 'check "$FILES"' }],
    ['npm test', { 'package.json': 'prettier --check .' }],
    ['npm test', { 'package.json': 'prettier --check *.json' }],
  ])('for %s %j, which names a file that stays whole', (command, texts) => {
    expect(whole(command, texts)).toBeUndefined();
  });

  test('for a linter behind a manifest, which may be what it checks', () => {
    expect(whole('npm run lint', { 'package.json': 'sort-package-json --check' }, 'lint')).toBeUndefined();
  });
});
