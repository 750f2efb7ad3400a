import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startOrAdopt } from '../../../daemon/commands/runner.ts';
import { findConfinement, UNCONFINED } from '../../../daemon/discovery/confine.ts';
import { type Discover, discover, planProbes } from '../../../daemon/discovery/discover.ts';
import { findProcesses } from '../../../daemon/system/findProcesses.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { pidExists } from '../../../schemas/process/processes.ts';
import { checksOf, type RepoFacts } from '../../../schemas/repoFacts.ts';
import { readProc } from '../../../tmux/process/readProc.ts';
import { type ScratchRepo, scratchRepo } from '../../helpers/repo.ts';

let repo: ScratchRepo;
let scratchDir: string;
beforeEach(() => {
  repo = scratchRepo();
  scratchDir = join(repo.root, 'scratch');
});
afterEach(() => repo.cleanup());

const find = (input: Partial<Discover> = {}) =>
  discover({ repoDir: repo.dir, scratchDir, probes: true, cheapMs: 0, ...input });

function confinement() {
  mkdirSync(scratchDir, { recursive: true });
  return findConfinement(repo.dir, scratchDir);
}

const ends = ({ facts }: RepoFacts) =>
  Object.fromEntries(facts.map(({ argv, probe }) => [argv.join(' '), `${probe.class} ${probe.exit}`]));

const commandLineOf = (pid: number) => readProc(`${pid}/cmdline`).replaceAll('\0', ' ');

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
    'web/test.sh': 'test -f package.json\n',
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
  expect(registry.validateArtifact('tpl/repo-facts@2', found)).toEqual({ ok: true });
});

describe('a command', () => {
  const targets = (...lines: string[]) => repo.commit({ Makefile: lines.join('\n') });

  test('ends in one of the classes', async () => {
    targets(
      ...['test-green:', '\t@test -f Makefile'],
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
    targets('test-a:', '\tsleep 600', 'test-b:', '\ttest -f Makefile');
    const found = await find({ probeMs: 5000 });
    expect(found.facts.map(({ probe }) => [probe.class, probe.reason])).toEqual([
      ['timed_out', 'it did not end within 5 s'],
      ['green', null],
    ]);
  });

  test('has a limit together with all others', async () => {
    targets('test-a:', '\tsleep 600', 'test-b:', '\ttest -f Makefile');
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
  ])('that leaves processes behind %s loses them, also without namespaces', async (_, start = '') => {
    const pidFile = join(repo.root, 'pid');
    const program = `sh leave.sh ${pidFile}`;
    repo.commit({
      'leave.sh': `trap "" TERM\necho $$ >${pidFile}\nwhile :; do sleep 0.1; done\n`,
      'start.sh': `${start.replace('PROGRAM', program)}\nwhile ! test -s ${pidFile}; do :; done\n`,
      Makefile: 'test:\n\tsh start.sh && test -f Makefile\n',
    });
    expect(ends(await find({ confinement: UNCONFINED }))).toEqual({ 'make test': 'green 0' });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => pidExists(pid)).toBe(false);
    rmSync(pidFile);
    await find();
    expect(await findProcesses(({ pid }) => commandLineOf(pid).includes(`leave.sh ${pidFile}`))).toEqual([]);
  });
});

