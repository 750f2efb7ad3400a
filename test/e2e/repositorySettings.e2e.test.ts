import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { defined } from '../../schemas/defined.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { personsFiles } from '../../schemas/repository/personsFile.ts';
import type { RepositoryView } from '../../schemas/rpc/views/repository.ts';
import { makeDaemon, shareDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, ended, readLog, startRun } from '../helpers/drive.ts';
import { eventually } from '../helpers/eventually.ts';
import { seatRobot } from '../helpers/robot.ts';
import { makeRepo, type TestRepo } from '../helpers/testRepo.ts';
import { deskFor } from './dashboard.ts';

const sharedDaemon = shareDaemon();

const SETTINGS = `template: quick-change@1
backends: { implementer: fake }
worktree:
  setup: [touch made]
`;

function repoWith(daemon: TestDaemon, files: Record<string, string>) {
  const repo = daemon.repo();
  const commit = (more: Record<string, string>) => {
    repo.write(more);
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Settings');
  };
  commit({ '.gitignore': 'made\n', ...files });
  return { ...repo, commit };
}

async function setupOf(daemon: TestDaemon, runId: string): Promise<string[][] | undefined> {
  return (await createdWith(daemon, runId)).setup;
}

async function createdWith(daemon: TestDaemon, runId: string): Promise<{ setup?: string[][]; wrap?: string[] }> {
  const [created] = await readLog(daemon, runId);
  const payload = created?.payload as { setup?: { commands: { argv: string[] }[] }; wrap?: string[] } | undefined;
  return defined({ setup: payload?.setup?.commands.map(({ argv }) => argv), wrap: payload?.wrap });
}

test('without a terminal, nothing runs that nobody allowed, and the answer says so', async () => {
  const daemon = sharedDaemon();
  const repo = repoWith(daemon, { 'devflow.yaml': SETTINGS });
  const start = async (...words: string[]) => {
    const { stdout, code } = await daemon.cli(['run', 'start', '-m', 'Do it.', '--json', ...words], { cwd: repo.dir });
    const started = JSON.parse(stdout);
    if (code !== 0 || words.includes('--dry-run')) return { started, setup: undefined };
    const setup = await setupOf(daemon, started.runId);
    expect(await daemon.call('run.abort', { runId: started.runId })).toMatchObject({ state: 'aborted' });
    return { started, setup };
  };
  const without = await start();
  expect(without.setup).toBeUndefined();
  expect(without.started.warnings).toEqual([
    'The run does without this, because nobody allowed it: run touch made (devflow.yaml:4). Allow it with devflow repository allow, or for one run with --allow-setup.',
  ]);
  expect(without.started.settings.consents).toMatchObject([{ part: 'worktree', state: 'unknown' }]);
  expect((await start('--dry-run')).started).toMatchObject({
    template: 'quick-change@1',
    bindings: [{ roleId: 'implementer', backend: 'fake' }],
    settings: { setup: null },
  });
  expect((await start('--allow-setup')).setup).toEqual([['touch', 'made']]);
  expect((await start()).setup).toBeUndefined();
  const refused = await daemon.cli(['repository', 'allow'], { cwd: repo.dir });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Without a terminal, add --yes.') });
  const allowed = await daemon.cli(['repository', 'allow', '--yes'], { cwd: repo.dir });
  expect(allowed.stdout).toContain('run touch made (devflow.yaml:4)');
  const after = await start();
  expect(after.setup).toEqual([['touch', 'made']]);
  expect(after.started.warnings).toEqual([]);

  repo.commit({ 'devflow.yaml': SETTINGS.replace('touch made', 'touch Made') });
  expect((await start()).setup).toBeUndefined();
  const old = await daemon.cli(['run', 'start', '-m', 'x', '--no-settings', '--dry-run'], { cwd: repo.dir });
  expect(old).toMatchObject({ code: 2, stderr: expect.stringContaining('Name one with --template') });
  const forbidden = await daemon.cli(['repository', 'forbid', '--json'], { cwd: repo.dir });
  expect(JSON.parse(forbidden.stdout).consents).toMatchObject([{ part: 'worktree', state: 'forbidden' }]);
  const never = await start('--allow-setup');
  expect(never.setup).toBeUndefined();
  expect(never.started.warnings).toEqual([]);
});

