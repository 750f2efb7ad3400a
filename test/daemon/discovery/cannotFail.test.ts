import { describe, expect, test } from 'vitest';
import { behindIn } from '../../../daemon/discovery/bodies/behind.ts';
import { cannotFail } from '../../../daemon/discovery/cannotFail/cannotFail.ts';
import { readScript } from '../../../daemon/policy/shell/shell.ts';

const sh = (script: string) => cannotFail(['sh', '-c', script]);

/** Why a command of a commit with these files cannot fail. */
function why(command: string, files: Record<string, string>): string | undefined {
  const paths = new Set(Object.keys(files));
  const commandsOf = (script: string) => readScript(script).commands;
  return cannotFail(command.split(' '), behindIn({ paths, read: (path) => files[path], commandsOf }));
}
const scripts = (of: Record<string, string>) => ({ 'package.json': JSON.stringify({ scripts: of }, null, 2) });

describe('a script that ends with 0 whatever happens', () => {
  test.each([
    'npm test || :',
    'npm test || true',
    'npm test || echo failed',
    'npm test && npm run lint || true',
    'npm test; exit 0',
    'npm test\nexit 0',
    'set -e\nnpm test || exit 0\necho good',
    'set -e; set +e; npm test; echo done',
    'npm test; true',
    'npm test\necho done',
    'npm test | tee log',
    'npm test 2>&1 | tail -5',
    'if npm test; then echo good; else echo bad; fi',
    'npm test || { echo failed; exit 0; }',
    '(npm test || true)',
    '(npm test; exit 0)',
    '{ npm test; } || :',
    'npm test &',
    'for each in a b; do npm test || true; done',
    'npm test || sh -c "lint || true"',
    '',
  ])('%j', (script) => {
    expect(sh(script)).toBeDefined();
  });
});

describe('a script that can fail', () => {
  test.each([
    'npm test',
    'npm test || exit 1',
    'npm test || exit',
    'npm test || npm run again',
    'npm test || true; npm run lint',
    'npm test; exit $?',
    'code=0; npm test || code=$?; exit $code',
    'set -e; npm test; echo done',
    'set -euo pipefail\nnpm test | tee log',
    'set -o pipefail; npm test | tee log',
    'set +e\nnpm test\nset -e\nnpm run lint\necho done',
    'if ! npm test; then exit 1; fi; echo good',
    'npm test | grep -q passed',
    '! npm test',
    'trap "exit 3" EXIT; npm test; true',
    'check() { npm test || exit 1; }; check; true',
    'eval "$CHECK"; true',
    'for each in a b; do npm test; done',
    'test -f a && echo good',
    'npm test & wait $!',
    '"$TOOL" || exit 2',
    'npm test || true )',
  ])('%j', (script) => {
    expect(sh(script)).toBeUndefined();
  });

  test('unless its shell was told to go on', () => {
    expect(cannotFail(['bash', '-eo', 'pipefail', '-c', 'npm test | tee log; echo done'])).toBeUndefined();
    expect(cannotFail(['bash', '-c', 'npm test | tee log; echo done'])).toBeDefined();
  });
});

describe('a command', () => {
  test.each([
    ['npm test --if-present', '--if-present ends with 0 without such a script'],
    ['npx jest --passWithNoTests', '--passWithNoTests ends with 0 without tests'],
    ['npx vitest run --passWithNoTests=true', '--passWithNoTests ends with 0 without tests'],
    ['env CI=1 ruff check --exit-zero .', '--exit-zero ends with 0 whatever it finds'],
    ['make -i test', '-i ends with 0 whatever fails'],
    ['mvn -B -fn test', '-fn ends with 0 whatever fails'],
    ['mvn test -DskipTests', '-DskipTests ends with 0 without a test'],
    ['./mvnw -Dmaven.test.skip=true test', '-Dmaven.test.skip ends with 0 without a test'],
    ['gmake --ignore-errors test', '--ignore-errors ends with 0 whatever fails'],
    ['echo good', 'echo checks nothing'],
    ['true', 'true checks nothing'],
  ])('%s: %s', (command, said) => {
    expect(cannotFail(command.split(' '))).toBe(said);
  });

  test.each([
    'npm test',
    'grep -i x',
    'vitest run --passWithNoTests=false',
    'npx jest',
    'false',
    'mvn package -DskipTests',
    'mvn -B verify -DskipTests',
    './mvnw -Dmaven.test.skip=true verify',
    'mvn compile -Dmaven.test.failure.ignore=true',
    'lcov --ignore-errors x',
    'make constructor',
    'mvn toString',
  ])('%s can fail', (command) => {
    expect(cannotFail(command.split(' '))).toBeUndefined();
  });
});

describe('what a command of a repository runs', () => {
  test.each<[string, Record<string, string>, string]>([
    ['npm test', scripts({ test: 'vitest || true' }), '"vitest || true" ends with 0 whatever happens (package.json:3)'],
    ['npm run check', scripts({ check: 'npm test', test: 'jest --passWithNoTests' }), '--passWithNoTests'],
    ['make test', { Makefile: 'test:\n\t-pytest\n' }, '(Makefile:1)'],
    ['make ci', { Makefile: 'ci: test\ntest:\n\tpytest || :\n' }, '(Makefile:1)'],
    ['sh ci.sh', { 'ci.sh': 'pytest\necho done\n' }, '(ci.sh:1)'],
    ['./ci.sh', { 'ci.sh': '#!/bin/sh\nset +e\npytest\nexit 0\n' }, '(ci.sh:1)'],
    ['npm test', { ...scripts({ test: 'sh ci.sh' }), 'ci.sh': 'pytest\nexit 0\n' }, '(ci.sh:1)'],
  ])('%s %j', (command, files, said) => {
    expect(why(command, files)).toContain(said);
  });

  test.each<[string, Record<string, string>]>([
    ['npm test', scripts({ test: 'vitest' })],
    ['npm test', scripts({ pretest: 'tsc', test: 'vitest || true' })],
    ['npm ci', scripts({ postinstall: 'true' })],
    ['npm run nothing', scripts({ test: 'true' })],
    ['make test', { Makefile: 'test: lib.o\n\t-./test\n' }],
    ['make test', { Makefile: 'test: lib\n\t-pytest\nlib:\n\tcc lib.c\n' }],
    ['make test', { Makefile: 'SHELL = bash\n.SHELLFLAGS = -eo pipefail -c\ntest:\n\tpytest | tee log\n' }],
    ['./ci.sh', { 'ci.sh': '#!/bin/sh -e\npytest\necho done\n' }],
    ['./ci.py', { 'ci.py': '#!/usr/bin/env python3\n' }],
  ])('%s of %j can fail', (command, files) => {
    expect(why(command, files)).toBeUndefined();
  });

  test('a script that calls itself is in doubt, and one that calls very many others', () => {
    expect(why('npm test', scripts({ test: 'npm test' }))).toBeUndefined();
    const calls = (name: string) => Array(100).fill(`npm run ${name}`).join('; ');
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, nth) => [`s${nth}`, calls(`s${nth + 1}`)]));
    expect(why('npm run s0', scripts({ ...many, s7: 'true' }))).toBeUndefined();
  });
});
