import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { startDaemon, type TestDaemon } from '../../helpers/daemon.ts';
import { type Asked, drive, ended, startRun } from '../../helpers/drive.ts';
import { makeRepo } from '../../helpers/testRepo.ts';
import { gitFiles } from '../hostile/gitFile.ts';
import { hooksPath, repositoryHooks } from '../hostile/hooks.ts';
import { TAMPERINGS, type Tampering } from '../hostile/lostWork.ts';
import { nestedRepositories, submoduleSettings } from '../hostile/nested.ts';
import { isMarked, type Place, placeAt, plant, type Scene, useGitEveryDay } from '../hostile/place.ts';
import { lazyFetch, repositorySettings, settingsElsewhere, settingsOfWorktree } from '../hostile/settings.ts';

/**
 * An agent plants programs wherever git looks for one. devflow then does all it ever does with that worktree. Each
 * program leaves a marker when it runs, and none may be there. Plain git shows that each way is live.
 */
const SCENES: Scene[] = [
  ...[nestedRepositories, submoduleSettings, repositorySettings, settingsElsewhere, settingsOfWorktree, lazyFetch],
  ...[repositoryHooks, hooksPath, ...gitFiles],
];

interface Run {
  place: Place;
  run: RunDetail;
  gates: Asked[];
}

/** The outcome of each scene by its name, for the tests below. */
const runs = new Map<string, Run & { branchFiles: string[] }>();
const failures: string[] = [];
/** The ways whose program ran: under devflow, and under plain git. */
const marked = new Set<string>();
const live = new Set<string>();
/** Scenes in which devflow changed a repository of others. */
const changed: string[] = [];

const isGate = ({ type }: { type: string }) => type === 'approval.requested';

const startQuickRun = (daemon: TestDaemon, repo: string) =>
  startRun(daemon, { repo, template: 'quick-change@1', backend: { implementer: 'fake' } });

/** Drives a run to its first gate, lets `attack` do its work there, and drives it on to its end. */
async function attacked(
  daemon: TestDaemon,
  { name, prepare }: Pick<Scene, 'name' | 'prepare'>,
  attack: (place: Place, run: RunDetail) => void,
): Promise<Run> {
  // Not `daemon.repo()`: what an attack leaves in this repository is no leak of devflow.
  const at = join(daemon.root, 'hostile', name.replaceAll(' ', '-'));
  const { dir: repo } = makeRepo(join(at, 'repo'), daemon.env);
  const facts = { repo, outside: join(at, 'outside') };
  mkdirSync(facts.outside);
  prepare?.(placeAt({ ...facts, worktree: repo, gitDir: join(repo, '.git') }, daemon.env));
  const runId = await startQuickRun(daemon, repo);
  await drive(daemon, runId, { stopAt: isGate });
  const begun = await daemon.call('run.get', { runId });
  const worktree = begun.worktreeRoot;
  const gitDir = readFileSync(join(worktree, '.git'), 'utf8').replace('gitdir: ', '').trim();
  const place = placeAt({ ...facts, worktree, gitDir }, daemon.env);
  attack(place, begun);
  const gates: Asked[] = [];
  await drive(daemon, runId, {
    decide(asked, nth) {
      gates.push(asked);
      if (nth === 1) return { action: 'request_changes', comment: 'Again.' };
      return { action: asked.kind === 'recovery' || nth > 8 ? 'abort' : 'approve' };
    },
  });
  return { place, gates, run: await ended(daemon, runId) };
}

/** Everything else that devflow does with a worktree. It may refuse, but not run what it finds. */
async function useEverything(daemon: TestDaemon, runId: string): Promise<void> {
  await daemon.call('run.report', { runId });
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
  await daemon.call('run.cleanup', { runId, force: false }).catch(() => {});
  for (const { id } of await daemon.call('approval.list', { runId, limit: 50 })) {
    await daemon.call('approval.get', { approvalId: id });
  }
  const { approvalId } = await daemon.call('run.cleanup', { runId, force: true }).catch(() => ({ approvalId: null }));
  if (!approvalId) return;
  await daemon.call('approval.get', { approvalId });
  await daemon.call('approval.decide', { approvalId, action: 'approve', clientToken: randomUUID() });
  await daemon.call('run.cleanup', { runId, force: true }).catch(() => {});
}