test('at a terminal devflow asks once: no goes on without it, never is kept, one changed byte asks again', async () => {
  const daemon = sharedDaemon();
  const repo = repoWith(daemon, { 'devflow.yaml': SETTINGS });
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'asked', { columns: 160 });
  await robot.sees('$');
  robot.type(`cd '${repo.dir}'\n`);
  const runs = async () =>
    (await daemon.call('run.list', { limit: 50 })).filter(({ repoPath }) => repoPath === repo.dir);
  let started = 0;
  const begin = (message: string) =>
    robot.type(`clear; ${desk.devflow} run start --parallel -m ${message}; echo "exit $?"\n`);
  /** The set-up of the run that just started; null if none did. */
  const setupOfNext = async () => {
    const all = await runs();
    if (all.length === started) return null;
    started = all.length;
    const runId = all[0]?.runId ?? '';
    const setup = await setupOf(daemon, runId);
    await daemon.call('run.abort', { runId });
    return setup;
  };

  begin('One');
  await robot.sees('run touch made (devflow.yaml:4)');
  await robot.sees('Allow exactly this?');
  robot.press('C-c');
  await robot.sees('Nothing is started.');
  await robot.sees('exit 1');
  expect(await setupOfNext()).toBeNull();

  begin('Two');
  await robot.sees('Allow exactly this?');
  robot.type('n\n');
  await robot.sees('exit 0');
  await expect.poll(async () => (await runs()).length).toBe(started + 1);
  expect(await setupOfNext()).toBeUndefined();

  begin('Three');
  await robot.sees('Allow exactly this?');
  robot.type('yes\n');
  await robot.sees('exit 0');
  await expect.poll(async () => (await runs()).length).toBe(started + 1);
  expect(await setupOfNext()).toEqual([['touch', 'made']]);

  begin('Four');
  await robot.sees('exit 0');
  await expect.poll(async () => (await runs()).length).toBe(started + 1);
  expect(robot.screen().join('\n')).not.toContain('Allow exactly this?');
  expect(await setupOfNext()).toEqual([['touch', 'made']]);

  repo.commit({ 'devflow.yaml': `${SETTINGS}  env: { A: b }\n` });
  begin('Five');
  await robot.sees('set A=b (devflow.yaml:5)');
  robot.type('never\n');
  await robot.sees('exit 0');
  await expect.poll(async () => (await runs()).length).toBe(started + 1);
  expect(await setupOfNext()).toBeUndefined();

  begin('Six');
  await robot.sees('exit 0');
  await expect.poll(async () => (await runs()).length).toBe(started + 1);
  expect(robot.screen().join('\n')).not.toContain('Allow exactly this?');
  expect(await setupOfNext()).toBeUndefined();
});

test('faults stop a start with file and line, and check finds them without a daemon', async () => {
  const daemon = await makeDaemon();
  const repo = repoWith(daemon, { 'devflow.yaml': 'worktree:\n  setpu: [npm ci]\nsandbox: yes\n' });
  const home = daemon.env.DEVFLOW_HOME ?? '';
  mkdirSync(join(home, 'repositories'), { recursive: true });
  const own = join(home, 'repositories', `${repo.dir.split('/').at(-1)}.yaml`);
  writeFileSync(own, 'backends: { implementer: gpt }\n');
  const faults = [
    'devflow.yaml:2:3: worktree.setpu: unknown key setpu; the nearest known one is setup',
    'devflow.yaml:3:1: sandbox: must be off or agents or all, or a map with level, network, read and write',
    `${own}:1:13: backends.implementer: must be one of "codex", "claude", "gemini", "opencode", "fake"`,
  ];
  const checked = await daemon.cli(['repository', 'check'], { cwd: repo.dir });
  expect(checked).toEqual({ code: 1, stdout: `${faults.join('\n')}\n`, stderr: '' });
  await daemon.start();
  const start = (...words: string[]) => daemon.cli(['run', 'start', '-m', 'x', ...words], { cwd: repo.dir });
  const refused = await start();
  expect(refused.code).toBe(2);
  for (const fault of faults) expect(refused.stderr).toContain(fault);
  expect((await start('--template', 'quick-change@1', '--backend', 'implementer=fake')).code).toBe(2);
  const words = ['--template', 'quick-change@1', '--backend', 'implementer=fake', '--no-settings'];
  expect((await start(...words)).code).toBe(0);
  writeFileSync(own, 'template: nobody\n');
  repo.commit({ 'devflow.yaml': 'base: main\n' });
  expect((await start()).stderr).toContain(`It is named in ${own}:1`);
  writeFileSync(own, 'sandbox: off\n');
  repo.commit({ 'devflow.yaml': '' });
  expect(await daemon.cli(['repository', 'check'], { cwd: repo.dir })).toEqual({
    code: 0,
    stdout: `devflow.yaml: valid\n${own}: valid\n`,
    stderr: '',
  });
});

