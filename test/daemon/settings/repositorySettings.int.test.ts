import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRepositoryMethods } from '../../../daemon/api/repositories/repositoryMethods.ts';
import { checkSettings } from '../../../daemon/settings/checkSettings.ts';
import { repositoryViewOf } from '../../../daemon/settings/repositorySettings.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';
import { givenSettings as given } from './givenSettings.ts';

const NPM = JSON.stringify({ scripts: { test: 'vitest' }, devDependencies: { vitest: '3' } });
const NODE = { 'package.json': NPM, 'package-lock.json': '{}\n', '.gitignore': 'node_modules\n.env\n' };

test('nothing is set up before a person allows it, and everything after', async () => {
  const { settings, at } = given(NODE);
  const before = await settings.settle(at);
  expect(before.consents.map(({ part, state, lines }) => [part, state, ...lines])).toEqual([
    ['worktree', 'unknown', 'run npm ci (guess: package-lock.json)'],
    ['verify', 'unknown', 'check with npm test (guess: package.json:1)'],
  ]);
  expect(before.setup).toBeUndefined();
  expect(before.allowed).toEqual({ template: 'quick-change', worktree: { again: ['package-lock.json'] } });
  const after = await settings.decide(at, 'allowed');
  expect(after.setup).toMatchObject({
    isGuess: true,
    commands: [{ argv: ['npm', 'ci'] }],
    again: ['package-lock.json'],
  });
  expect((await settings.settle(at)).allowed.verify).toEqual([['npm', 'test']]);
});

describe('one changed byte asks again, for', () => {
  test.each([
    ['a command', 'worktree: { setup: [make deps] }', 'worktree: { setup: [make dep] }', 'worktree'],
    ['a check', 'verify: [npm test]', 'verify: [npm test -- --run]', 'verify'],
    ['a variable', 'worktree: { env: { A: x } }', 'worktree: { env: { A: y } }', 'worktree'],
    ['a file that is copied', 'worktree: { copy: [.env] }', 'worktree: { copy: [.env2] }', 'worktree'],
    ['the order of commands', 'worktree: { setup: [a, b] }', 'worktree: { setup: [b, a] }', 'worktree'],
    ['words before an agent', 'wrap: [firejail]', 'wrap: [firejai1]', 'wrap'],
  ])('%s', async (_, first, second, part) => {
    const { settings, at, commit } = given({ 'devflow.yaml': first });
    const stateOf = async () => (await settings.settle(at)).consents.find((each) => each.part === part)?.state;
    await settings.decide(at, 'allowed');
    expect(await stateOf()).toBe('allowed');
    commit({ 'devflow.yaml': second });
    expect(await stateOf()).toBe('unknown');
    commit({ 'devflow.yaml': `# another comment\n${first}` });
    expect(await stateOf()).toBe('allowed');
  });
});

test('settings come from the base commit, and never from the checkout or a worktree', async () => {
  const { settings, at, repo, commit } = given({ 'devflow.yaml': 'verify: [one]\n' });
  repo.write({ 'devflow.yaml': 'verify: [two]\n' });
  expect((await settings.settle(at)).resolved.merged.settings.verify).toEqual([['one']]);
  repo.git('checkout', '-q', '-b', 'other');
  commit({ 'devflow.yaml': 'verify: [three]\nbase: main\n' });
  const named = await settings.settle(at);
  expect(named.resolved.baseBranch).toBe('main');
  expect(named.resolved.merged.settings.verify).toEqual([['one']]);
  expect((await settings.settle({ ...at, base: 'other' })).resolved.merged.settings.verify).toEqual([['three']]);
});

test('without a branch that is checked out, the settings of the commit can name one', async () => {
  const { settings, at, repo, commit, own } = given({ 'devflow.yaml': 'verify: [one]\n' });
  repo.git('checkout', '-q', '--detach');
  expect((await settings.settle(at)).resolved).toMatchObject({ baseBranch: null, hasFile: true });
  commit({ 'devflow.yaml': 'verify: [two]\nbase: main\n' });
  const { resolved } = await settings.settle(at);
  expect(resolved.baseBranch).toBe('main');
  expect(resolved.merged.settings.verify).toEqual([['one']]);
  own('verify: []\nbase: gone\n');
  await expect(settings.settle(at)).rejects.toMatchObject({
    code: 'branch_missing',
    message: expect.stringMatching(
      /The branch gone does not exist in .*\. It is named in .*\/repositories\/thing-\w{8}\.yaml:2\.$/,
    ),
  });
  own('');
  commit({ 'devflow.yaml': 'base: nothing\n' });
  await expect(settings.settle(at)).rejects.toMatchObject({
    code: 'branch_missing',
    message: expect.stringMatching(/The branch nothing does not exist in .*\. It is named in devflow\.yaml:1\.$/),
  });
});

