import { describe, expect, test } from 'vitest';
import { bodiesOf } from '../../../daemon/discovery/bodies/bodiesOf.ts';
import { judgeBodies } from '../../../daemon/discovery/bodies/judge.ts';
import type { CommitTexts } from '../../../daemon/discovery/bodies/walk.ts';
import { checkPolicy } from '../../../daemon/policy/policy.ts';
import { readScript } from '../../../daemon/policy/shell/shell.ts';

/** What runs with a command in a commit with these files. */
function judged(argv: string, files: Record<string, string>, cwd = '.') {
  const paths = new Set(Object.keys(files));
  const commit = { paths, read: (path: string) => files[path], commandsOf };
  const from = { path: 'ci.yml', line: 1, quote: '' };
  return judgeBodies(
    bodiesOf({ argv: argv.split(' ').map((word) => word.replaceAll('\t', ' ')), cwd, from }, commit),
    checkPolicy,
    paths,
  );
}
const read = (...of: Parameters<typeof judged>) =>
  judged(...of).bodies.map(({ path, line, text }) => `${path}:${line} ${text}`);
const commandsOf = (script: string) => readScript(script).commands;
const scripts = (of: Record<string, string>) => JSON.stringify({ scripts: of }, null, 2);

describe('the bodies of a command', () => {
  test.each<[string, string, Record<string, string>, string[], string?]>([
    [
      'a script with those before and after it',
      'npm test',
      { 'package.json': scripts({ pretest: 'echo a', test: 'echo b', posttest: 'echo c', lint: 'echo d' }) },
      ['package.json:3 echo a', 'package.json:4 echo b', 'package.json:5 echo c'],
    ],
    [
      'a script that calls another',
      'yarn check',
      { 'package.json': scripts({ check: 'npm run one && pnpm two', one: 'echo 1', two: 'npm run check' }) },
      ['package.json:3 npm run one && pnpm two', 'package.json:4 echo 1', 'package.json:5 npm run check'],
    ],
    [
      'scripts by pattern',
      'npm run all',
      { 'package.json': scripts({ all: 'run-p "test:*"', 'test:a': 'echo a', 'test:b': 'echo b', other: 'echo c' }) },
      ['package.json:3 run-p "test:*"', 'package.json:4 echo a', 'package.json:5 echo b'],
    ],
    [
      'the nearest package',
      'npm test',
      {
        'package.json': scripts({ test: 'echo root' }),
        'web/package.json': scripts({ test: 'echo web' }),
        'web/src/a': '',
      },
      ['web/package.json:3 echo web'],
      'web/src',
    ],
    [
      'all packages, for a call in workspaces',
      'npm test --workspaces',
      { 'package.json': scripts({ test: 'echo root' }), 'web/package.json': scripts({ test: 'echo web' }) },
      ['package.json:3 echo root', 'web/package.json:3 echo web'],
    ],
    [
      'another directory by option',
      'npm --prefix web test',
      { 'package.json': scripts({ test: 'echo root' }), 'web/package.json': scripts({ test: 'echo web' }) },
      ['web/package.json:3 echo web'],
    ],
    [
      'what an installation runs',
      'npm ci',
      { 'package.json': scripts({ postinstall: 'node x.js', prepare: 'echo p' }) },
      ['package.json:3 node x.js', 'package.json:4 echo p'],
    ],
    [
      'a recipe, what it needs and its variables',
      'make test',
      {
        Makefile:
          'RUN = echo\nall: test\nlib: $(wildcard *.c)\n\t@cc $@ $$HOME\ntest: lib | dir\n\t-$(RUN) go; \\\n\techo on\n%r:\n\tmkdir $@\n',
      },
      ['Makefile:5 echo go;  echo on', 'Makefile:3 cc lib $HOME', 'Makefile:8 mkdir dir'],
    ],
    [
      'the first target without a goal, and an included file',
      'make -C sub',
      {
        'sub/Makefile': 'include rules.mk\nX := $(shell echo read)\n',
        'sub/rules.mk': '.PHONY: a\na:: ; echo first\nb:\n\techo b\n',
      },
      ['sub/Makefile:2 echo read', 'sub/rules.mk:2 echo first'],
    ],
    [
      'a shell script',
      'sh x.sh',
      { 'x.sh': 'cd sub\n./y', 'sub/y': '#!/usr/bin/env bash\necho y\n' },
      ['x.sh:1 cd sub\n./y', 'sub/y:1 #!/usr/bin/env bash\necho y\n'],
    ],
    ['a script behind runners', 'env A=b timeout 5 bash ./x.sh', { 'x.sh': 'true' }, ['x.sh:1 true']],
    ['a text of CI', 'sh -c npm\ttest', { 'package.json': scripts({ test: 'echo t' }) }, ['package.json:3 echo t']],
    ['none for a program', 'pytest -q', { 'conftest.py': '' }, []],
  ])('have %s', (_, argv, files, expected, cwd = '.') => {
    expect(read(argv, files, cwd)).toEqual(expected);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['npm test', { 'package.json': scripts({ test: 'jest && node check.js && just lint' }) }, ['jest', 'node', 'just']],
    ['./gradlew test', { gradlew: '#!/bin/sh\nrm -rf "$X"\n' }, ['gradlew']],
    ['./tool.py', { 'tool.py': '#!/usr/bin/env python3\n' }, ['tool.py']],
    ['pnpm test', { 'package.json': scripts({ test: 'true' }), '.pnpmfile.cjs': '' }, ['.pnpmfile.cjs']],
    ['yarn test', { 'package.json': scripts({ test: 'true' }), '.yarnrc.yml': 'yarnPath: x.cjs\n' }, ['.yarnrc.yml']],
    ['sh x.sh', { 'x.sh': '"$RUNNER" test\ncd "$WHERE"\n' }, ['$RUNNER', 'cd $WHERE', 'x.sh:1']],
    ['sh x.sh', { 'x.sh': 'echo "no end\n' }, ['x.sh:1']],
    ['make test', { Makefile: 'include ../other.mk\ntest:\n\ttrue\n' }, ['../other.mk']],
  ])('name what %s also runs and devflow does not read', (argv, files, unread) => {
    expect(judged(argv, files)).toMatchObject({ unread, refused: undefined });
  });

  test('name each text once, also in a loop of two scripts', () => {
    const files = { 'package.json': scripts({ test: 'npm run b', b: 'npm run a', a: 'npm run b' }) };
    expect(read('npm test', files)).toHaveLength(3);
  });

  test('wait for files that are still to be read', () => {
    const commit = {
      paths: new Set(['x.sh', 'y.sh']),
      read: (path: string) => (path === 'x.sh' ? 'sh y.sh' : undefined),
      commandsOf,
    };
    const from = { path: 'ci.yml', line: 1, quote: '' };
    expect(bodiesOf({ argv: ['sh', 'x.sh'], cwd: '.', from }, commit).needs).toEqual(['y.sh']);
  });
});