describe('a hostile repository', () => {
  const precious = () => join(repo.root, 'home/precious');
  beforeEach(() => mkdirSync(precious(), { recursive: true }));

  test.each<[string, Record<string, string>]>([
    ['a script', { 'package.json': '{"scripts": {"test": "rm -rf $HOME/precious"}}' }],
    ['the script before it', { 'package.json': '{"scripts": {"pretest": "rm -rf $HOME/precious", "test": "true"}}' }],
    ['a recipe', { Makefile: 'D = $(HOME)/precious\ntest: clean\nclean:\n\t@rm -rf $(D)\n' }],
    ['a file', { Makefile: 'test:\n\tsh x.sh\n', 'x.sh': 'cd "$HOME" && rm -rf precious\n' }],
    ['a push by force', { 'package.json': '{"scripts": {"test": "git push --force"}}' }],
    ['a push', { 'package.json': '{"scripts": {"test": "git push ../remote HEAD:main"}}' }],
    ['the shell of scripts', { '.npmrc': 'script-shell=./x\n', 'package.json': '{"scripts": {"test": "true"}}' }],
  ])('runs no command with %s that the policy refuses', async (_, files) => {
    repo.commit(files);
    const runs: string[] = [];
    const runCommand: Discover['runCommand'] = async ({ argv }) => {
      runs.push(argv.join(' '));
      throw new Error('it ran');
    };
    const { facts } = await find({ runCommand });
    expect(runs).toEqual([]);
    expect(facts.filter(({ kind }) => kind === 'test').map(({ probe }) => probe.class)).toEqual(['refused']);
    expect(existsSync(precious())).toBe(true);
  });

  /** What the policy cannot see: a program of the repository removes files by its absolute path, and in its home. */
  const REMOVES = (home: string) =>
    `const fs = require('fs');\nfor (const each of [process.env.HOME, ${JSON.stringify(home)}]) try { fs.rmSync(each + '/precious', { recursive: true }); console.log('removed ' + each); } catch (error) { console.log(error.code); }\n`;

  test('reaches no file by $HOME', async () => {
    repo.commit({ Makefile: 'test:\n\tnode x.js\n', 'x.js': REMOVES('/nowhere') });
    expect(ends(await find({ confinement: UNCONFINED }))).toEqual({ 'make test': 'green 0' });
    expect(existsSync(precious())).toBe(true);
  });

  test('reaches no file of the home and the repository where the system can prevent it', async (context) => {
    if (!(await confinement()).protectsHome) context.skip();
    const guarded = `cd / && rm -r ${repo.dir}/Makefile; mount -o remount,rw ${repo.root}/home; umount ${repo.root}/home`;
    repo.commit({
      Makefile: 'test:\n\tnode x.js\n\ttouch here\n\t-sh deep.sh\n\tnode x.js\n',
      'x.js': REMOVES(join(repo.root, 'home')),
      'deep.sh': guarded,
    });
    expect(ends(await find())).toEqual({ 'make test': 'green 0' });
    expect(existsSync(precious())).toBe(true);
    expect(existsSync(join(repo.dir, 'Makefile'))).toBe(true);
  });

  test.for([
    ['around the home', ['.', 'scratch']],
    ['below the home', ['home/tmp', 'home/tmp/work']],
    ['that is the home', ['home', 'scratch']],
    ['behind a link', ['link', 'link/scratch']],
  ] as const)('keeps what it promises for a temporary directory %s', async ([, names], context) => {
    const made = await confinement();
    if (!made.protectsHome) context.skip();
    symlinkSync('.', join(repo.root, 'link'));
    const writable = names.map((name) => join(repo.root, name));
    for (const path of writable) mkdirSync(path, { recursive: true });
    const tried = [...writable, join(repo.root, 'home'), repo.dir].map((dir) => join(dir, 'written'));
    const script = 'for each; do touch "$each"; done';
    const [program = '', ...args] = [...made.before(...writable), 'sh', '-c', script, 'sh', ...tried];
    expect(spawnSync(program, args, { cwd: writable[1], encoding: 'utf8' }).status).not.toBe(125);
    expect(tried.map((path) => existsSync(path))).toEqual([
      true,
      true,
      writable.includes(join(repo.root, 'home')),
      false,
    ]);
  });

  test('has no network but its own where the system can take it away', async (context) => {
    if (!(await confinement()).hasNamespaces) context.skip();
    const calls: string[] = [];
    const server = createServer(() => calls.push('called')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    repo.commit({
      Makefile: 'test:\n\tnode x.js\n',
      'x.js': `const net = require('net');\nconst own = net.createServer((s) => s.end()).listen(0, '127.0.0.1', () => net.connect(own.address().port, '127.0.0.1').on('close', () => own.close()).resume());\nnet.connect(${port}, '127.0.0.1').on('connect', () => process.exit(9)).on('error', () => {});\n`,
    });
    expect(ends(await find())).toEqual({ 'make test': 'green 0' });
    expect(calls).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
  });

  test('reaches no socket of the machine where the system can prevent it', async (context) => {
    if (!(await confinement()).hasNamespaces) context.skip();
    const calls: string[] = [];
    const paths = ['s', 'my home'].map((name) => join(repo.root, name));
    const servers = paths.map((path) => createServer(() => calls.push(path)).listen(path));
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const reach = `const net = require('net');
for (const path of ${JSON.stringify(paths)}) net.connect(path).on('connect', () => process.exit(9)).on('error', () => {});
const own = net.createServer((s) => s.end()).listen('own', () => net.connect('own').on('close', () => own.close()).resume());
`;
    repo.commit({ Makefile: 'test:\n\tnode x.js\n', 'x.js': reach });
    // A command line has a limit, and whoever looks for the processes of a socket must not find this one.
    expect((await confinement()).before(scratchDir).join()).not.toContain(paths[1]);
    expect(ends(await find())).toEqual({ 'make test': 'green 0' });
    expect(calls).toEqual([]);
    expect(ends(await find({ confinement: UNCONFINED }))).toEqual({ 'make test': 'red_at_base 2' });
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  test('goes on if a socket is gone by the time of its mount', async (context) => {
    const made = await confinement();
    if (!made.hasNamespaces) context.skip();
    const path = join(repo.root, 'gone');
    const server = createServer().listen(path);
    await once(server, 'listening');
    const bin = join(repo.root, 'bin');
    mkdirSync(bin);
    const real = execFileSync('sh', ['-c', 'command -v mount'], { encoding: 'utf8' }).trim();
    const mount = `#!/bin/sh\nfor last; do :; done\n[ "$last" != ${path} ] || rm ${path}\nexec ${real} "$@"\n`;
    writeFileSync(join(bin, 'mount'), mount, { mode: 0o755 });
    const [program = '', ...args] = [...made.before(scratchDir), 'true'];
    const { status } = spawnSync(program, args, { cwd: scratchDir, env: { PATH: `${bin}:${process.env.PATH}` } });
    expect([status, existsSync(path)]).toEqual([0, false]);
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ['confined', undefined],
    ['without namespaces', UNCONFINED],
  ])('starts Maven and Gradle offline, with a home of their own, %s', async (_, given) => {
    const program = '#!/bin/sh\necho "$0 $*"\necho "$MAVEN_ARGS"\ncat "$GRADLE_USER_HOME/init.d/offline.gradle"\n';
    repo.commit({
      'pom.xml': '<project>\n<artifactId>a</artifactId>\n</project>\n',
      mvnw: program,
      'settings.gradle': 'rootProject.name = "a"\n',
      gradlew: program,
    });
    chmodSync(join(repo.dir, 'mvnw'), 0o755);
    chmodSync(join(repo.dir, 'gradlew'), 0o755);
    repo.commit({});
    const outputs: string[] = [];
    const runCommand: Discover['runCommand'] = async (input) => {
      const end = await startOrAdopt(input);
      outputs.push(readFileSync(end.stdoutPath, 'utf8'));
      return end;
    };
    expect(ends(await find({ runCommand, ...(given ? { confinement: given } : {}) }))).toMatchObject({
      './mvnw -B test': 'green 0',
      './gradlew test': 'green 0',
    });
    const all = outputs.join('');
    expect(all).toMatch(/mvnw -B test -o -Dmaven\.repo\.local=\S*\/scratch\/discover-\S+\/home\/\.m2\/repository/);
    expect(all).toMatch(/gradlew test --offline --no-daemon/);
    expect(all).toContain('-o -Dmaven.repo.local=');
    expect(all).toContain('gradle.startParameter.offline = true');
  });

  test('is shown to a person before anything runs, with what would run', async () => {
    const marker = join(repo.root, 'ran');
    repo.commit({
      'package.json': `{\n"scripts": {\n"pretest": "touch ${marker}",\n"test": "node --test",\n"lint": "rm -rf ~"\n}\n}`,
    });
    const input = { repoDir: repo.dir, scratchDir, confinement: UNCONFINED };
    const { plan, probes, limits } = await planProbes(input);
    expect(probes).toEqual([
      {
        argv: ['npm', 'test'],
        cwd: '.',
        from: { path: 'package.json', line: 4 },
        bodies: [
          { path: 'package.json', line: 3, text: `touch ${marker}` },
          { path: 'package.json', line: 4, text: 'node --test' },
        ],
        unread: ['node'],
      },
    ]);
    expect(limits).toContain('with network: this system cannot take it away');
    expect((await planProbes(input)).plan).toBe(plan);
    expect(existsSync(marker)).toBe(false);
    repo.commit({ 'package.json': '{"scripts": {"test": "node --test", "pretest": "true"}}' });
    expect((await planProbes(input)).plan).not.toBe(plan);
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
    const found = find({ signal: stop.signal, confinement: UNCONFINED }).then(
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
    repo.commit({ Makefile: 'test:\n\ttest -f Makefile\n', '.gitattributes': '* filter=own\n' });
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
  const commit = repo.commit({ Makefile: 'test:\n\ttest -f Makefile\n' });
  repo.commit({ Makefile: 'lint:\n\ttrue\n' });
  expect(ends(await find({ commit }))).toEqual({ 'make test': 'green 0' });
});

test('says what is wrong with a directory that is no repository', async () => {
  await expect(find({ repoDir: repo.root })).rejects.toMatchObject({ code: 'repo_invalid' });
  execFileSync('git', ['init', '-q', join(repo.root, 'empty')]);
  await expect(find({ repoDir: join(repo.root, 'empty') })).rejects.toMatchObject({ code: 'repo_invalid' });
});

describe('a check that cannot fail', () => {
  /** As if the home were read-only: no command of these tests writes there. */
  const all = { cheapMs: 60_000, confinement: { ...UNCONFINED, protectsHome: true } };

  test('never runs where its text says so, and verifies nothing', async () => {
    const marker = join(repo.root, 'ran');
    repo.commit({
      'package.json': `{"scripts": {"test": "touch ${marker} || true"}}`,
      '.gitlab-ci.yml': `test:\n  script:\n    - make lint || echo failed\n    - sh check.sh\n`,
      'check.sh': `set +e\ntouch ${marker}\nexit 0\n`,
    });
    const found = await find(all);
    expect(found.facts.map(({ argv, probe }) => [argv.join(' '), probe.class, probe.reason])).toEqual([
      ['sh -c make lint || echo failed', 'cannot_fail', expect.stringContaining('ends with 0 whatever happens')],
      ['sh check.sh', 'cannot_fail', expect.stringContaining('(check.sh:1)')],
      ['npm --version', 'not_run', expect.anything()],
      ['npm install', 'not_run', expect.anything()],
      ['npm test', 'cannot_fail', expect.stringContaining('(package.json:1)')],
    ]);
    expect([checksOf(found), found.knownRed, existsSync(marker)]).toEqual([[], [], false]);
    const { probes } = await planProbes({ repoDir: repo.dir, scratchDir });
    expect(probes).toEqual([]);
  });

  test('is found by broken files, if it is cheap', async () => {
    repo.commit({
      Makefile:
        'test-blind:\n\tnode -e "console.log(10)"\ntest-code:\n\tnode --check src/a.js\ntest-there:\n\ttest -f src/a.js\n',
      'src/a.js': 'console.log(1);\n',
    });
    expect(ends(await find(all))).toEqual({
      'make test-blind': 'cannot_fail 0',
      'make test-code': 'green 0',
      'make test-there': 'green 0',
    });
    for (const other of [{ cheapMs: 0 }, { confinement: UNCONFINED }, { allowInstall: true }])
      expect(ends(await find({ ...all, ...other }))).toMatchObject({ 'make test-blind': 'green 0' });
  });

  test('is none whose only subject is a script, or settings', async () => {
    repo.commit({
      '.gitlab-ci.yml': 'test:\n  script:\n    - bash -n test.sh\n',
      Makefile: 'test-settings:\n\tgrep -q a .tool/config.ini\n',
      'test.sh': 'test -f src/a.js\n',
      '.tool/config.ini': 'a\n',
      'src/a.js': 'console.log(1);\n',
    });
    expect(ends(await find(all))).toEqual({ 'bash -n test.sh': 'green 0', 'make test-settings': 'green 0' });
  });

  test('leaves nothing broken for the next one when its directory is gone', async () => {
    const step = '      - run: sh ../test.sh\n        working-directory: web\n';
    repo.commit({
      '.github/workflows/ci.yml': `jobs:\n  test:\n    steps:\n${step}`,
      'test.sh': 'node -e "console.log(10)"\n',
      'web/a.js': 'console.log(1);\n',
      Makefile: 'test:\n\ttest -f web/a.js\n',
    });
    expect(ends(await find(all))).toEqual({ 'sh ../test.sh': 'green 0', 'make test': 'green 0' });
  });
});