test("the person's file for the repository alone wins and needs no consent", async () => {
  const { settings, at, own } = given({
    ...NODE,
    'devflow.yaml': 'verify: [npm run theirs]\nbackends: { implementer: claude }\n',
  });
  own('verify: [npm run mine]\nbase: main\nworktree: { setup: [make mine] }\n');
  const { allowed, consents, setup, resolved } = await settings.settle(at);
  expect(allowed.verify).toEqual([['npm', 'run', 'mine']]);
  expect(allowed.backends).toEqual({ implementer: 'claude' });
  expect(setup).toMatchObject({ isGuess: false, commands: [{ argv: ['make', 'mine'] }] });
  expect(consents).toEqual([]);
  expect(repositoryViewOf(await settings.settle(at)).rows.find(({ key }) => key === 'worktree.setup')).toMatchObject({
    from: resolved.person.path,
    line: 3,
  });
});

test('two repositories of one name have files of their own', async () => {
  const { settings, at, own, shared } = given({});
  shared('template: usual\n');
  expect((await settings.settle(at)).allowed.template).toBe('usual');
  own('template: exact\n');
  expect((await settings.settle(at)).allowed.template).toBe('exact');
});

describe("the person's file for a name", () => {
  const RUNS = `template: mine
backends: { implementer: codex }
verify: [make check]
worktree: { copy: [.env], setup: [make deps], env: { A: b }, again: [Makefile] }
agents: { claude: { mcp: [db] } }
wrap: [firejail]
sandbox: { level: agents, read: [~/.ssh] }
`;
  const MCP = JSON.stringify({ mcpServers: { db: { command: 'db' } } });

  test('runs nothing and gives no rights in a repository before a person allowed it there', async () => {
    const { settings, at, shared, places, root } = given({ '.mcp.json': MCP });
    shared(RUNS);
    const before = await settings.settle(at);
    const line = (text: string, nth: number) => `${text} (${places.shared}:${nth})`;
    expect(before.consents.map(({ part, state, lines }) => [part, state, ...lines])).toEqual([
      ['worktree', 'unknown', line('copy .env', 4), line('run make deps', 4), line('set A=b', 4)],
      ['verify', 'unknown', line('check with make check', 3)],
      ['sandbox', 'unknown', line('set the sandbox to {"level":"agents","read":["~/.ssh"]}', 7)],
      ['wrap', 'unknown', line('start agents with firejail', 6)],
      ['agents', 'unknown', expect.stringContaining('claude server db')],
    ]);
    const harmless = { template: 'mine', backends: { implementer: 'codex' }, sandbox: 'agents' };
    expect(before.allowed).toEqual({ ...harmless, worktree: { again: ['Makefile'], env: {} } });
    expect([before.setup, before.agentRights]).toEqual([undefined, undefined]);

    const after = await settings.decide(at, 'allowed');
    expect(after.allowed).toMatchObject({
      verify: [['make', 'check']],
      wrap: ['firejail'],
      sandbox: { level: 'agents', read: ['~/.ssh'] },
    });
    expect(after.setup).toMatchObject({ commands: [{ argv: ['make', 'deps'] }], copy: ['.env'], env: { A: 'b' } });
    expect(after.agentRights).toBeDefined();
    expect((await settings.settle(at)).consents.every(({ state }) => state === 'allowed')).toBe(true);

    const theirs = makeRepo(join(root, 'elsewhere/thing'), isolatedEnv(join(root, 'home')));
    theirs.write({ '.mcp.json': MCP });
    theirs.git('add', '-A');
    theirs.git('commit', '-qm', 'Theirs');
    const strangers = await settings.settle({ repo: theirs.dir });
    expect(strangers.resolved.person.path).toBe(places.shared);
    expect(strangers.consents.map(({ state }) => state)).toEqual(Array(5).fill('unknown'));
    expect(strangers.allowed).toEqual(before.allowed);
    expect([strangers.setup, strangers.agentRights]).toEqual([undefined, undefined]);
  });

  test('is replaced by an empty file for the repository alone', async () => {
    const { settings, at, own, shared } = given({ 'devflow.yaml': 'verify: [npm test]\n' });
    shared('verify: [make check]\n');
    await settings.decide(at, 'forbidden');
    expect((await settings.settle(at)).allowed.verify).toBeUndefined();
    own('');
    expect((await settings.settle(at)).consents).toMatchObject([{ part: 'verify', state: 'unknown' }]);
    expect((await settings.decide(at, 'allowed')).allowed.verify).toEqual([['npm', 'test']]);
  });

  test('makes the sandbox weaker only once that is allowed, and stronger at once', async () => {
    const { settings, at, shared } = given({}, { sandbox: 'agents', backends: {} } as never);
    shared('sandbox: off\n');
    expect((await settings.settle(at)).allowed.sandbox).toBe('agents');
    expect((await settings.decide({ ...at, part: 'sandbox' }, 'allowed')).allowed.sandbox).toBe('off');
    expect((await settings.decide(at, 'forbidden')).allowed.sandbox).toBe('agents');
    shared('sandbox: all\n');
    expect(await settings.settle(at)).toMatchObject({ consents: [], allowed: { sandbox: 'all' } });
  });

  test('is named by check where it needs consent because of the defaults', async () => {
    const { settings, at, shared, places, paths, findTemplate } = given({});
    const config = { defaults: { sandbox: 'all', backends: {} }, gates: { auto: [] } } as never;
    const { 'repository.check': check } = createRepositoryMethods({ settings, paths, config, findTemplate });
    shared('sandbox: agents\n');
    const note = expect.stringContaining('counts in every repository of this name');
    expect(await check(at)).toEqual({ files: [{ file: places.shared, where: 'person', faults: [], note }] });
  });

  test('is named by check where it needs consent, with the name that needs none', async () => {
    const { at, own, shared, places, configDir } = given({});
    shared('verify: [make check]\n');
    const note = `${places.shared} counts in every repository of this name, so devflow asks in each about what it runs. Rename it to ${basename(places.exact)} for this one alone: then devflow does not ask.`;
    expect(await checkSettings(at, { configDir })).toEqual([
      { file: places.shared, where: 'person', faults: [], note },
    ]);
    own('verify: [make check]\n');
    expect(await checkSettings(at, { configDir })).toEqual([{ file: places.exact, where: 'person', faults: [] }]);
    rmSync(places.exact);
    shared('template: mine\n');
    expect(await checkSettings(at, { configDir })).toEqual([{ file: places.shared, where: 'person', faults: [] }]);
  });
});