/** A run that finds the attack in its repository when it makes its worktree. */
async function runAgain(daemon: TestDaemon, repo: string): Promise<void> {
  const runId = await startQuickRun(daemon, repo);
  await drive(daemon, runId, { decide: ({ kind }) => ({ action: kind === 'recovery' ? 'abort' : 'approve' }) });
  await ended(daemon, runId);
  await daemon.call('run.cleanup', { runId, force: false }).catch(() => {});
}

async function play(daemon: TestDaemon, scene: Scene): Promise<void> {
  let place: Place | undefined;
  let before: string | undefined;
  try {
    const done = await attacked(daemon, scene, (at) => {
      place = at;
      for (const way of scene.ways) plant(at, way);
      scene.tamper?.(at);
      before = stateOfOther(scene, at);
    });
    if (stateOfOther(scene, done.place) !== before) changed.push(scene.name);
    runs.set(scene.name, { ...done, branchFiles: filesOf(done) });
    await useEverything(daemon, done.run.runId);
    // What lies in the worktree has gone with it.
    if (existsSync(scene.others?.(done.place)[0] ?? '') && stateOfOther(scene, done.place) !== before)
      changed.push(scene.name);
    if (scene.staysInRepo) await runAgain(daemon, done.place.repo);
  } catch (error) {
    failures.push(`${scene.name}: ${error}`);
  }
  for (const way of scene.ways) if (place && isMarked(place, way)) marked.add(way.name);
}

/** Where the branches of the other repository stand, and how large its index is. */
function stateOfOther({ others }: Scene, place: Place): string | undefined {
  const gitDir = others?.(place).find((dir) => existsSync(join(dir, 'HEAD')));
  if (gitDir === undefined) return undefined;
  const index = join(gitDir, 'index');
  return `${place.git(gitDir, '--git-dir=.', 'for-each-ref')} ${existsSync(index) ? readFileSync(index).length : 0}`;
}

/** Modes and names on devflow's branch. git's attack surface is the worktree: the person's checkout stands elsewhere. */
function filesOf({ place, run }: Run): string[] {
  const lines = place.git(place.repo, 'ls-tree', '-r', '-z', run.branch ?? 'main').split('\0');
  return lines.filter(Boolean).map((line) => line.replace(/ .*\t/, ' '));
}

/** The same attack with nobody but plain git in the worktree. */
function attackPlainGit(daemon: TestDaemon, scene: Scene): void {
  const at = join(daemon.root, 'plain', scene.name.replaceAll(' ', '-'));
  const { dir: repo } = makeRepo(join(at, 'repo'), daemon.env);
  const facts = { repo, outside: join(at, 'outside'), worktree: join(at, 'run', 'main') };
  const place = placeAt({ ...facts, gitDir: join(repo, '.git', 'worktrees', 'main') }, daemon.env);
  mkdirSync(place.outside);
  scene.prepare?.({ ...place, worktree: repo });
  place.git(repo, 'worktree', 'add', '-q', '-b', 'plain', place.worktree);
  place.write(join(place.worktree, '.devflow', '.gitignore'), '*\n');
  place.write(join(place.worktree, 'fake', 'implement-1.md'), 'work\n');
  place.git(place.worktree, 'add', '-A');
  place.git(place.worktree, 'commit', '-q', '-m', 'Work');
  for (const way of scene.ways) plant(place, way);
  place.write(join(place.worktree, 'fake', 'implement-2.md'), 'more work\n');
  useGitEveryDay(place, scene);
  for (const way of scene.ways) if (isMarked(place, way)) live.add(way.name);
}

test('devflow takes a run through every hostile repository', async () => {
  const daemon = await startDaemon({ env: { DEVFLOW_MAX_CONCURRENT_RUNS: '50' } });
  await Promise.all(SCENES.map((scene) => play(daemon, scene)));
  for (const scene of SCENES) attackPlainGit(daemon, scene);
  expect(failures).toEqual([]);
});

