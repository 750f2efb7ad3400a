import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ErrorCode } from '../../schemas/errors.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { isAlive } from '../../schemas/process/processes.ts';
import { type CliResult, makeDaemon, shareDaemon, startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { keeperOf } from '../helpers/keeper.ts';
import { until } from '../helpers/until.ts';
import { proveEnd, proveLog } from './support.ts';

const isGate = (gateKey: string) => (event: { type: string; payload: Record<string, unknown> }) =>
  event.type === 'approval.requested' && event.payload.gateKey === gateKey;

/** On a busy machine `up` says this before it fails. */
const SLOW_START = /^Still starting\.(?: The first start takes longer\.)?\n/;

/** One sentence with the code and what to do, on standard error, and nothing on standard output. */
function expectFailure(result: CliResult, code: ErrorCode, exit: number, says: string | RegExp = '') {
  expect(result.stderr.replace(SLOW_START, '')).toMatch(
    new RegExp(`^devflow: [^\\n]+ \\[${code}\\]\\. [^\\n]+\\.\\n$`),
  );
  expect(result.stderr).toMatch(says);
  expect(result).toMatchObject({ code: exit, stdout: '' });
}

function startArgs(repo: string, ...more: string[]) {
  const backends = ['--backend', 'planner=fake', '--backend', 'implementer=fake'];
  return ['run', 'start', '--repo', repo, '--template', 'development@1', '--requirements', '-', ...backends, ...more];
}

/** Every path below with its content, mode and, for the git directory, what a user would miss. */
function fingerprint(dir: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    // What a worktree and a branch of devflow's own add.
    if (/^\.git\/(worktrees|objects|refs\/heads\/devflow|logs\/refs\/heads\/devflow)(\/|$)/.test(name)) continue;
    const stat = lstatSync(join(dir, name));
    if (stat.isDirectory()) continue;
    const hash = createHash('sha256')
      .update(readFileSync(join(dir, name)))
      .digest('hex');
    found[name] = `${stat.mode} ${stat.mtimeMs} ${hash}`;
  }
  return found;
}

const sharedDaemon = shareDaemon();

test('run start explains wrong input in a sentence and starts nothing', async () => {
  const daemon = await startDaemon();
  const { dir, git } = daemon.repo();
  const plain = join(daemon.root, 'plain');
  mkdirSync(plain);
  const bare = join(daemon.root, 'bare.git');
  git('clone', '-q', '--bare', dir, bare);
  const start = (args: string[], input = 'Make it better.') => daemon.cli(args, { input });

  const unknown = startArgs(dir).with(5, 'developmnt');
  expectFailure(await start(unknown), 'template_not_found', 4, /developmnt/);
  const missing = startArgs(dir).with(7, 'nowhere.md');
  expectFailure(await start(missing), 'requirements_missing', 1, /nowhere\.md does not exist/);
  expectFailure(await start(startArgs(dir), ' \n'), 'requirements_missing', 1, /empty/);
  expectFailure(await start(startArgs(plain)), 'repo_invalid', 1, plain);
  expectFailure(await start(startArgs(join(plain, 'no'))), 'repo_invalid', 1, plain);
  expectFailure(await start(startArgs(bare)), 'repo_invalid', 1, /bare.*\(git -C .* worktree list\)/);
  git('branch', 'devflow');
  expectFailure(await start(startArgs(dir)), 'repo_invalid', 1, /The branch devflow of .* is in the way/);
  git('branch', '-D', 'devflow');
  expectFailure(await start(startArgs(dir, '--base', 'nosuch')), 'branch_missing', 1, /nosuch/);
  expectFailure(await start(startArgs(dir, '--verify', '[]')), 'usage', 2);
  expectFailure(await start(startArgs(dir, '--backend', 'planner=vim')), 'usage', 2);
  const blocked = startArgs(dir, '--verify', 'git clean -fd');
  expectFailure(await start(blocked), 'destructive_command_blocked', 1, /Phase verify .* blocked by policy/);
  expectFailure(await start([...blocked, '--dry-run']), 'destructive_command_blocked', 1, /git clean/);
  const dropped = startArgs(dir, '--verify', 'true').with(5, 'quick-change@1');
  dropped.splice(dropped.indexOf('planner=fake') - 1, 2);
  expectFailure(await start(dropped), 'usage', 2, /quick-change@1 does not take --verify/);
  expectFailure(await daemon.cli(['run', 'show', 'abcdef']), 'not_found', 4, /abcdef/);
  expectFailure(await daemon.cli(['rpc', 'no.such']), 'usage', 2, /no\.such/);

  const json = await start([...unknown, '--json']);
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'template_not_found', hint: expect.any(String) } });
  expect(await daemon.call('run.list', { limit: 10 })).toEqual([]);
  expect(existsSync(daemon.workspaceRoot) ? readdirSync(daemon.workspaceRoot) : []).toEqual([]);
  expect(git('branch', '--list', 'devflow/*')).toBe('');
});