test('defaults of the person are weaker than files and stronger than guesses', async () => {
  const { settings, at, commit } = given({}, { template: 'mine', backends: { reviewer: 'codex' } } as never);
  expect((await settings.settle(at)).allowed).toMatchObject({ template: 'mine', backends: { reviewer: 'codex' } });
  commit({ 'devflow.yaml': 'template: theirs\n' });
  expect((await settings.settle(at)).allowed).toMatchObject({ template: 'theirs', backends: { reviewer: 'codex' } });
});

test('rules for gates are the person’s, and the file for the repository alone replaces those of config.yaml', async () => {
  const rule = { gate: 'spec_approved', if: ['no_open_questions' as const] };
  const { settings, at, own, shared, commit, places } = given({}, undefined, [rule]);
  expect(await settings.settle(at)).toMatchObject({ consents: [], allowed: { gates: { auto: [rule] } } });
  const other = 'gates: { auto: [{ gate: plan_approved, if: [{ diff_below: 5 }] }] }\n';
  shared(other);
  await expect(settings.settle(at)).rejects.toThrow('counts in every repository of this name; put it into config.yaml');
  rmSync(places.shared);
  own(other);
  const replaced = { auto: [{ gate: 'plan_approved', if: [{ diff_below: 5 }] }] };
  expect((await settings.settle(at)).allowed.gates).toEqual(replaced);
  own('gates: { auto: [] }\n');
  expect((await settings.settle(at)).allowed.gates).toEqual({ auto: [] });
  rmSync(places.exact);
  commit({ 'devflow.yaml': other });
  await expect(settings.settle(at)).rejects.toThrow('gates.auto: decides at gates, which only you may do');
});

