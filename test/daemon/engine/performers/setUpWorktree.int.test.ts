import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Effect } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { placeOf } from '../../../../daemon/core/run/lanes.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { tearDownPlace } from '../../../../daemon/engine/performers/tearDownPlace.ts';
import type { FilesCopied } from '../../../../daemon/events/worktreeProgress.ts';
import { approve, decision, given, type Story } from '../../core/support/given.ts';
import { newRun } from '../../core/support/run.ts';
import { until } from '../../core/support/unattended.ts';
import { gitPorts } from '../local/support/performing.ts';
import { begin, givenRepo, isOfSetup, mainOf, performWith, setUp, shell } from './support/settingUp.ts';

const status = (worktree: string) =>
  execFileSync('git', ['status', '--porcelain'], { cwd: worktree, encoding: 'utf8' });

test('a worktree gets files of the checkout, and what its commands make', async () => {
  const { repo, shape } = givenRepo();
  repo.write({ '.env': 'TOKEN=1\n' });
  const commands = [shell('mkdir node_modules && echo "$PORT $DEVFLOW_LANE $MODE" > node_modules/made')];
  const story = await setUp(begin(shape({ copy: ['.env'], commands, ports: ['PORT'], env: { MODE: 'test' } })));
  const { worktreeRoot } = story.run;
  const { PORT } = mainOf(story).ports;
  expect(mainOf(story)).toMatchObject({
    state: 'done',
    placed: [{ path: '.env', how: 'copied' }],
    changed: [],
    excluded: [],
  });
  expect(readFileSync(join(worktreeRoot, '.env'), 'utf8')).toBe('TOKEN=1\n');
  expect(readFileSync(join(worktreeRoot, 'node_modules/made'), 'utf8')).toBe(`${PORT} main test\n`);
  expect(status(worktreeRoot)).toBe('');
  expect(decide(story.run)).toMatchObject([
    { type: 'runCommand', kind: 'test', env: { PORT: String(PORT), MODE: 'test' } },
  ]);
});

test('what a command changes in tracked files is put back, and what git does not ignore stays out', async () => {
  const { shape } = givenRepo();
  const commands = [shell('echo 2 > package-lock.json; chmod +x a.ts; mkdir .venv; echo x > .venv/x')];
  const story = await setUp(begin(shape({ commands })));
  expect(mainOf(story)).toMatchObject({ state: 'done', changed: ['a.ts', 'package-lock.json'], excluded: ['.venv/'] });
  expect(readFileSync(join(story.run.worktreeRoot, 'package-lock.json'), 'utf8')).toBe('1\n');
  expect(statSync(join(story.run.worktreeRoot, 'a.ts')).mode & 0o111).toBe(0);
  expect(existsSync(join(story.run.worktreeRoot, '.venv/x'))).toBe(true);
});

describe('a command that fails', () => {
  const commands = [shell('echo 2 > a.ts; echo no registry >&2; exit 3'), shell('exit 0')];

  test('is shown at a gate, and what it changed is put back', async () => {
    const { shape } = givenRepo();
    const story = await setUp(begin(shape({ commands })));
    const [gate] = openGates(story.run);
    expect(gate?.subject).toMatchObject({ exitCode: 3, tail: 'no registry', nth: 1 });
    expect(mainOf(story)).toMatchObject({ state: 'failed', changed: ['a.ts'] });
    expect(readFileSync(join(story.run.worktreeRoot, 'a.ts'), 'utf8')).toBe('a\n');
  });

  test('runs again if a person approves', async () => {
    const { shape } = givenRepo();
    const once = [shell('test -e node_modules || { mkdir node_modules; exit 1; }')];
    const story = await setUp(begin(shape({ commands: once })));
    const again = await setUp(story.on(approve));
    expect(mainOf(again)).toMatchObject({ nth: 2, state: 'done' });
    expect(decide(again.run)).toMatchObject([{ type: 'runCommand', kind: 'test' }]);
  });

  test('is gone on without if a person rejects', async () => {
    const { shape } = givenRepo();
    const story = (await setUp(begin(shape({ commands })))).on(decision('reject'));
    expect(mainOf(story).state).toBe('without');
    expect(decide(story.run)).toMatchObject([{ type: 'runCommand', kind: 'test' }]);
  });

  test('stops nothing if it was a guess', async () => {
    const { shape } = givenRepo();
    const story = await setUp(begin(shape({ commands, isGuess: true })));
    expect(openGates(story.run)).toEqual([]);
    expect(mainOf(story)).toMatchObject({ state: 'failed', changed: ['a.ts'] });
  });
});