test('what a review does without can be allowed, though no branch has the commit that it compares with', async () => {
  const daemon = sharedDaemon();
  const repo = repoWith(daemon, { 'devflow.yaml': SETTINGS });
  const compared = repo.git('rev-parse', 'HEAD').slice(0, 12);
  repo.git('checkout', '-q', '-b', 'feature');
  repo.commit({ 'devflow.yaml': SETTINGS.replace('made', 'theirs'), 'a.txt': 'a' });
  repo.git('checkout', '-q', 'main');
  repo.commit({ 'devflow.yaml': SETTINGS.replace('made', 'later') });
  const review = async () => {
    const request = { repo: repo.dir, template: 'review@1', requirements: 'x', extra: { review: [['true']] } };
    const change = { base: 'main', head: 'feature' };
    const backend = { reviewer: 'fake', verifier: 'fake' } as const;
    const { warnings, settings } = await daemon.call('run.start', { ...request, change, backend, dryRun: true });
    return { warnings, setup: settings?.setup?.commands.map(({ argv }) => argv) };
  };
  const allow = `devflow repository allow --base ${compared}`;
  expect(await review()).toEqual({ warnings: [expect.stringMatching(`run touch made .* Allow it with ${allow}\\.$`)] });
  await daemon.cli(['repository', 'allow', '--yes'], { cwd: repo.dir });
  expect((await review()).setup).toBeUndefined();
  expect((await daemon.cli([...allow.split(' ').slice(1), '--yes'], { cwd: repo.dir })).code).toBe(0);
  expect(await review()).toEqual({ warnings: [], setup: [['touch', 'made']] });
  const unknown = await daemon.cli(['repository', 'show', '--base', 'nothing'], { cwd: repo.dir });
  expect(unknown.stderr).toContain('The branch nothing does not exist');
});

test("nothing of the person's file for a name runs in a stranger's repository of that name", async () => {
  const daemon = await makeDaemon();
  const [mine, theirs] = ['mine', 'theirs'].map((place) => {
    const repo = makeRepo(join(daemon.root, place, 'app'), daemon.env as Record<string, string>);
    repo.write({ '.gitignore': 'made\n' });
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Settings');
    return repo;
  }) as [TestRepo, TestRepo];
  const { shared } = personsFiles(resolvePaths(daemon.env).configDir, join(mine.dir, '.git'));
  mkdirSync(dirname(shared), { recursive: true });
  writeFileSync(shared, `${SETTINGS}verify: [touch checked]\nwrap: [env]\nsandbox: { level: off, network: on }\n`);
  await daemon.start();
  const allowed = await daemon.cli(['repository', 'allow', '--yes'], { cwd: mine.dir });
  expect(allowed.stdout).toContain(`run touch made (${shared}:4)`);
  const start = async (cwd: string, ...words: string[]) => {
    const { stdout } = await daemon.cli(['run', 'start', '-m', 'Do it.', '--json', ...words], { cwd });
    const { runId, warnings } = JSON.parse(stdout) as { runId: string; warnings: string[] };
    const created = await createdWith(daemon, runId);
    await daemon.call('run.abort', { runId });
    return { ...created, warnings };
  };
  expect(await start(mine.dir)).toEqual({ setup: [['touch', 'made']], wrap: ['env'], warnings: [] });
  const refused = await daemon.cli(['run', 'start', '-m', 'Do it.'], { cwd: theirs.dir });
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('[wrap_undecided]') });
  expect(refused.stderr).toContain(`before you decide about this: start agents with env (${shared}:6)`);
  expect(refused.stderr).toContain('Allow it with devflow repository allow, or for one run with --allow-setup.');
  const forbid = 'devflow repository forbid --only wrap';
  expect(refused.stderr).toContain(`To start without it, run ${forbid}.`);
  expect(await daemon.call('run.list', {})).toMatchObject([{ repoPath: mine.dir }]);
  expect((await daemon.cli(forbid.split(' ').slice(1), { cwd: theirs.dir })).code).toBe(0);
  expect(await start(theirs.dir)).toEqual({
    warnings: [expect.stringMatching(/^The run does without this, .*: run touch made \(.*:4\)\. Allow/)],
  });
  const { stdout } = await daemon.cli(['repository', 'show'], { cwd: theirs.dir });
  const { exact } = personsFiles(resolvePaths(daemon.env).configDir, join(theirs.dir, '.git'));
  expect(stdout).toContain(`${shared} counts in every repository of this name`);
  expect(stdout).toContain(`Rename it to ${basename(exact)}`);
  renameSync(shared, exact);
  expect(await start(theirs.dir)).toEqual({ setup: [['touch', 'made']], wrap: ['env'], warnings: [] });
  const words = ['--template', 'quick-change@1', '--backend', 'implementer=fake'];
  expect(await start(mine.dir, ...words)).toEqual({ warnings: [] });
});

