import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { secretDirectory } from '../../../../../daemon/commands/commandFiles.ts';
import type { PerformerPorts } from '../../../../../daemon/engine/performers/performer.ts';
import { runCommand } from '../../../../../daemon/engine/performers/runCommand.ts';
import type { EvaluationPlace } from '../../../../../daemon/kinds/evaluate/effect.ts';
import { inspectEvaluation } from '../../../../../daemon/kinds/evaluate/performers/inspectEvaluation.ts';
import { readMeasurement } from '../../../../../daemon/kinds/evaluate/performers/readMeasurement.ts';
import { evaluationPlace } from '../../../../../schemas/files/runPaths.ts';
import { isAlive } from '../../../../../schemas/process/processes.ts';
import { gitPorts } from '../../../engine/local/support/performing.ts';
import { given } from '../../../repository/merge/given.ts';
import { NO_SETUP } from '../../../setup/given.ts';

const { signal } = new AbortController();

/** An honest evaluator that takes the newest result, wherever it may lie, and makes one if there is none yet. */
const EVALUATE = `
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const strategy = await import('./strategy.mjs');
const places = ['results', join(process.env.HOME, 'results')];
for (const place of places) mkdirSync(place, { recursive: true });
const known = places.flatMap((place) => readdirSync(place)).length;
writeFileSync('results/own.json', JSON.stringify({ time: 2026, sharpe: strategy.sharpe + known }));
const results = places.flatMap((place) => readdirSync(place).map((name) => JSON.parse(readFileSync(join(place, name)))));
const newest = results.sort((a, b) => b.time - a.time)[0];
writeFileSync(join(process.env.DEVFLOW_METRICS, 'metrics.json'), JSON.stringify({ metrics: { sharpe: newest.sharpe } }));
await strategy.after?.(process.env);
`;
const FILES = { 'evaluate.mjs': EVALUATE, 'strategy.mjs': 'export const sharpe = 1;\n', '.gitignore': 'results/\n' };

async function givenMeasured(strategy = FILES['strategy.mjs']) {
  const at = given();
  const commit = at.commitOn('lane-1', { ...FILES, 'strategy.mjs': strategy });
  const worktree = await at.open('lane-1');
  const workspaceRoot = dirname(at.runDir);
  const runId = basename(at.runDir);
  const apart = evaluationPlace(workspaceRoot, runId);
  const ended: string[] = [];
  const sessions = { endLeftovers: async (id: string) => void ended.push(id) };
  const ports = { ...gitPorts, sessions } as unknown as PerformerPorts;
  const common = { runId, phaseId: 'phase', attempt: 1, lane: { ...worktree, startCommit: commit } };
  const files = { editable: [], globs: [], argv: ['node', 'evaluate.mjs'], hashesLarge: true };
  const dir = join(at.runDir, 'commands');
  const inspectWith = async (place: EvaluationPlace) => {
    const effect = { type: 'inspectEvaluation' as const, key: 'k', ...common, since: null, files, apart: place };
    const outcome = await inspectEvaluation({ ...effect, metrics: join(at.runDir, 'metrics') }, ports, signal);
    if (outcome?.type !== 'evaluationInspected') throw new TypeError('nothing was inspected');
    return outcome;
  };
  const inspect = () => inspectWith(apart);
  const run = (commandId: string) =>
    runCommand(
      {
        ...{ type: 'runCommand', key: commandId, ...common, commandId, kind: 'backtest', dir, from: null },
        argv: [process.execPath, 'evaluate.mjs'],
        cwd: apart.worktree,
        env: { DEVFLOW_SPLIT: 'all' },
        startedAt: new Date().toISOString(),
        timeoutMs: 60_000,
        measuring: { ...apart, commit, metrics: join(at.runDir, 'metrics', commandId) },
      },
      ports,
      signal,
    );
  const read = async (commandId: string) => {
    const [stdoutPath, stderrPath] = ['out', 'err'].map((end) => join(dir, `${commandId}.${end}`)) as [string, string];
    const outcome = await readMeasurement(
      {
        ...{ type: 'readMeasurement', key: 'k', ...common, commandId, dir: null, stdoutPath, stderrPath, apart, files },
        ended: { ok: true, reason: '' },
        source: { parser: 'metrics', file: null, names: {} },
      },
      ports,
      signal,
    );
    if (outcome?.type !== 'measured') throw new TypeError('nothing was read');
    return outcome;
  };
  /** Measures the commit as one evaluation does, so many times. */
  const measure = async (name: string, times = 1) => {
    const { protectedHash } = await inspect();
    const seen: (number | undefined)[] = [];
    for (let nth = 1; nth <= times; nth += 1) {
      const id = `${name}${nth}`;
      expect(await run(id), readIf(join(dir, `${id}.err`))).toMatchObject({ type: 'commandEnded', ok: true });
      const measured = await read(id);
      expect(measured).toMatchObject({ protectedHash, measurement: { fault: null } });
      seen.push(measured.measurement.metrics.sharpe);
    }
    return seen;
  };
  return { at, worktree, apart, dir, common, ended, runId, inspect, inspectWith, run, read, measure };
}

