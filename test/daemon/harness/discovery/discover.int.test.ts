import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Discover, discover } from '../../../../daemon/harness/discovery/discover.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { pidExists } from '../../../../schemas/processes.ts';
import { checksOf, type RepoFacts } from '../../../../schemas/repoFacts.ts';
import { type ScratchRepo, scratchRepo } from '../../../helpers/repo.ts';

let repo: ScratchRepo;
let scratchDir: string;
beforeEach(() => {
  repo = scratchRepo();
  scratchDir = join(repo.root, 'scratch');
});
afterEach(() => repo.cleanup());

const find = (input: Partial<Discover> = {}) => discover({ repoDir: repo.dir, scratchDir, ...input });

const ends = ({ facts }: RepoFacts) =>
  Object.fromEntries(facts.map(({ argv, probe }) => [argv.join(' '), `${probe.class} ${probe.exit}`]));

/** Every file below a directory, with its mode and a hash of its bytes. */
function listing(root: string, except: readonly string[] = []): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !except.some((each) => name === each || name.startsWith(`${each}/`)))
    .sort()
    .map((name) => {
      const path = join(root, name);
      const facts = lstatSync(path);
      const bytes = facts.isFile() ? readFileSync(path) : facts.isSymbolicLink() ? readlinkSync(path) : '';
      return `${name} ${facts.mode} ${createHash('sha256').update(bytes).digest('hex')}`;
    });
}

test('believes CI, and neither a script that only prints nor a document', async () => {
  repo.commit({
    'package.json': '{\n  "scripts": {\n    "test": "echo \\"run the tests of web\\" && exit 1"\n  }\n}\n',
    'README.md': '# Shop\n\n```sh\nmake tests\n```\n',
    '.github/workflows/ci.yml': [
      'jobs:',
      '  test:',
      '    steps:',
      '      - run: sh web/test.sh && sh api/test.sh',
      '',
    ].join('\n'),
    'web/test.sh': 'exit 0\n',
    'api/test.sh': 'echo 2 of 9 tests fail\nexit 3\n',
  });
  const found = await find();
  const byCommand = new Map(found.facts.map((fact) => [fact.argv.join(' '), fact]));
  const [web, api] = [byCommand.get('sh web/test.sh'), byCommand.get('sh api/test.sh')];
  expect(checksOf(found)).toEqual([web]);
  expect(found.knownRed).toEqual([api?.id]);
  expect(web).toMatchObject({
    kind: 'test',
    source: 'ci',
    rank: 1,
    from: { path: '.github/workflows/ci.yml', line: 4, quote: '      - run: sh web/test.sh && sh api/test.sh' },
    probe: { exit: 0, class: 'green', reason: null },
  });
  expect(api?.probe).toMatchObject({ exit: 3, class: 'red_at_base', reason: 'exit 3: 2 of 9 tests fail' });
  expect(byCommand.get('npm test')).toMatchObject({
    rank: 5,
    from: { line: 3, quote: '    "test": "echo \\"run the tests of web\\" && exit 1"' },
    probe: { class: 'red_at_base' },
  });
  expect(byCommand.get('make tests')).toMatchObject({ source: 'doc', rank: 4 });
  expect(found.base).toEqual({ commit: repo.git('rev-parse', 'HEAD') });
  const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });
  expect(registry.validateArtifact('tpl/repo-facts@1', found)).toEqual({ ok: true });
});