test('lines of .worktreeinclude are copied once a person allows it', async () => {
  const { settings, at } = given({ '.worktreeinclude': '# files\n.env\n\n!.env.production\n' });
  expect((await settings.settle(at)).consents[0]?.lines).toEqual([
    'copy .env (.worktreeinclude)',
    'copy !.env.production (.worktreeinclude)',
  ]);
  expect((await settings.settle(at)).setup).toBeUndefined();
  expect((await settings.decide(at, 'allowed')).setup?.copy).toEqual(['.env', '!.env.production']);
});

test('refuses to allow something else than what the person read', async () => {
  const { settings, at, commit } = given({ 'devflow.yaml': 'verify: [one]\n' });
  const hashes = (await settings.settle(at)).consents.map(({ hash }) => hash);
  commit({ 'devflow.yaml': 'verify: [two]\n' });
  await expect(settings.decide({ ...at, hashes }, 'allowed')).rejects.toMatchObject({ code: 'settings_changed' });
});

test('what is forbidden stays so, also where everything else is allowed for once', async () => {
  const { settings, at } = given(NODE);
  const verify = (await settings.settle(at)).consents.find(({ part }) => part === 'verify');
  await settings.decide({ ...at, hashes: [verify?.hash ?? ''] }, 'forbidden');
  const { allowed, setup } = await settings.settle(at, { allowAll: true });
  expect(allowed.verify).toBeUndefined();
  expect(setup?.commands).toHaveLength(1);
  expect((await settings.settle(at)).setup).toBeUndefined();
});

test('a decision can be about one part alone', async () => {
  const { settings, at } = given(NODE);
  const statesAfter = async (part: 'worktree' | 'verify', decision: 'allowed' | 'forbidden') =>
    Object.fromEntries(
      (await settings.decide({ ...at, part }, decision)).consents.map((each) => [each.part, each.state]),
    );
  expect(await statesAfter('worktree', 'forbidden')).toEqual({ worktree: 'forbidden', verify: 'unknown' });
  expect(await statesAfter('verify', 'allowed')).toEqual({ worktree: 'forbidden', verify: 'allowed' });
  expect((await settings.settle(at, { allowAll: true })).setup).toBeUndefined();
});