test('a command that hangs ends at its time limit', async () => {
  const { shape } = givenRepo();
  const story = await setUp(begin(shape({ commands: [shell('sleep 600')] }, { commandTimeoutMs: 300 })));
  expect(mainOf(story)).toMatchObject({ state: 'failed', reason: expect.stringContaining('timed out after 300 ms') });
});

test('a command that waits for an answer gets none', async () => {
  const { shape } = givenRepo();
  const ask = shell('read answer; test -z "$answer" && mkdir node_modules && echo none > node_modules/answer');
  const story = await setUp(begin(shape({ commands: [ask] })));
  expect(mainOf(story).state).toBe('done');
});

test('a command that prints 100 MB leaves 64 MB, and the run goes on', async () => {
  const { shape } = givenRepo();
  const story = await setUp(begin(shape({ commands: [shell('head -c 100000000 /dev/zero')] })));
  expect(mainOf(story).state).toBe('done');
  const [command] = story.run.commands;
  expect(statSync(command?.stdoutPath ?? '').size).toBeLessThan(65 * 1024 * 1024);
});

describe('before a command uses the worktree', () => {
  const commands = [shell('mkdir -p node_modules && cat package-lock.json >> node_modules/made')];
  const made = ({ run }: Story) => readFileSync(join(run.worktreeRoot, 'node_modules/made'), 'utf8');
  const useIt = async (story: Story): Promise<Outcome> => {
    const due = decide(story.run).find(({ type }) => type === 'runCommand') ?? expect.fail('no command is due');
    return (await performWith()({ ...due, argv: ['true'] } as Effect)) ?? expect.fail('it brought nothing');
  };

  test('it is set up again if one of its inputs has changed', async () => {
    const { shape } = givenRepo();
    const story = await setUp(begin(shape({ commands, again: ['package-lock.json'] })));
    expect(await useIt(story)).toMatchObject({ type: 'commandEnded', ok: true });
    const next = await setUp(begin(shape({ commands, again: ['package-lock.json'] }, { runId: 'another' })));
    writeFileSync(join(next.run.worktreeRoot, 'package-lock.json'), '2\n');
    const outdated = await useIt(next);
    expect(outdated).toMatchObject({ type: 'setupOutdated', nth: 1, reason: 'package-lock.json changed' });
    const again = await setUp(next.on(outdated));
    expect(made(again)).toBe('1\n2\n');
    // The change is somebody's work, and none of the set-up.
    expect(readFileSync(join(again.run.worktreeRoot, 'package-lock.json'), 'utf8')).toBe('2\n');
    expect(mainOf(again)).toMatchObject({ nth: 2, state: 'done', changed: [] });
    expect(await useIt(again)).toMatchObject({ type: 'commandEnded', ok: true });
  });

  test('it is set up again if the worktree was removed, with the same ports', async () => {
    const { shape } = givenRepo();
    const story = await setUp(begin(shape({ commands, ports: ['PORT', 'DB_PORT'] })));
    rmSync(story.run.worktreeRoot, { recursive: true, force: true });
    const outdated = await useIt(story);
    expect(outdated).toMatchObject({ type: 'setupOutdated', reason: 'the worktree was made anew' });
    const again = await setUp(story.on(outdated));
    expect(made(again)).toBe('1\n');
    expect(mainOf(again).ports).toEqual(mainOf(story).ports);
  });
});

test('a step that is done twice, as after a kill, changes nothing', async () => {
  const { repo, shape } = givenRepo();
  repo.write({ '.env': 'TOKEN=1\n' });
  const commands = [shell('echo 2 > a.ts; mkdir node_modules; echo >> node_modules/ran')];
  let story = begin(shape({ copy: ['.env'], commands, ports: ['PORT'] }));
  for (let due = decide(story.run).find(isOfSetup); due; due = decide(story.run).find(isOfSetup)) {
    const { ms: _, ...first } = ((await performWith()(due)) ?? {}) as Outcome & { ms?: number };
    const second = await performWith()(due);
    expect(second).toMatchObject(first);
    story = story.on(second as Outcome);
  }
  expect(mainOf(story)).toMatchObject({ state: 'done', changed: ['a.ts'] });
  expect(readFileSync(join(story.run.worktreeRoot, 'node_modules/ran'), 'utf8')).toBe('\n');
});