describe('a command', () => {
  const targets = (...lines: string[]) => repo.commit({ Makefile: lines.join('\n') });

  test('ends in one of the classes', async () => {
    targets(
      ...['test-green:', '\t@true'],
      ...['test-red:', '\t@echo 1 failed; exit 1'],
      ...['test-missing:', '\t@devflow-no-such-program'],
      ...['test-network:', '\t@echo "npm error code ENOTFOUND"; exit 1'],
      ...['install:', '\t@touch $(HOME)/installed'],
    );
    const found = await find();
    expect(ends(found)).toEqual({
      'make test-green': 'green 0',
      'make test-red': 'red_at_base 2',
      'make test-missing': 'missing_tool 2',
      'make test-network': 'needs_network 2',
      'make install': 'not_run null',
    });
    expect(existsSync(join(repo.root, 'home/installed'))).toBe(false);
  });

  test('that the policy refuses never runs', async () => {
    repo.commit({
      '.gitlab-ci.yml': 'test:\n  script:\n    - make test -o "rm -rf ."\n',
      Makefile: 'test:\n\ttouch ran\n',
    });
    const { facts } = await find({ policy: (argv) => refuseTests(argv) });
    expect(facts.map(({ probe }) => probe)).toEqual(
      facts.map(() => ({ exit: null, ms: 0, class: 'refused', reason: 'git_clean: a rule of the test' })),
    );
  });

  test('that installs runs if the caller allows it, before the others', async () => {
    targets('test:', '\ttest -e deps/x', 'install:', '\tmkdir deps && touch deps/x');
    repo.commit({ '.gitignore': 'deps/\n' });
    expect(ends(await find({ allowInstall: true }))).toEqual({ 'make test': 'green 0', 'make install': 'green 0' });
  });

  test('does not see what an earlier one changed', async () => {
    targets(
      'format:',
      '\techo changed >Makefile; rm src/a; touch src/b; git init -q nested',
      'test:',
      '\t! test -e src/b && ! test -e nested && test -e src/a && test -z "$$(git status --porcelain)"',
    );
    repo.commit({ 'src/a': 'a' });
    expect(ends(await find())).toEqual({ 'make format': 'green 0', 'make test': 'green 0' });
  });

  test('has a limit of its own', async () => {
    targets('test-a:', '\tsleep 600', 'test-b:', '\ttrue');
    const found = await find({ probeMs: 1000 });
    expect(found.facts.map(({ probe }) => [probe.class, probe.reason])).toEqual([
      ['timed_out', 'it did not end within 1 s'],
      ['green', expect.anything()],
    ]);
  });

  test('has a limit together with all others', async () => {
    targets('test-a:', '\tsleep 600', 'test-b:', '\ttrue');
    const found = await find({ totalMs: 800 });
    expect(found.facts.map(({ probe }) => [probe.class, probe.reason])).toEqual([
      ['timed_out', expect.stringMatching(/^it did not end within 0\.[78]\d* s$/)],
      ['not_run', 'the time for all commands is over'],
    ]);
  });

  test('has its own repository, so what it commits and configures does not reach yours', async () => {
    repo.commit({
      Makefile:
        'test:\n\tgit config user.name X && git config user.email x@y && echo >>Makefile && git commit -qam x && git tag done && git describe --tags --match v1\n',
    });
    repo.git('tag', 'v1');
    const before = listing(join(repo.dir, '.git'), ['objects']);
    const found = await find();
    expect(found.facts[0]?.probe).toMatchObject({ class: 'green' });
    expect(listing(join(repo.dir, '.git'), ['objects'])).toEqual(before);
  });

  test.each([
    ['in the background', 'PROGRAM &'],
    ...(process.platform === 'linux'
      ? [
          ['in sessions of their own', 'setsid PROGRAM &'],
          ['without a parent', '(setsid PROGRAM &)'],
          ['without a parent and an environment', '(env -i setsid PROGRAM &)'],
        ]
      : []),
  ])('that leaves processes behind %s loses them', async (_, start = '') => {
    const pidFile = join(repo.root, 'pid');
    const program = 'sh leave.sh';
    repo.commit({
      'leave.sh': `trap "" TERM\necho $$ >${pidFile}\nwhile :; do sleep 0.1; done\n`,
      'start.sh': `${start.replace('PROGRAM', program)}\nwhile ! test -s ${pidFile}; do :; done\n`,
      Makefile: 'test:\n\tsh start.sh\n',
    });
    expect(ends(await find())).toEqual({ 'make test': 'green 0' });
    await expect.poll(() => pidExists(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });
});

function refuseTests(argv: readonly string[]) {
  return { allowed: argv.length === 0, rule: 'git_clean' as const, reason: 'a rule of the test' };
}

describe('the repository of the person', () => {
  test('stays as it is, byte for byte', async () => {
    repo.commit({ Makefile: 'test:\n\ttouch left\n', 'src/a': 'a' });
    repo.write({ 'src/a': 'changed', untracked: 'x' });
    const before = listing(repo.dir, ['.git/objects']);
    await find();
    expect(listing(repo.dir, ['.git/objects'])).toEqual(before);
    expect(readdirSync(scratchDir)).toEqual([]);
  });

  test.each([
    ['a person', undefined],
    ['a shutdown', new DevflowError('shutting_down', 'The daemon stops.')],
  ])('stays as it is when %s aborts, and the command ends', async (_, reason) => {
    const pidFile = join(repo.root, 'pid');
    repo.commit({ Makefile: `test:\n\techo $$$$ >${pidFile}; exec sleep 600\n` });
    const before = listing(repo.dir, ['.git/objects']);
    const stop = new AbortController();
    const found = find({ signal: stop.signal }).then(
      () => 'found',
      (error: unknown) => error,
    );
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n')).toBe(true);
    stop.abort(reason);
    expect(await found).toBe(stop.signal.reason);
    expect(pidExists(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
    expect(listing(repo.dir, ['.git/objects'])).toEqual(before);
    expect(readdirSync(scratchDir)).toEqual([]);
  });

  test('runs no hook and no filter', async () => {
    const marker = join(repo.root, 'ran');
    repo.commit({ Makefile: 'test:\n\ttrue\n', '.gitattributes': '* filter=own\n' });
    repo.git('config', 'filter.own.smudge', `touch ${marker}; cat`);
    repo.git('config', 'core.fsmonitor', `touch ${marker}`);
    writeFileSync(join(repo.dir, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    expect(ends(await find())).toEqual({ 'make test': 'green 0' });
    expect(existsSync(marker)).toBe(false);
  });
});

test('reads the commit, and no links, large files or other encodings', async () => {
  const outside = join(repo.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'package.json'), '{"scripts": {"test": "x"}}');
  symlinkSync(join(outside, 'package.json'), join(repo.dir, 'package.json'));
  symlinkSync(outside, join(repo.dir, 'linked'));
  writeFileSync(join(repo.dir, 'Makefile'), `test:\n\ttrue\n${'#'.repeat(100 * 1024 * 1024)}`);
  writeFileSync(join(repo.dir, 'setup.cfg'), Buffer.from([0x5b, 0xff, 0xfe]));
  repo.commit({ '.gitlab-ci.yml': 'test:\n  script:\n    - cd linked && npm test\n' });
  const { facts, uncovered } = await find();
  expect(facts).toEqual([]);
  expect(uncovered.map(({ path, why }) => `${path}: ${why}`)).toEqual([
    'package.json: the file is a link',
    'Makefile: the file is larger than 262144 bytes, or there are too many',
    'setup.cfg: the file is not UTF-8 text',
    '.gitlab-ci.yml: line 3: the commit has no directory linked',
  ]);
});

test('runs nothing if it shall only read', async () => {
  const marker = join(repo.root, 'ran');
  repo.commit({ Makefile: `test:\n\ttouch ${marker}\n` });
  const { facts } = await find({ probes: false });
  expect(facts.map(({ probe }) => probe.class)).toEqual(['not_run']);
  expect(existsSync(marker)).toBe(false);
});

test('takes a commit that is not checked out', async () => {
  const commit = repo.commit({ Makefile: 'test:\n\ttrue\n' });
  repo.commit({ Makefile: 'lint:\n\ttrue\n' });
  expect(ends(await find({ commit }))).toEqual({ 'make test': 'green 0' });
});

test('says what is wrong with a directory that is no repository', async () => {
  await expect(find({ repoDir: repo.root })).rejects.toMatchObject({ code: 'repo_invalid' });
  execFileSync('git', ['init', '-q', join(repo.root, 'empty')]);
  await expect(find({ repoDir: join(repo.root, 'empty') })).rejects.toMatchObject({ code: 'repo_invalid' });
});