describe('faults', () => {
  test('stop a start, with file and line of each', async () => {
    const { settings, at, own, places } = given({ 'devflow.yaml': 'verfy: []\nverify: x\n' });
    own('template: 3\n');
    const message = [
      'devflow.yaml:1:1: verfy: unknown key verfy; the nearest known one is verify',
      'devflow.yaml:2:1: verify: must be a list',
      `${places.exact}:1:1: template: must be a text.`,
    ].join('; ');
    await expect(settings.settle(at)).rejects.toMatchObject({ code: 'settings_invalid', message });
  });

  test('of a committed link, a directory, bytes and a large file are named', async () => {
    const { settings, at, repo, root } = given({});
    const message = async () =>
      settings.settle(at).then(
        () => 'none',
        (error) => error.message,
      );
    symlinkSync('/etc/passwd', join(repo.dir, 'devflow.yaml'));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'link');
    expect(await message()).toBe('devflow.yaml: the file is a link.');
    repo.git('rm', '-q', 'devflow.yaml');
    repo.write({ 'devflow.yaml/x': '' });
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'directory');
    expect(await message()).toBe('devflow.yaml: this is not a file.');
    repo.git('rm', '-rq', 'devflow.yaml');
    writeFileSync(join(repo.dir, 'devflow.yaml'), Buffer.from([0x61, 0xff, 0x3a]));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'bytes');
    expect(await message()).toBe('devflow.yaml: the file is not UTF-8 text.');
    writeFileSync(join(repo.dir, 'devflow.yaml'), '# x\n'.repeat(100_000));
    repo.git('commit', '-qam', 'large');
    expect(await message()).toBe('devflow.yaml: the file is larger than 262144 bytes.');
    expect(existsSync(root)).toBe(true);
  });

  test('check reads the checkout as it is, the base commit and the file of the person', async () => {
    const { at, own, repo, configDir, places } = given({ 'devflow.yaml': 'verfy: []\n' });
    repo.write({ 'devflow.yaml': 'verify: []\n' });
    own('base: 1\n');
    expect(await checkSettings(at, { configDir })).toEqual([
      { file: 'devflow.yaml', where: 'checkout', faults: [] },
      {
        file: 'devflow.yaml',
        where: 'base',
        faults: ['devflow.yaml:1:1: verfy: unknown key verfy; the nearest known one is verify'],
      },
      {
        file: places.exact,
        where: 'person',
        faults: [expect.stringContaining('1:1: base: must be a text')],
      },
    ]);
  });

  test('check reads the file of the branch that the settings name, as a start does', async () => {
    const { at, repo, commit, configDir } = given({ 'devflow.yaml': 'base: main\nverfy: []\n' });
    repo.git('checkout', '-qb', 'work');
    commit({ 'devflow.yaml': 'base: main\n' });
    expect((await checkSettings(at, { configDir })).map(({ where, faults }) => [where, ...faults])).toEqual([
      ['checkout'],
      ['base', 'devflow.yaml:2:1: verfy: unknown key verfy; the nearest known one is verify'],
    ]);
    repo.git('checkout', '-q', '--detach');
    repo.git('branch', '-qD', 'main', 'work');
    expect(await checkSettings(at, { configDir })).toEqual([{ file: 'devflow.yaml', where: 'checkout', faults: [] }]);
  });

  test('check refuses the same bytes in each file, and ignores a byte order mark', async () => {
    const { at, repo, configDir, places } = given({ 'devflow.yaml': '\ufeffverify: []\n' });
    expect(await checkSettings(at, { configDir })).toEqual([{ file: 'devflow.yaml', where: 'checkout', faults: [] }]);
    const person = places.exact;
    for (const file of [join(repo.dir, 'devflow.yaml'), person])
      writeFileSync(file, Buffer.from('template: "r\xe4"\n', 'latin1'));
    const found = await checkSettings(at, { configDir });
    expect(found.map(({ where, faults }) => [where, ...faults])).toEqual([
      ['checkout', 'devflow.yaml: the file is not UTF-8 text'],
      ['base'],
      ['person', `${person}: the file is not UTF-8 text`],
    ]);
  });

  test('check names commands that devflow will not run', async () => {
    const { at, own, configDir, places } = given({
      'devflow.yaml': 'worktree:\n  setup:\n    - cp .env.example .env\n    - rm -rf dist\n  teardown: [cp a .env]\n',
    });
    own('worktree: { setup: [cat .env] }\n');
    expect(await checkSettings(at, { configDir })).toEqual([
      {
        file: 'devflow.yaml',
        where: 'checkout',
        faults: [
          expect.stringMatching(/^devflow\.yaml:4: worktree\.setup\.1: devflow will not run "rm -rf dist": /),
          expect.stringMatching(/^devflow\.yaml:5: worktree\.teardown\.0: devflow will not run "cp a \.env": /),
        ],
      },
      {
        file: places.exact,
        where: 'person',
        faults: [expect.stringMatching(/:1: worktree\.setup\.0: devflow will not run "cat \.env": /)],
      },
    ]);
  });

  test('check waits for no pipe and follows no link', async () => {
    const { at, repo, configDir } = given({});
    execFileSync('mkfifo', [join(repo.dir, 'devflow.yaml')]);
    expect(await checkSettings(at, { configDir })).toEqual([
      { file: 'devflow.yaml', where: 'checkout', faults: ['devflow.yaml: this is not a regular file'] },
    ]);
  });
});