describe('a hostile repository', () => {
  test('makes no text that a database refuses', () => {
    const text = '{"scripts": {"test": "echo \\u0000 \\ud800"}}';
    expect(read('npm test', { 'package.json': text })).toEqual(['package.json:1 echo ␀ \ufffd']);
  });

  test('is followed only so far', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `sh ${at}.sh`).join('\n');
    expect(judged('sh x.sh', { 'x.sh': many }).unread).toContain('x.sh:1');
    const calls = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`s${at}`, 'npm test;'.repeat(400)]));
    const every = Object.keys(calls).map((name) => `npm run ${name}`);
    const found = judged('npm test', { 'package.json': scripts({ test: every.join(';'), ...calls }) });
    expect(found.unread).toContain('more commands than devflow follows');
  });

  test('cannot make a command so long that the daemon does nothing else', () => {
    const words = 'a '.repeat(2_000).trim();
    expect(judged('npm test', { 'package.json': scripts({ test: `xargs ${words}` }) })).toMatchObject({
      unread: ['1001 more words of xargs'],
      refused: 'a command has more than 1000 words (package.json:3)',
    });
  });

  test('cannot make the same texts be read again and again', () => {
    const calls = 'run-s "*";npm -ws test;'.repeat(200);
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`a${at}`, '']));
    const reads = new Map<string, number>();
    const files = { 'package.json': scripts({ test: calls, ...many }), '.npmrc': 'a=b' };
    const commit = {
      paths: new Set(Object.keys(files)),
      read(path: keyof typeof files) {
        reads.set(path, (reads.get(path) ?? 0) + 1);
        return files[path];
      },
      commandsOf,
    } as CommitTexts;
    const found = bodiesOf({ argv: ['npm', 'test'], cwd: '.', from: { path: 'ci.yml', line: 1, quote: '' } }, commit);
    expect(found.unread).toContain('1501 more scripts of package.json');
    expect(reads.get('.npmrc')).toBe(1);
    const makes = { Makefile: `test:\n\t${'make b;'.repeat(300)}\nb:\n\ttrue\n${`${'#'.repeat(3000)}\n`.repeat(60)}` };
    expect(judged('make test', makes).unread).toContain('more commands than devflow follows');
  });

  test('cannot make a Makefile that grows without end', () => {
    const grows = `A = ${'x'.repeat(3000)}\nB = ${'$(A)'.repeat(900)}\ntest:\n\techo ${'$(B)'.repeat(900)}\n`;
    expect(read('make test', { Makefile: grows })[0]?.length).toBeLessThan(20_000);
    const long = `X = ${'${shell '.repeat(30_000)}\ntest:\n\ttrue\n`;
    expect(judged('make test', { Makefile: long }).unread).toEqual(['Makefile:1']);
  });
});