test('says how many files it has copied, until they are there', async () => {
  const { repo, shape } = givenRepo();
  repo.write(Object.fromEntries(Array.from({ length: 600 }, (_, nth) => [`node_modules/${nth}`, `${nth}\n`])));
  const told: unknown[] = [];
  const worktrees = {
    ...gitPorts.worktrees,
    copied: (_: string, copied: FilesCopied) => void told.push(copied),
    endCopy: (_: string, laneId: string) => void told.push(laneId),
  };
  const story = await setUp(begin(shape({ clone: ['node_modules'] })), performWith({ worktrees }));
  expect(mainOf(story).placed).toMatchObject([{ path: 'node_modules', how: 'cloned', files: 600 }]);
  expect(told).toEqual([
    { laneId: 'main', files: 0, bytes: 0 },
    { laneId: 'main', files: 500, bytes: expect.any(Number) },
    'main',
  ]);
});

test('a set-up may make the env file of its worktree, and no agent sees it as work', async () => {
  const { repo, where, shape } = givenRepo();
  repo.write({ '.env.example': 'MODE=test\n' });
  repo.git('add', '.');
  repo.git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'example');
  const there = { ...where, baseCommit: repo.git('rev-parse', 'HEAD') };
  const commands = [{ argv: ['cp', '.env.example', '.env'] }, shell('[ -e .env.test ] || cp .env.example .env.test')];
  const story = await setUp(begin(shape({ commands }, { where: there })));
  expect(mainOf(story)).toMatchObject({ state: 'done', excluded: ['.env.test'] });
  expect(readFileSync(join(story.run.worktreeRoot, '.env'), 'utf8')).toBe('MODE=test\n');
});

test('a set-up that is done again first ends what the one before left running', async () => {
  const { shape } = givenRepo();
  const listen = 'require("net").createServer().listen(process.env.PORT, "127.0.0.1", () => console.log("up"))';
  const serve = `rm -f log; setsid node -e '${listen}' >log 2>&1 & until grep . log; do sleep 0.02; done; grep up log`;
  const commands = [shell(serve)];
  const story = await setUp(begin(shape({ commands, ports: ['PORT'], again: ['package-lock.json'] })));
  writeFileSync(join(story.run.worktreeRoot, 'package-lock.json'), '2\n');
  const outdated = await performWith()(decide(story.run).find(({ type }) => type === 'runCommand') as Effect);
  expect(outdated).toMatchObject({ type: 'setupOutdated' });
  const again = await setUp(story.on(outdated as Outcome));
  onTestFinished(() => tearDownPlace(again.run, { ...placeOf(again.run, 'main'), name: 'main' }, { warn() {} }));
  expect(mainOf(again)).toMatchObject({ nth: 2, state: 'done' });
});

test('a worktree whose set-up failed is torn down, too: its first commands did something', async () => {
  const { repo, shape } = givenRepo();
  const log = join(repo.dir, '..', 'log');
  const commands = [shell(`echo up >> '${log}'`), shell('exit 3')];
  const teardown = [['sh', '-c', `echo "down $DEVFLOW_LANE" >> '${log}'`]];
  const { run } = await setUp(begin(shape({ commands, teardown })));
  await tearDownPlace(run, { ...placeOf(run, 'main'), name: 'main' }, { warn: expect.fail });
  expect(readFileSync(log, 'utf8')).toBe('up\ndown main\n');
});

test('a worktree that is gone needs no teardown', async () => {
  const { shape } = givenRepo();
  const { run } = begin(shape({ commands: [shell('true')], teardown: [['true']] }));
  await tearDownPlace(run, { ...placeOf(run, 'main'), name: 'main' }, { warn: expect.fail });
});

test('lanes that are set up at the same time get ports of their own', async () => {
  const { shape } = givenRepo();
  const setup = { ports: ['PORT', 'DB_PORT'] };
  const planned = until(given(shape(setup, { template: 'lanes' })), ({ lanes }) => lanes.length === 3);
  const open: Run[] = [planned.run, { ...newRun(shape(setup)).run }];
  const perform = performWith({ openRuns: () => open });
  const due = decide(planned.run).filter(({ type }) => type === 'placeWorktree');
  const outcomes = await Promise.all(due.map((effect) => perform(restored(effect, planned.run))));
  const numbers = outcomes.flatMap((outcome) =>
    outcome?.type === 'worktreePlaced' ? Object.values(outcome.ports) : [],
  );
  expect(new Set(numbers).size).toBe(4);
});

/** The lanes of the story build on commits that the repository does not have. */
function restored(effect: Effect, { baseCommit }: Run): Effect {
  return effect.type === 'placeWorktree' ? { ...effect, lane: { ...effect.lane, startCommit: baseCommit } } : effect;
}
