import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commonDirectory } from '../../../../daemon/repository/git/repositoryFiles.ts';
import { type TrySetup, trySetup } from '../../../../daemon/settings/init/trySetup.ts';
import { writeProposal } from '../../../../daemon/settings/init/writeProposal.ts';
import type { WorktreeSetup } from '../../../../schemas/repository/worktreeSetup.ts';
import { isolatedEnv, makeRepo } from '../../../helpers/testRepo.ts';

const NOTHING: WorktreeSetup = {
  isGuess: true,
  copy: [],
  clone: [],
  link: [],
  commands: [],
  again: [],
  teardown: [],
  ports: [],
  env: {},
};

async function given(setup: Partial<WorktreeSetup>, verify: string[][], more: Pick<TrySetup, 'confine'> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-try-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = makeRepo(join(root, 'thing'), isolatedEnv(join(root, 'home')));
  repo.write({ '.gitignore': 'made\n.local\n', tracked: 'a\n' });
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'Files');
  repo.write({ '.local': 'A=1\n' });
  const stop = new AbortController();
  const scratchDir = join(root, 'tries');
  const run = async () =>
    trySetup({
      repoPath: repo.dir,
      repository: await commonDirectory(repo.dir),
      commit: repo.git('rev-parse', 'HEAD'),
      setup: { ...NOTHING, ...setup },
      verify,
      scratchDir,
      filters: [],
      timeoutMs: 60_000,
      signal: stop.signal,
      now: () => new Date(),
      ...more,
    });
  /** Git knows no other worktree, and no directory is left. */
  const isClean = () =>
    repo.git('worktree', 'list').split('\n').length === 1 && !existsSync(join(scratchDir, 'worktree'));
  return { root, repo, run, stop, isClean };
}

test('a try sets up a worktree, runs the checks there, and leaves nothing', async () => {
  const { run, isClean, repo } = await given(
    {
      copy: ['.local'],
      commands: [{ argv: ['sh', '-c', 'cat .local >made; echo b >tracked; touch "new file"; echo $PORT >>made'] }],
      ports: ['PORT'],
      env: { URL: 'http://$PORT', PATH: '$DEVFLOW_WORKTREE/bin:$PATH' },
    },
    [
      ['sh', '-c', 'grep -qx A=1 made && grep -q "^[0-9]*$" made'],
      ['sh', '-c', 'test "$URL" = "http://$PORT" && case $PATH in "$PWD"/bin:*) ;; *) exit 1;; esac'],
      ['sh', '-c', 'echo out; echo err >&2; exit 3'],
    ],
  );
  const tried = await run();
  expect(tried).toMatchObject({
    setUp: true,
    placed: [{ path: '.local', how: 'copied' }],
    changed: ['tracked'],
    excluded: ['new file'],
    checks: [{ ok: true, reason: null }, { ok: true }, { ok: false, reason: expect.stringContaining('3') }],
  });
  expect(tried.checks[2]?.output).toContain('err');
  expect(isClean()).toBe(true);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect((await run()).setUp).toBe(true);
});

test('a set-up that fails is shown with what it printed, and no check runs', async () => {
  const { run, isClean } = await given({ commands: [{ argv: ['sh', '-c', 'echo no such package >&2; exit 7'] }] }, [
    ['false'],
  ]);
  expect(await run()).toMatchObject({
    setUp: false,
    checks: [
      {
        argv: ['sh', '-c', 'echo no such package >&2; exit 7'],
        ok: false,
        output: expect.stringContaining('no such package'),
      },
    ],
  });
  expect(isClean()).toBe(true);
});

test('a try tears down what its set-up started, with its variables, also if the set-up fails', async () => {
  const log = join(mkdtempSync(join(tmpdir(), 'devflow-log-')), 'log');
  const words = { up: `echo "up $PORT" >>'${log}'`, down: `echo "down $PORT" >>'${log}'` };
  const setup = {
    commands: [{ argv: ['sh', '-c', words.up] }],
    teardown: [['sh', '-c', words.down]],
    ports: ['PORT'],
  };
  const good = await given(setup, [['sh', '-c', `echo check >>'${log}'`]]);
  expect(await good.run()).toMatchObject({ setUp: true });
  const bad = await given({ ...setup, commands: [...setup.commands, { argv: ['false'] }] }, []);
  expect(await bad.run()).toMatchObject({ setUp: false });
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['up', 'check', 'down', 'up', 'down']);
  expect(lines[2]?.slice(5)).toBe(lines[0]?.slice(3));
  expect([good.isClean(), bad.isClean()]).toEqual([true, true]);
});

test('set-up, checks and teardown of a try run in the sandbox that they would have in a run', async () => {
  const seen: string[][] = [];
  const log = join(mkdtempSync(join(tmpdir(), 'devflow-log-')), 'log');
  const say = (what: string) => ['sh', '-c', `echo "${what} $WALL" >>'${log}'`];
  const { run } = await given(
    { commands: [{ argv: say('set-up') }], teardown: [say('teardown')], link: ['.local'] },
    [say('check')],
    {
      confine: ({ linked }) => {
        seen.push([...linked]);
        return ['env', 'WALL=1'];
      },
    },
  );
  expect(await run()).toMatchObject({ setUp: true, checks: [{ ok: true }] });
  expect(readFileSync(log, 'utf8')).toBe('set-up 1\ncheck 1\nteardown 1\n');
  expect(seen.map((paths) => paths.map((path) => path.slice(-7)))).toEqual([['/.local'], ['/.local'], ['/.local']]);
});

test('a caller that is gone ends the command, and nothing is left', async () => {
  const { run, stop, isClean, root } = await given({ commands: [{ argv: ['sh', '-c', `sleep 600`] }] }, []);
  const trying = run();
  await expect.poll(() => existsSync(join(root, 'tries'))).toBe(true);
  stop.abort(new Error('gone'));
  await expect(trying).rejects.toThrow('gone');
  expect(isClean()).toBe(true);
});

test('a proposal overwrites nothing and follows no link', async () => {
  const { repo, root } = await given({}, []);
  const path = writeProposal(repo.dir, 'a: b\n');
  expect(readFileSync(path, 'utf8')).toBe('a: b\n');
  expect(() => writeProposal(repo.dir, 'other')).toThrow(expect.objectContaining({ code: 'file_exists' }));
  rmSync(path);
  symlinkSync(join(root, 'elsewhere'), path);
  expect(() => writeProposal(repo.dir, 'other')).toThrow(expect.objectContaining({ code: 'file_exists' }));
  expect(existsSync(join(root, 'elsewhere'))).toBe(false);
  rmSync(path);
  writeFileSync(path, '');
  expect(() => writeProposal(repo.dir, 'other')).toThrow(expect.objectContaining({ code: 'file_exists' }));
});