test("nothing of the person's template runs in a stranger's clone that names it before it is allowed", async () => {
  const daemon = await makeDaemon();
  const ran = join(daemon.root, 'ran');
  const template = (version: number, word: string) => {
    const argv = JSON.stringify(['touch', `${ran}${word}`]);
    const phase = `{ key: check, title: Check, kind: command, risk: low, commands: [{ argv: ${argv} }] }`;
    const file = join(daemon.env.DEVFLOW_HOME ?? '', 'templates', `mine@${version}.yaml`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `name: mine\nversion: ${version}\nroles: []\nphases:\n  - ${phase}\n`);
  };
  template(1, 'One');
  const repo = repoWith(daemon, { 'devflow.yaml': 'template: mine\n' });
  await daemon.start();
  const begin = (...words: string[]) =>
    daemon.cli(['run', 'start', '--parallel', '-m', 'Do it.', ...words, '--json'], { cwd: repo.dir });
  const allow = (...words: string[]) => daemon.cli(['repository', 'allow', '--yes', ...words], { cwd: repo.dir });
  const line = (word: string, version: number) =>
    `in phase check run touch ${ran}${word} (template mine@${version}, devflow.yaml:1)`;
  const refused = async (word: string, version: number) => {
    const { code, stdout, stderr } = await begin();
    expect(code).toBe(5);
    expect(`${stdout}${stderr}`).toContain('template_not_allowed');
    expect(`${stdout}${stderr}`).toContain(line(word, version));
    expect(await daemon.call('run.list', { limit: 50 })).toHaveLength(started);
    expect(existsSync(`${ran}${word}`)).toBe(false);
  };
  let started = 0;
  const runs = async (...words: string[]) => {
    const { stdout } = await begin(...words);
    started += 1;
    const { runId, warnings } = JSON.parse(stdout) as { runId: string; warnings: string[] };
    expect(await ended(daemon, runId)).toMatchObject({ state: 'completed' });
    return warnings;
  };

  await refused('One', 1);
  const shown = await daemon.cli(['repository', 'show'], { cwd: repo.dir });
  expect(shown.stdout).toContain(line('One', 1));
  const dry = JSON.parse((await begin('--dry-run')).stdout);
  expect(dry.settings.consents).toMatchObject([{ part: 'template', state: 'unknown', lines: [line('One', 1)] }]);
  expect(dry.warnings).toEqual([
    expect.stringContaining('Allow it with devflow repository allow, or for one run with'),
  ]);

  await runs('--template', 'mine');
  expect(existsSync(`${ran}One`)).toBe(true);
  rmSync(`${ran}One`);
  await refused('One', 1);
  await runs('--allow-setup');
  rmSync(`${ran}One`);
  await refused('One', 1);
  expect((await allow('--only', 'template')).stdout).toContain(line('One', 1));
  expect(await runs()).toEqual([]);
  expect(existsSync(`${ran}One`)).toBe(true);

  template(2, 'one');
  await eventually(async () =>
    expect((await daemon.call('template.list', {})).map(({ version }) => version)).toContain(2),
  );
  await refused('one', 2);
  await daemon.cli(['repository', 'forbid'], { cwd: repo.dir });
  expect((await begin('--allow-setup')).code).toBe(5);
  await daemon.stop();
  expect((await allow()).stdout).toContain(line('one', 2));
  await daemon.start();
  expect(await runs()).toEqual([]);
  expect(existsSync(`${ran}one`)).toBe(true);
});

