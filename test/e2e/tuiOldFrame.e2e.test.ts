import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { CODE } from '../../tui/bundle.ts';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { startRun } from '../helpers/drive.ts';
import { type Robot, seatRobotInTmux } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';

const framesOf = (daemon: TestDaemon) => resolvePaths(daemon.env).oldFrames;

/** A person who has looked at the list of runs and closed it. */
async function givenSeenList(env: Record<string, string> = {}) {
  const daemon = await startDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir, template: 'development@1' });
  const desk = deskFor(daemon);
  const seat = { ...desk, env: { ...desk.env, ...env } };
  const { robot } = await seatRobotInTmux(seat, 'person', { columns: 120, rows: 36, config: desk.config });
  robot.openPopup('F');
  await robot.sees('waiting for a decision');
  await close(robot);
  return { daemon, robot, runId, row: runId.slice(0, 8) };
}

async function close(robot: Robot): Promise<void> {
  robot.press('q');
  // Until the popup itself is gone, it gets the keys.
  await robot.loses('┌');
}

/** Runs it while the daemon answers nothing. */
async function whileStopped(daemon: TestDaemon, use: () => Promise<void>): Promise<void> {
  process.kill(daemon.pid(), 'SIGSTOP');
  try {
    await use();
  } finally {
    process.kill(daemon.pid(), 'SIGCONT');
  }
}

test('a popup shows the last list, marked as old, until the daemon has answered', async () => {
  const { daemon, robot, row } = await givenSeenList();
  const [name = ''] = readdirSync(framesOf(daemon));
  expect(readdirSync(framesOf(daemon))).toHaveLength(1);
  expect(statSync(join(framesOf(daemon), name)).mode & 0o777).toBe(0o600);
  await whileStopped(daemon, async () => {
    robot.openPopup('F');
    await robot.sees(/Old: from \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\. Reading the daemon…/);
    await robot.sees(row);
    await robot.sees('◌');
  });
  await robot.loses('Old: from');
  await robot.sees(row);
  await robot.sees('●');

  // Another size has no old list.
  await close(robot);
  await whileStopped(daemon, async () => {
    robot.resize(110, 30);
    robot.openPopup('F');
    await robot.sees('Loading…');
    expect(robot.screen().join('\n')).not.toContain('Old: from');
  });
  await robot.sees(row);
});

test('a key is never for the old list, and what changed meanwhile is shown', async () => {
  const { daemon, robot, runId, row } = await givenSeenList();
  await daemon.call('run.abort', { runId });
  await whileStopped(daemon, async () => {
    robot.openPopup('F');
    await robot.sees('Old: from');
    await robot.sees('decision');
    robot.press('Enter');
    await robot.loses('Old: from');
    await robot.sees('Loading…');
  });
  await robot.sees('aborted');
  await robot.sees(row);
});

test('a Node that is not the pinned one shows the old list too', async () => {
  const { daemon, robot } = await givenSeenList({ DEVFLOW_NODE: process.execPath });
  await whileStopped(daemon, async () => {
    robot.openPopup('F');
    await robot.sees('Old: from');
  });
});

test('an old list never hides that no daemon runs', async () => {
  const { daemon, robot } = await givenSeenList();
  await daemon.stop();
  robot.openPopup('F');
  await robot.sees('No daemon answers');
  expect(robot.screen().join('\n')).not.toContain('Old: from');
});

test('this Node takes the code that the build compiled', () => {
  const dist = join(inject('built'), 'dist');
  const program =
    "const { compileBundle, CODE } = await import(process.argv[1]); const { readFileSync } = await import('node:fs');" +
    "const at = process.argv[2]; console.log(compileBundle(at + '/tui.cjs', readFileSync(at + '/' + CODE)).cachedDataRejected);";
  const bundle = join(import.meta.dirname, '../../tui/bundle.ts');
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program, bundle, dist];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('false\n');
});

test.for(['missing', 'of another Node'] as const)('opens with compiled code that is %s', async (kind) => {
  const daemon = await startDaemon();
  const code = join(inject('built'), 'dist', CODE);
  const kept = `${code}.kept`;
  renameSync(code, kept);
  try {
    if (kind !== 'missing') writeFileSync(code, 'not compiled by this Node');
    const desk = deskFor(daemon);
    const { robot } = await seatRobotInTmux(desk, 'person', { columns: 120, rows: 36, config: desk.config });
    robot.openPopup('F');
    await robot.sees('No runs yet.');
  } finally {
    rmSync(code, { force: true });
    renameSync(kept, code);
  }
});