test('starts from a dirty checkout and leaves it, its index and its configuration as they are', async () => {
  const daemon = sharedDaemon();
  const repo = daemon.repo();
  repo.write({
    'src/a.txt': 'changed\n',
    'src/b.txt': 'staged\n',
    'untracked.txt': 'new\n',
    '.gitignore': 'ignored\n',
  });
  repo.write({ ignored: 'x\n' });
  repo.git('add', 'src/b.txt');
  repo.git('stash', 'list');
  const before = { files: fingerprint(repo.dir), status: repo.git('--no-optional-locks', 'status', '--porcelain') };
  const started = await daemon.cli(startArgs(repo.dir, '--json'), { input: 'Make it better.' });
  const { runId } = JSON.parse(started.stdout);
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(fingerprint(repo.dir)).toEqual(before.files);
  expect(repo.git('--no-optional-locks', 'status', '--porcelain')).toBe(before.status);
});

test('takes a repository reached through a symlink for the same repository', async () => {
  const daemon = sharedDaemon();
  const { dir } = daemon.repo();
  const link = join(daemon.root, 'link');
  symlinkSync(dir, link);
  const { stdout } = await daemon.cli(startArgs(link, '--json'), { input: 'Make it better.' });
  const { runId } = JSON.parse(stdout);
  expect(await daemon.call('run.get', { runId })).toMatchObject({ repoPath: dir });
  const again = await daemon.cli(startArgs(dir), { input: 'Make it better.' });
  expectFailure(again, 'active_run_exists', 5, runId);
  const dry = await daemon.cli(startArgs(dir, '--dry-run'), { input: 'Make it better.' });
  expectFailure(dry, 'active_run_exists', 5, runId);
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
});

test('refuses an unknown configuration key and suggests the one that was meant', async () => {
  const daemon = await makeDaemon();
  const config = resolvePaths(daemon.env).configFile;
  writeFileSync(config, 'maxConcurentRuns: 3\n');
  expectFailure(await daemon.cli(['up']), 'config_invalid', 2, /maxConcurentRuns.*maxConcurrentRuns/);
  writeFileSync(config, 'maxConcurrentRuns: many\n');
  expectFailure(await daemon.cli(['up']), 'config_invalid', 2, /maxConcurrentRuns.*whole number/);
  writeFileSync(config, 'maxConcurrentRuns: 3\n');
  await daemon.start();
});

