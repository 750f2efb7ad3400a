import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, inject, it } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { readJournal } from '../fixtures/scripted/journal.ts';
import { makeDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { type DriveOptions, drive, startRun } from '../helpers/drive.ts';
import { makePanes, ROLES } from '../helpers/paneDaemon.ts';
import { type RecordedInstall, restoreInstall } from '../helpers/recordedInstall.ts';
import { seatRobot } from '../helpers/robot.ts';
import { until } from '../helpers/until.ts';
import { deskFor } from './dashboard.ts';
import { proveEnd } from './support.ts';

/** An install of an older version: the same build under another number. Returns its devflow. */
function olderInstall(daemon: TestDaemon): string {
  const older = join(daemon.root, 'older');
  mkdirSync(older);
  for (const name of ['bin', 'dist']) cpSync(join(inject('built'), name), join(older, name), { recursive: true });
  for (const name of ['schemas', 'daemon', 'node_modules']) symlinkSync(join(packageRoot(), name), join(older, name));
  writeFileSync(join(older, 'package.json'), JSON.stringify({ name: 'devflow', version: '0.0.9' }));
  return join(older, 'bin', 'devflow');
}

it('up and a key of the dashboard restart a daemon of an older version, and its run continues', async () => {
  const daemon = await makeDaemon();
  const older = olderInstall(daemon);
  const up = () => execa(older, ['up'], { env: daemon.env, extendEnv: false, cwd: daemon.root });
  const versionOf = async () => (await daemon.call('daemon.status', {})).daemon.version;
  await up();
  expect(await versionOf()).toBe('0.0.9');
  expect((await daemon.upByCommand(['--json'])).stdout).toContain('"replaced"');
  const current = await versionOf();
  expect(current).not.toBe('0.0.9');
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });

  // The other way round: an older devflow leaves the newer daemon alone.
  const refused = await execa(older, ['up'], { env: daemon.env, extendEnv: false, cwd: daemon.root, reject: false });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('[version_mismatch]') });

  await daemon.cli(['down']);
  await up();
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { columns: 110, command: `exec ${desk.devflow} tui` });
  await robot.sees('has version 0.0.9');
  robot.press('U');
  await robot.sees(runId.slice(0, 8));
  expect(await versionOf()).toBe(current);
  const again = await daemon.cli(['up']);
  expect(again.stdout).toContain('is already up');

  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
});

it('up restarts the daemon and leaves agents in their panes, even in the middle of a turn', async () => {
  const { daemon, tmux, configDir } = await makePanes('busy-ms=4000');
  await execa(olderInstall(daemon), ['up'], { env: daemon.env, extendEnv: false, cwd: daemon.root });
  const request = { repo: daemon.repo().dir, template: 'development@1', requirements: 'Make it better.' };
  const started = await daemon.call('run.start', { ...request, backend: ROLES, bind: {}, dryRun: false });
  const { runId } = started as { runId: string };
  const prompts = async () => (await readJournal(configDir)).filter(({ text }) => text?.includes(`Run: ${runId}`));
  await until('the agent works', async () => (await prompts()).length === 1);
  const panes = () => tmux('list-panes', '-aF', '#{pane_id} #{pane_pid} #{pane_dead}');
  const before = panes();
  const { stdout } = await daemon.upByCommand();
  expect(stdout).toContain('Restarting it. Runs and agents continue.');
  expect(panes().split('\n')).toEqual(expect.arrayContaining(before.split('\n')));
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect((await prompts()).map(({ merged }) => merged)).toEqual([false, false, false]);
});

interface OldRun {
  name: RecordedInstall;
  behaviour: number;
  decide?: DriveOptions['decide'];
  /** Of each phase, in the end. */
  attempts: number[];
}

const OLD_RUNS: OldRun[] = [
  {
    name: 'version-1',
    behaviour: 1,
    // The run waits at its third gate. It comes there again with the reworked change.
    decide: (_, nth) => (nth === 3 ? { action: 'request_changes', comment: 'Once more.' } : { action: 'approve' }),
    attempts: [1, 1, 2, 2],
  },
  // It was killed during a turn, whose deadline can be over by now.
  { name: 'before-lanes', behaviour: 2, attempts: [1, 1, expect.any(Number), 1] },
];

it.each(OLD_RUNS)('the open run of $name goes on to its end after the migration', async (old) => {
  const daemon = await makeDaemon();
  const { runId } = await restoreInstall(daemon, old.name);
  const readRows = () => daemon.query('SELECT * FROM run_events WHERE run_id = $1 ORDER BY seq', [runId]);
  const recorded = await readRows();
  expect(recorded[0]?.payload).toMatchObject({ behaviour: old.behaviour });

  await daemon.start();
  await drive(daemon, runId, { decide: old.decide });
  const { run } = await proveEnd(daemon, runId, 'completed');
  expect(run.phases.map(({ attempts }) => attempts)).toEqual(old.attempts);
  expect((await readRows()).slice(0, recorded.length)).toEqual(recorded);
  for (const table of ['tui_sessions', 'artifacts', 'commands'])
    expect(await daemon.query(`SELECT DISTINCT lane_id FROM ${table}`)).toEqual([{ lane_id: 'main' }]);
});
