import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDaemon, startDaemon } from '../helpers/daemon.ts';
import { seatRobot } from '../helpers/robot.ts';
import { smallDisk } from '../helpers/smallDisk.ts';
import { deskFor } from './dashboard.ts';

const FAKE = ['--backend', 'implementer=fake'];

/** A `git` for the daemon that reports its progress, and writes no worktree file while `hold` exists. */
function slowGit(): { directory: string; hold(): void; release(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-git-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'hold');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = [
    ...['#!/bin/sh', 'case " $* " in', '*" read-tree -m -u -v "*)'],
    "  printf 'Updating files:  42%% (42000/100000)\\r' >&2",
    `  while [ -e '${file}' ]; do sleep 0.05; done ;;`,
    ...['esac', `exec '${real}' "$@"`, ''],
  ];
  writeFileSync(join(directory, 'git'), script.join('\n'));
  chmodSync(join(directory, 'git'), 0o755);
  return { directory, hold: () => writeFileSync(file, ''), release: () => rmSync(file, { force: true }) };
}

test('starts a run from the current directory and says what it does and leaves out', async () => {
  const git = slowGit();
  const daemon = await startDaemon({ env: { PATH: `${git.directory}:${process.env.PATH}` } });
  const repo = daemon.repo();
  repo.write({ 'left out.txt': 'x\n', 'sub/dir/file.txt': 'x\n' });
  const cwd = join(repo.dir, 'sub', 'dir');
  const start = (...words: string[]) => daemon.cli(['run', 'start', '--template', 'quick-change@1', ...words], { cwd });

  // A start that cannot bind its roles leaves nothing behind.
  for (const [words, code] of [
    [['--backend', 'implementer=codex'], 'backend_unavailable'],
    [['--backend', 'nobody=fake'], 'binding_refused'],
    [['--bind', 'implementer=nobody'], 'persona_not_found'],
    [['--requirements', 'x.md'], 'usage'],
  ] as const) {
    expect((await start('-m', 'x', ...words)).stderr).toContain(`[${code}]`);
  }
  const outside = await daemon.cli(['run', 'start', '--template', 'quick-change@1', '-m', 'x'], { cwd: daemon.root });
  expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('or name one: --repo <dir>') });
  const empty = join(daemon.root, 'empty');
  repo.git('init', '-q', empty);
  const early = await daemon.cli(['run', 'start', '--template', 'quick-change@1', '-m', 'x'], { cwd: empty });
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('[repo_invalid]. Make the first commit.') });
  expect((await start()).stderr).toContain('Give them with -m');
  expect(await daemon.call('run.list', { limit: 10 })).toEqual([]);

  // A line of the terminal shows the worktree's progress, as does the dashboard.
  git.hold();
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { columns: 120 });
  const types = (words: string) => robot.type(`${words}; echo "exit $?"\n`);
  await robot.sees('$');
  types(
    `cd '${cwd}'; clear; ${desk.devflow} run start --template quick-change@1 -m One. -m Two. --backend implementer=fake`,
  );
  await robot.sees('creating the worktree: 42,000 of 100,000 files');
  const [first] = await daemon.call('run.list', { limit: 10 });
  const runId = first?.runId ?? '';
  expect(await daemon.call('run.get', { runId })).toMatchObject({
    requirements: 'One.\n\nTwo.',
    repoPath: repo.dir,
    worktreeFiles: { done: 42_000, total: 100_000 },
    waitsForPerson: false,
  });
  const dashboard = seatRobot(desk, 'dashboard', { columns: 120, command: `exec ${desk.devflow} tui` });
  await dashboard.sees('created');
  dashboard.press('Enter');
  await dashboard.sees('waiting for its worktree (42,000 of 100,000 files)');
  git.release();
  await robot.sees('Warning: 2 uncommitted files are not part of the run: left out.txt, sub/.');
  await robot.sees(`Run ${runId} is started.`);
  await robot.sees('exit 0');
  expect(robot.screen().join('\n')).not.toContain('creating the worktree');
  await dashboard.until('the worktree is there', () => !dashboard.screen().join('\n').includes('its worktree'));

  // By default there is one open run, also from a linked worktree; another needs a flag.
  const linked = join(daemon.root, 'linked');
  repo.git('worktree', 'add', '-q', '--detach', linked);
  const refused = await start('-m', 'x', '--base', 'main', '--repo', linked, ...FAKE);
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(`run ${runId}`) });
  expect(refused.stderr).toContain('--parallel');
  repo.git('worktree', 'remove', linked);
  git.hold();
  const beside = start('-m', 'x', '--parallel', '--json', ...FAKE);
  const isHeld = async () => (await daemon.call('run.list', { limit: 10 }))[0]?.waitingFor;
  await expect.poll(isHeld).toBe('its worktree (42,000 of 100,000 files)');
  git.release();
  const { stdout, stderr } = await beside;
  expect(stderr).toContain('creating the worktree: 42,000 of 100,000 files\n');
  expect(stderr).not.toContain('Backends as in run');
  const second = JSON.parse(stdout);
  expect(second).toMatchObject({
    uncommitted: { count: 2, files: ['left out.txt', 'sub/'] },
    submodules: [],
    warnings: [expect.any(String)],
    lastBackends: [],
  });
  for (const id of [runId, second.runId]) expect((await daemon.cli(['run', 'verify', id])).code).toBe(0);
  const branches = repo.git('branch', '--list', '--format=%(refname:short)', 'devflow/*').split('\n');
  expect(branches.sort()).toEqual([`devflow/${runId}/main`, `devflow/${second.runId}/main`].sort());

  // Without requirements the editor asks for them. An empty text starts nothing, and what was written is kept.
  const editor = join(daemon.root, 'editor');
  mkdirSync(editor);
  writeFileSync(join(editor, 'ed'), '#!/bin/sh\nprintf "# Title\\n\\nWritten.\\n" > "$1"\n', { mode: 0o755 });
  const inEditor = (ed: string, more = '') =>
    types(
      `clear; EDITOR=${ed} VISUAL= ${desk.devflow} run start --template quick-change@1 --backend implementer=fake ${more}`,
    );
  inEditor('true', '--parallel');
  await robot.sees('so no run was started');
  inEditor(join(editor, 'ed'));
  await robot.sees('Your text is saved. To use it again: --requirements');
  await robot.sees('exit 5');
  inEditor(join(editor, 'ed'), '--parallel');
  await robot.sees('is started');
  const [third] = await daemon.call('run.list', { limit: 1 });
  const written = await daemon.call('run.get', { runId: third?.runId ?? '' });
  expect(written.requirements.trim()).toBe('# Title\n\nWritten.');
});

test('names a home that is read-only, and what to do', async (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('this user may not mount a tmpfs, so no disk can be locked here');
  const daemon = await makeDaemon({ env: { DEVFLOW_HOME: '', HOME: disk.path } });
  disk.lock();
  const { code, stderr } = await daemon.cli(['up']);
  disk.unlock();
  expect(code).toBe(1);
  const said = `devflow: devflow cannot use ${disk.path}/`;
  expect(stderr).toMatch(
    /\[workspace_permissions\]\. Make it writable for this user, or set DEVFLOW_HOME to a directory/,
  );
  expect(stderr).toContain(said);
});