test('up says which database it waits for and how long, and down ends a start whose up was interrupted', async () => {
  const daemon = await makeDaemon({ env: { DEVFLOW_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' } });
  const startUp = () => {
    const up = spawn(daemon.cliProgram, ['up'], { env: daemon.env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    up.stderr.on('data', (part) => {
      said += part;
    });
    return { up, said: () => said };
  };
  const { up, said } = startUp();
  await until('it says that it waits', () => said().includes('devflow waits up to 60 s.'));
  expect(said()).toMatch(/127\.0\.0\.1:9\S* cannot be used yet/);
  expectFailure(await daemon.cli(['run', 'list']), 'daemon_not_running', 1);
  const keeper = keeperOf(daemon);
  up.kill('SIGINT');
  await once(up, 'exit');
  expect(isAlive(keeper)).toBe(true);
  const again = startUp();
  await until('the next one says so, too', () => again.said().includes('Waiting for its daemon, up to 60 s.'));
  expect(again.said()).toContain(`already starting (keeper: pid ${keeper})`);
  again.up.kill('SIGINT');
  await once(again.up, 'exit');
  expect((await daemon.cli(['down'])).code).toBe(0);
  expect(isAlive(keeper)).toBe(false);
});

async function talk(daemon: TestDaemon): Promise<{ socket: Socket; next(): Promise<Record<string, unknown>> }> {
  const socket = connectSocket(daemon.socketPath);
  await once(socket, 'connect');
  let held = '';
  const next = async () => {
    while (!held.includes('\n')) held += String((await once(socket, 'data'))[0]);
    const line = held.slice(0, held.indexOf('\n'));
    held = held.slice(line.length + 1);
    return JSON.parse(line);
  };
  return { socket, next };
}

test('answers malformed JSON-RPC with the standard error and keeps the connection', async () => {
  const daemon = await startDaemon();
  const { socket, next } = await talk(daemon);
  const say = async (line: string) => {
    socket.write(`${line}\n`);
    return next();
  };
  expect(await say('{oops')).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
  expect(await say('{"jsonrpc":"1.0","method":"x","id":1}')).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await say('[]')).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await say('{"jsonrpc":"2.0","method":"no.such","id":7}')).toMatchObject({ id: 7, error: { code: -32601 } });
  expect(await say('{"jsonrpc":"2.0","method":"run.get","params":{"run":1},"id":"a"}')).toMatchObject({
    id: 'a',
    error: { code: -32602 },
  });
  expect(await say('{"jsonrpc":"2.0","method":"run.list","id":8}')).toMatchObject({ id: 8, result: [] });
  socket.destroy();
});

test('refuses a frame of 100 MB without growing', async () => {
  const daemon = await startDaemon();
  const socket = connectSocket(daemon.socketPath);
  await once(socket, 'connect');
  const answer = text(socket).catch(() => '');
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  // The daemon hangs up in the middle.
  socket.on('error', () => {});
  const gone = new Promise((resolve) => socket.once('close', resolve));
  for (let sent = 0; sent < 100 && socket.writable; sent += 1) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), gone]);
  }
  socket.end();
  const line = await answer;
  expect(JSON.parse(line)).toMatchObject({ id: null, error: { data: { code: 'frame_too_large' } } });
  const kb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid()}/status`, 'utf8'))?.[1]);
  expect(kb).toBeLessThan(250_000);
  expect(await daemon.call('run.list', { limit: 1 })).toEqual([]);
});

test('cleanup removes a clean worktree and keeps its branch', async () => {
  const daemon = sharedDaemon();
  const repo = daemon.repo();
  const runId = await startRun(daemon, { repo: repo.dir });
  await drive(daemon, runId, { stopAt: isGate('spec_approved'), decide: () => undefined });
  expectFailure(await daemon.cli(['cleanup', runId]), 'state_conflict', 5, /worktree/);
  await drive(daemon, runId);
  const { run } = await proveEnd(daemon, runId, 'completed');
  const cleaned = await daemon.cli(['cleanup', runId, '--json']);
  expect(JSON.parse(cleaned.stdout)).toMatchObject({ removed: [{ path: run.worktreeRoot, branch: run.branch }] });
  expect(existsSync(run.worktreeRoot)).toBe(false);
  expect(repo.git('log', '-1', '--format=%s', run.branch ?? '')).toBe(
    'The greeting uses the first argument; without one it is as before',
  );
  const again = await daemon.cli(['cleanup', runId]);
  expect(again).toMatchObject({ code: 0, stdout: `${run.worktreeRoot} was removed already\n` });
  expectFailure(await daemon.cli(['cleanup', runId, '--lane', 'other']), 'not_found', 4, /other/);
  await proveEnd(daemon, runId, 'completed');
});

test('cleanup refuses uncommitted work, asks about it, then keeps a copy', async () => {
  const daemon = sharedDaemon();
  const repo = daemon.repo();
  const runId = await startRun(daemon, { repo: repo.dir });
  await drive(daemon, runId);
  const { run } = await proveEnd(daemon, runId, 'completed');
  writeFileSync(join(run.worktreeRoot, 'README.md'), 'unsaved\n');
  writeFileSync(join(run.worktreeRoot, 'new.txt'), 'precious\n');
  expectFailure(await daemon.cli(['cleanup', runId]), 'worktree_dirty', 1, /README\.md|new\.txt/);

  const force = async () => JSON.parse((await daemon.cli(['cleanup', runId, '--force', '--json'])).stdout);
  const { approvalId, kept } = await force();
  expect(kept).toMatchObject([{ path: run.worktreeRoot }]);
  expect(await force()).toMatchObject({ approvalId });
  expect((await daemon.cli(['cleanup', runId, '--force'])).stdout).not.toContain('request-changes');
  expect(readFileSync(join(run.worktreeRoot, 'new.txt'), 'utf8')).toBe('precious\n');
  await daemon.restart();
  expect(await daemon.cli(['approval', 'approve', approvalId])).toMatchObject({ code: 0, stderr: '' });
  expect(await force()).toMatchObject({ removed: [{ path: run.worktreeRoot }], approvalId: null });
  expect(existsSync(run.worktreeRoot)).toBe(false);
  const runDir = join(daemon.workspaceRoot, runId);
  const copies = readdirSync(runDir, { recursive: true, encoding: 'utf8' });
  expect(copies.filter((name) => name.endsWith('new.txt') || name.endsWith('.patch')).length).toBeGreaterThan(0);
  await proveLog(daemon, runId);
});

test('does not load a broken file of the user, and reports it where the user looks', async () => {
  const daemon = await makeDaemon();
  const { userTemplates, userPersonas } = resolvePaths(daemon.env);
  for (const dir of [userTemplates, userPersonas]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(userTemplates, 'mine@1.yaml'), 'name: mine\nversion: nope\n');
  writeFileSync(join(userPersonas, 'me@1.yaml'), 'name: [\n');
  await daemon.start();
  expect(await daemon.cli(['up'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('mine@1.yaml is not loaded'),
  });
  const { stderr } = await daemon.cli(['status']);
  expect(stderr).toMatch(/template file .*mine@1\.yaml is not loaded: line 2, column 1: version: /);
  expect(stderr).toMatch(/persona file .*me@1\.yaml is not loaded: /);
  const templates = await daemon.cli(['template', 'list']);
  expect(templates).toMatchObject({ code: 0, stdout: expect.stringContaining('development@1') });
  expect(templates.stderr).toContain('mine@1.yaml');
  expect(templates.stderr).not.toContain('me@1.yaml');
  expect((await daemon.cli(['persona', 'list'])).stderr).toContain('me@1.yaml');
  const status = await daemon.cli(['status', '--json']);
  expect(status.stderr).toBe('');
  const kinds: string[] = JSON.parse(status.stdout).problems.map(({ kind }: { kind: string }) => kind);
  expect([...new Set(kinds)]).toEqual(['template', 'persona']);
});