describe('consents.json', () => {
  const NOBODY = 65_534;
  const good = { version: 1, consents: [] };
  test.skipIf(process.getuid?.() !== 0)('of another user counts for nothing', async () => {
    const { settings, at, consents } = given(NODE);
    await settings.decide(at, 'allowed');
    execFileSync('chown', [String(NOBODY), consents]);
    await expect(settings.settle(at)).rejects.toMatchObject({
      code: 'consents_unusable',
      message: expect.stringContaining('another user'),
    });
  });

  test.each<[string, string, (file: string, root: string) => void]>([
    ['that others may write to', 'other users may write', (file) => chmodSync(file, 0o666)],
    [
      'that is a link',
      'the file is a link',
      (file, root) => {
        writeFileSync(join(root, 'elsewhere'), readFileSync(file));
        rmSync(file);
        symlinkSync(join(root, 'elsewhere'), file);
      },
    ],
    [
      'that is a pipe',
      'not a regular file',
      (file) => {
        rmSync(file);
        execFileSync('mkfifo', [file]);
      },
    ],
    ['of 50 MB', 'larger than', (file) => truncateSync(file, 50_000_000)],
    ['that is cut', 'not JSON', (file) => truncateSync(file, 40)],
    [
      'of another form',
      'does not have the form',
      (file) => writeFileSync(file, JSON.stringify({ ...good, version: 2 })),
    ],
    [
      'with more keys',
      'does not have the form',
      (file) => writeFileSync(file, JSON.stringify({ ...good, all: 'allowed' })),
    ],
  ])('%s counts for nothing and is named', async (_, fault, spoil) => {
    const { settings, at, consents, root } = given(NODE);
    await settings.decide(at, 'allowed');
    spoil(consents, root);
    const refused = {
      code: 'consents_unusable',
      message: expect.stringMatching(`${consents}: .*${fault}.* Nothing in it counts`),
    };
    await expect(settings.settle(at)).rejects.toMatchObject(refused);
    await expect(settings.decide(at, 'allowed')).rejects.toMatchObject(refused);
  });

  test('is readable for its owner alone, and says what was read', async () => {
    const { settings, at, consents } = given({ 'devflow.yaml': 'verify: [x]\n' });
    await settings.decide(at, 'allowed');
    expect(statSync(consents).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(consents, 'utf8')).consents).toMatchObject([
      { part: 'verify', decision: 'allowed', lines: ['check with x (devflow.yaml:1)'] },
    ]);
  });

  test('a later decision replaces an earlier one', async () => {
    const { settings, at, consents } = given({ 'devflow.yaml': 'verify: [x]\n' });
    await settings.decide(at, 'forbidden');
    await settings.decide(at, 'allowed');
    expect(JSON.parse(readFileSync(consents, 'utf8')).consents).toHaveLength(1);
    expect((await settings.settle(at)).consents[0]?.state).toBe('allowed');
  });

  test('is not read for a repository that needs no consent', async () => {
    const { settings, at, consents } = given({});
    mkdirSync(join(consents, '..'), { recursive: true });
    writeFileSync(consents, 'broken');
    expect((await settings.settle(at)).consents).toEqual([]);
  });
});

describe('an installed directory of the checkout', () => {
  const lock = (version: string) =>
    JSON.stringify({ lockfileVersion: 3, packages: { '': {}, 'node_modules/a': { version, integrity: 'x' } } });
  const installed = (version: string) =>
    JSON.stringify({ packages: { 'node_modules/a': { version, integrity: 'x' } } });

  async function clonesOf(prepare: (dir: string) => void): Promise<unknown> {
    const { settings, at, repo } = given({ ...NODE, 'package-lock.json': lock('1') });
    repo.write({ 'node_modules/.package-lock.json': installed('1') });
    prepare(repo.dir);
    const { setup } = await settings.settle(at, { allowAll: true });
    return { clone: setup?.clone, unless: setup?.commands[0]?.unlessCloned };
  }

  test('is cloned if it belongs to the lock file of the base commit', async () => {
    expect(await clonesOf(() => {})).toEqual({
      clone: ['/node_modules'],
      unless: { directory: 'node_modules', lock: 'package-lock.json' },
    });
  });

  test.each<[string, (dir: string) => void]>([
    ['the lock file of the checkout differs', (dir) => writeFileSync(join(dir, 'package-lock.json'), lock('2'))],
    [
      'it was installed from another one',
      (dir) => writeFileSync(join(dir, 'node_modules/.package-lock.json'), installed('0')),
    ],
    ['a package is missing', (dir) => writeFileSync(join(dir, 'node_modules/.package-lock.json'), '{"packages":{}}')],
    [
      'it is a link',
      (dir) => {
        rmSync(join(dir, 'node_modules'), { recursive: true });
        symlinkSync('/tmp', join(dir, 'node_modules'));
      },
    ],
    ['it is not there', (dir) => rmSync(join(dir, 'node_modules'), { recursive: true })],
  ])('is installed anew if %s', async (_, prepare) => {
    expect(await clonesOf(prepare)).toEqual({ clone: [], unless: undefined });
  });
});