test('at a terminal devflow asks about the commands of a template, and starts nothing without a yes', async () => {
  const daemon = sharedDaemon();
  const file = join(daemon.env.DEVFLOW_HOME ?? '', 'templates', 'asked@1.yaml');
  mkdirSync(dirname(file), { recursive: true });
  const phase = '{ key: check, title: Check, kind: command, risk: low, commands: [{ argv: ["true"] }] }';
  writeFileSync(file, `name: asked\nversion: 1\nroles: []\nphases:\n  - ${phase}\n`);
  await eventually(async () =>
    expect((await daemon.call('template.list', {})).map(({ name }) => name)).toContain('asked'),
  );
  const repo = repoWith(daemon, { 'devflow.yaml': 'template: asked\n' });
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'templates', { columns: 160 });
  await robot.sees('$');
  robot.type(`cd '${repo.dir}'\n`);
  const begin = () => robot.type(`clear; ${desk.devflow} run start --parallel -m Go; echo "exit $?"\n`);
  begin();
  await robot.sees('in phase check run true (template asked@1, devflow.yaml:1)');
  await robot.sees('Allow exactly this? yes, no (start nothing), never');
  robot.type('n\n');
  await robot.sees('Nothing is started.');
  await robot.sees('exit 1');
  begin();
  await robot.sees('Allow exactly this?');
  robot.type('yes\n');
  await robot.sees('exit 0');
});

test('show says what holds and from where, with and without a daemon', async () => {
  const daemon = await makeDaemon();
  const manifest = { scripts: { test: 'node --test' }, devDependencies: { x: '1' } };
  const repo = repoWith(daemon, {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': '{}',
    'devflow.yaml': 'base: main\n',
  });
  const show = () => daemon.cli(['repository', 'show', '--json'], { cwd: repo.dir });
  const alone = await show();
  await daemon.start();
  expect((await show()).stdout).toBe(alone.stdout);
  const view = JSON.parse(alone.stdout) as RepositoryView;
  expect(view.rows).toEqual([
    { key: 'template', value: 'quick-change', from: 'guess' },
    { key: 'base', value: 'main', from: 'devflow.yaml', line: 1 },
    { key: 'verify', value: [['npm', 'test']], from: 'guess', why: 'package.json:1' },
    { key: 'worktree.setup', value: [['npm', 'ci']], from: 'guess', why: 'package-lock.json' },
    { key: 'worktree.again', value: ['package-lock.json'], from: 'guess', why: 'package-lock.json' },
  ]);
  const { stdout } = await daemon.cli(['repository', 'show'], { cwd: repo.dir });
  expect(stdout).toMatch(/worktree\.setup +guess: package-lock\.json +npm ci/);
  expect(stdout).toMatch(/not allowed yet\n {2}run npm ci \(guess: package-lock\.json\)/);
});

test('an agent and a command of a run cannot allow', async () => {
  const daemon = sharedDaemon();
  const repo = repoWith(daemon, { 'devflow.yaml': SETTINGS });
  const { cliProgram, env } = daemon;
  const allow = ['repository', 'allow', '--yes', '--repo', repo.dir];
  const acting = ['env', `DEVFLOW_HOME=${env.DEVFLOW_HOME}`, cliProgram, ...allow];
  const runId = await startRun(daemon, { repo: repo.dir, extra: { verify: [acting] } });
  await drive(daemon, runId, { stopAt: ({ payload }) => payload.gateKey === 'changes_approved' });
  const [open] = await daemon.call('approval.list', { runId });
  const { commands } = await daemon.call('approval.get', { approvalId: open?.id ?? '' });
  expect(readFileSync(commands[0]?.stderrPath ?? '', 'utf8')).toContain('[agent_may_not_decide]');
  const [session] = await daemon.call('session.list', { runId });
  Object.assign(daemon.env, { DEVFLOW_AGENT: session?.sessionId ?? '' });
  for (const words of [allow, ['repository', 'forbid', '--repo', repo.dir]])
    expect(await daemon.cli(words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[agent_may_not_decide]'),
    });
  delete daemon.env.DEVFLOW_AGENT;
  const view = await daemon.call('repository.show', { repo: repo.dir });
  expect(view.consents).toMatchObject([{ part: 'worktree', state: 'unknown' }]);
  await daemon.call('run.abort', { runId });
  await ended(daemon, runId);
});