describe.each(SCENES.map((scene) => [scene.name, scene] as const))('%s', (name, scene) => {
  test.each(scene.ways.map((way) => [way.name]))('%s runs nothing', (way) => {
    expect(live).toContain(way);
    expect(marked).not.toContain(way);
  });

  test('keeps the work on its branch, or asks a person', () => {
    const { run, branchFiles } = runs.get(name) ?? {};
    expect(['completed', 'aborted']).toContain(run?.state);
    if (run?.state === 'completed') expect(branchFiles).toContain('100644 fake/implement-2.md');
  });
});

test('changes no other repository', () => {
  expect(changed).toEqual([]);
});

test('asks about a nested repository and commits none', () => {
  const { run, gates = [], branchFiles = [] } = runs.get(nestedRepositories.name) ?? {};
  expect(run?.state).toBe('completed');
  expect(gates.map(({ gateKey }) => gateKey)).toEqual(['changes_approved', 'nested_repository', 'changes_approved']);
  const [, asked, last] = gates.map(
    ({ subject }) => (subject.work as { nestedRepositories?: string[] }).nestedRepositories,
  );
  expect(asked).toEqual(
    expect.arrayContaining(['lib/one', 'lib/a\nb', '--output=x', 'lib/linked', 'lib/outer', 'vendor/hooks']),
  );
  expect(last).toEqual(asked);
  expect(branchFiles.filter((file) => file.startsWith('160000'))).toEqual(['160000 sub']);
  expect(branchFiles.filter((file) => file.includes(' lib/one/') || file.includes(' lib/outer/'))).toEqual([]);
});

describe('loses no work', () => {
  const results = new Map<
    string,
    { state?: string; branchFiles: string[]; lost: string[]; main: string; gates: string[] }
  >();

  async function tampered(daemon: TestDaemon, { name, tamper }: Tampering): Promise<void> {
    let commits: string[] = [];
    const done = await attacked(daemon, { name }, (place, { branch }) => {
      ({ commits } = tamper(place, branch ?? ''));
    });
    const { place, run, gates } = done;
    const result = { branchFiles: [] as string[], lost: [] as string[], gates: gates.map(({ gateKey }) => gateKey) };
    const main = place.git(place.repo, 'log', '--format=%s', 'main');
    results.set(name, { ...result, state: run.state, main });
    await useEverything(daemon, run.runId);
    const made = run.phases.flatMap(({ work }) => (work?.commit ? [work.commit] : []));
    result.lost.push(...[...commits, ...made].filter((id) => !isHeld(place, id)));
    result.branchFiles.push(...filesOf(done));
  }

  const isHeld = ({ git, repo }: Place, id: string) => git(repo, 'for-each-ref', '--contains', id) !== '';

  test('devflow takes a run through every tampered branch', async () => {
    const daemon = await startDaemon({ env: { DEVFLOW_MAX_CONCURRENT_RUNS: '50' } });
    const ends = await Promise.allSettled(TAMPERINGS.map((tampering) => tampered(daemon, tampering)));
    expect(
      ends.flatMap((end, n) => (end.status === 'fulfilled' ? [] : `${TAMPERINGS[n]?.name}: ${end.reason}`)),
    ).toEqual([]);
  });

  test.each(TAMPERINGS.map(({ name }) => [name]))('after %s', (name) => {
    const result = results.get(name);
    expect(result).toMatchObject({ state: 'completed', main: 'First', lost: [] });
    expect(result?.branchFiles).toContain('100644 fake/implement-2.md');
  });
});

test('takes names that mean something to git for names of files', async () => {
  const daemon = await startDaemon();
  const names = [
    '--output=x',
    '-c',
    ':(exclude)*',
    ':!README.md',
    '*',
    'a\nb',
    '"quoted"',
    ' led by a space',
    'ü',
    '\\',
  ];
  const done = await attacked(daemon, { name: 'names' }, ({ worktree }) => {
    for (const name of names) writeFileSync(join(worktree, name), 'data\n');
  });
  expect(done.run.state).toBe('completed');
  expect(filesOf(done)).toEqual(expect.arrayContaining(names.map((name) => `100644 ${name}`)));
});