describe('a command is refused for its bodies', () => {
  test.each<[string, string, Record<string, string>]>([
    ['rm_recursive_force', 'npm test', { 'package.json': scripts({ test: 'rm -rf $HOME/precious' }) }],
    ['rm_recursive_force', 'npm test', { 'package.json': scripts({ pretest: 'rm -rf ~/x', test: 'true' }) }],
    [
      'rm_recursive_force',
      'make test',
      { Makefile: 'DIR = $(HOME)/precious\ntest: clean\nclean:\n\t@rm -rf $(DIR)\n' },
    ],
    ['rm_recursive_force', 'make test', { Makefile: 'X := $(shell rm -rf $$HOME/x)\ntest:\n\ttrue\n' }],
    ['rm_recursive_force', 'sh x.sh', { 'x.sh': 'cd "$HOME"\nrm -rf precious\n' }],
    ['rm_recursive_force', 'sh x.sh', { 'x.sh': 'rm -rf link/precious\n' }],
    ['rm_recursive_force', 'sh x.sh', { 'x.sh': 'rm -rf a/../../precious\n', 'a/b': '' }],
    ['rm_recursive_force', 'sh x.sh', { 'x.sh': 'rm -rf .\n' }],
    ['git_push_force', 'npm test', { 'package.json': scripts({ test: 'git push --force' }) }],
    ['publishes', 'npm test', { 'package.json': scripts({ test: 'npm run p', p: 'git -C . push origin x' }) }],
    ['publishes', 'npm test', { 'package.json': scripts({ test: 'timeout 5 npm publish' }) }],
    ['publishes', 'sh -c git\tpush', {}],
    [
      '.npmrc:2 sets script-shell',
      'npm test',
      { '.npmrc': 'a=b\nscript-shell=./x\n', 'package.json': scripts({ test: 'true' }) },
    ],
    ['Makefile:1 sets SHELL', 'make test', { Makefile: 'SHELL = ./x\ntest:\n\ttrue\n' }],
  ])('%s: %s', (rule, argv, files) => {
    expect(judged(argv, files).refused?.startsWith(rule)).toBe(true);
  });

  test.each([
    [scripts({ build: 'rm -rf dist && tsc', test: 'rm -rf build/tmp ./x; true' })],
    [scripts({ build: 'cd web && rm -rf dist', test: 'npm run build' })],
  ])('but not for removing its own output: %s', (text) => {
    const files = { 'package.json': text, 'build/a': '', 'web/a': '' };
    expect(judged('npm run build', files).refused).toBeUndefined();
    expect(judged('npm test', files).refused).toBeUndefined();
  });

  test('and not for a target that it does not run', () => {
    expect(judged('make test', { Makefile: 'test:\n\ttrue\nclean:\n\trm -rf /x\n' }).refused).toBeUndefined();
  });
});