test('an agent of a stopped daemon cannot allow either', async () => {
  const daemon = await makeDaemon();
  const repo = repoWith(daemon, { 'devflow.yaml': SETTINGS });
  Object.assign(daemon.env, { DEVFLOW_AGENT: '00000000-0000-4000-8000-000000000000' });
  expect(await daemon.cli(['repository', 'allow', '--yes'], { cwd: repo.dir })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('[agent_may_not_decide]'),
  });
});

test('init writes a proposal, tries it, and shows the time and what passed', async () => {
  const daemon = sharedDaemon();
  const manifest = { scripts: { test: 'test -e node_modules/made' }, devDependencies: { x: '1' } };
  const lock = { name: 'x', lockfileVersion: 3, packages: { '': { devDependencies: { x: '1' } } } };
  const repo = repoWith(daemon, {
    '.gitignore': 'node_modules\n',
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify(lock),
  });
  repo.write({ 'node_modules/made': '', 'node_modules/.package-lock.json': '{"packages":{}}' });
  const init = (...words: string[]) => daemon.cli(['repository', 'init', ...words], { cwd: repo.dir });
  const tried = await init('--yes');
  expect(tried.code).toBe(0);
  expect(tried.stdout).toMatch(
    /Set up in \S+.*\.\nFrom your checkout: node_modules \(cloned\)\npassed in .*: npm test\n$/s,
  );
  expect(readFileSync(join(repo.dir, 'devflow.yaml'), 'utf8')).toContain('  clone:\n    - node_modules\n');
  const unread = JSON.stringify({ repo: repo.dir, try: true, hashes: [] });
  expect((await daemon.cli(['rpc', 'repository.init', unread])).stderr).toContain('[settings_changed]');
  expect(await init('--no-try')).toMatchObject({ code: 5, stderr: expect.stringContaining('[file_exists]') });
  expect(await daemon.cli(['repository', 'check'], { cwd: repo.dir })).toMatchObject({
    code: 0,
    stdout: 'devflow.yaml: valid\n',
  });
  repo.git('clean', '-fdq');
  expect(await init()).toMatchObject({ code: 0, stderr: expect.stringContaining('It is not tried') });
  expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
});

test('a message alone is enough: template, backends, set-up and checks come from the settings', async () => {
  const daemon = sharedDaemon();
  const repo = repoWith(daemon, {
    'devflow.yaml': `template: quick-change@2
backends: { implementer: fake, reviewer: fake, verifier: fake }
verify: ["sh -c 'made-by-setup && test $URL = http://localhost:$PORT'"]
worktree:
  setup:
    - sh -c 'mkdir made; printf "#!/bin/sh\\ngrep -qx $PORT made/port" >made/made-by-setup; chmod +x made/*; echo $PORT >made/port'
  ports: [PORT]
  env: { URL: "http://localhost:$PORT", PATH: "$DEVFLOW_WORKTREE/made:$PATH" }
`,
  });
  const { stdout } = await daemon.cli(['run', 'start', '-m', 'Do it.', '--allow-setup', '--json'], { cwd: repo.dir });
  const { runId } = JSON.parse(stdout);
  await drive(daemon, runId);
  const run = await ended(daemon, runId);
  expect(run).toMatchObject({ state: 'completed', template: 'quick-change@2' });
  const events = await readLog(daemon, runId);
  const ends = events.filter(({ type }) => type === 'command.completed' || type === 'command.failed');
  expect(ends.map(({ type }) => type)).toEqual(ends.map(() => 'command.completed'));
  expect(ends.length).toBeGreaterThan(1);
});