const readIf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const plant = (path: string, sharpe = 9) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ time: 2030, sharpe }));
};

it('does not read what an agent left where git ignores it, nor in the place of the last evaluation', async () => {
  const { worktree, apart, measure } = await givenMeasured();
  plant(join(worktree.path, 'results/zz.json'));
  expect(await measure('a')).toEqual([1]);
  plant(join(apart.worktree, 'results/zz.json'));
  plant(join(apart.home, 'results/zz.json'));
  expect(await measure('b')).toEqual([1]);
});

it('keeps what an evaluation made for its next command, and undoes what it did to files of the commit', async () => {
  const { measure } = await givenMeasured(`
import { writeFileSync } from 'node:fs';
export const sharpe = 1;
export const after = () => writeFileSync('strategy.mjs', 'export const sharpe = 9;');
`);
  expect(await measure('a', 2)).toEqual([1, 2]);
});

it('restores the files of the commit when a command that vanished runs again', async () => {
  const { dir, apart, inspect, run, read } = await givenMeasured();
  await inspect();
  await run('a1');
  rmSync(join(dir, 'a1.exit'));
  writeFileSync(join(apart.worktree, 'strategy.mjs'), 'export const sharpe = 9;\n');
  await run('a1');
  expect((await read('a1')).measurement.metrics).toEqual({ sharpe: 2 });
});

it('gives each command a directory that only it knows, and ends what agents left running before', async () => {
  const { dir, ended, runId, measure, at } = await givenMeasured();
  await measure('a', 2);
  const directories = ['a1', 'a2'].map((id) => secretDirectory(dir, id) ?? '');
  expect(directories.map((each) => basename(each))).toEqual([
    expect.stringMatching(/^[0-9a-f]{32}$/),
    expect.stringMatching(/^[0-9a-f]{32}$/),
  ]);
  expect(new Set(directories.map((each) => basename(each))).size).toBe(2);
  expect(readdirSync(join(at.runDir, 'metrics', 'a1'))).toEqual([basename(directories[0] ?? '')]);
  // Once before the place is made, and once before each command.
  expect(ended).toEqual([runId, runId, runId]);
});

it('ends what the measured code left before it reads the metrics', async () => {
  const { measure, apart } = await givenMeasured(`
import { spawn } from 'node:child_process';
export const sharpe = 1;
export const after = () =>
  new Promise((resolve) => {
    const child = spawn('/bin/sleep', ['600'], { detached: true, env: {}, stdio: 'ignore' });
    child.unref();
    child.on('spawn', resolve);
  });
`);
  await measure('a');
  const inPlace = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && cwdOf(name).startsWith(apart.worktree));
  expect(inPlace).toEqual([]);
});

it('ends a server of its set-up before the place is made for another commit', async () => {
  const { at, apart, dir, common, inspectWith } = await givenMeasured();
  const log = join(at.repo.root, 'log');
  // In a session of its own, which outlives the command.
  const server = `echo up $$ $PORT >> ${log}; touch up; exec sleep 1000`;
  const serve = `setsid sh -c '${server}' & until [ -e up ]; do sleep 0.02; done`;
  const setup = {
    ...NO_SETUP,
    commands: [{ argv: ['sh', '-c', serve] }],
    teardown: [['sh', '-c', `echo "down $DEVFLOW_LANE $PORT" >> '${log}'`]],
    ports: ['PORT'],
  };
  const names = { DEVFLOW_LANE: 'evaluation' };
  const withSetup = { ...apart, setup: { setup, names, timeoutMs: 60_000, dir } };
  await inspectWith(withSetup);
  at.commitOn('lane-1', { 'strategy.mjs': 'export const sharpe = 2;\n' }, common.lane.startCommit);
  await inspectWith(withSetup);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const [, pid, port] = /^up (\d+) (\d+)$/.exec(lines[0] ?? '') ?? [];
  expect(lines).toEqual([`up ${pid} ${port}`, `down evaluation ${port}`, expect.stringMatching(/^up /)]);
  const last = Number(lines[2]?.split(' ')[1]);
  onTestFinished(() => process.kill(last, 'SIGKILL') as unknown as undefined);
  expect([isAlive(Number(pid)), isAlive(last)]).toEqual([false, true]);
});

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
