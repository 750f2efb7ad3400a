import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDaemon, shareDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { daemonWithPanes, ROLES } from '../helpers/paneDaemon.ts';
import { seatRobot } from '../helpers/robot.ts';
import { until } from '../helpers/until.ts';
import { deskFor } from './dashboard.ts';
import { proveEnd } from './support.ts';

const sharedDaemon = shareDaemon();

test('the short verbs need no id while one gate or run fits, and list all if several do', async () => {
  const daemon = sharedDaemon();
  const repo = daemon.repo();
  const say = (...words: string[]) => daemon.cli(words, { cwd: repo.dir });
  const start = () => say('start', '--template', 'quick-change@1', '-m', 'Greet.', '--backend', 'implementer=fake');
  const waiting = async (count: number) => {
    const gates = () => daemon.call('approval.list', { all: false, limit: 0 });
    await until(`${count} gates wait`, async () => (await gates()).length === count);
    return gates();
  };

  expect(await say('approve')).toMatchObject({ code: 2, stderr: expect.stringContaining('no gate waits that takes') });
  expect((await start()).code).toBe(0);
  const [first] = await waiting(1);
  expect((await say('approval', 'show')).stdout).toContain(first?.id);
  expect((await say('show')).stdout).toContain(first?.runId);
  // Everything that has an id can be shown by it; a run comes first.
  expect((await say('show', first?.id.slice(0, 8) ?? '')).stdout).toMatch(new RegExp(`^approval +${first?.id}`, 'm'));
  expect(await say('show', 'ffffffff')).toMatchObject({ stderr: expect.stringContaining('no run') });
  // A script that ends a run must name it.
  expect(await say('reject')).toMatchObject({ code: 2, stderr: expect.stringContaining('Or confirm with --yes.') });
  expect(await say('approve')).toMatchObject({ code: 2, stderr: expect.stringContaining('names no gate') });
  const approved = await say('approve', '--yes');
  expect(approved).toMatchObject({ code: 0, stderr: '' });
  expect(approved.stdout).toMatch(
    /^Approved: .* of run [0-9a-f]{8}\. The run completes\. Its work stays on its branch.*\n$/,
  );
  await proveEnd(daemon, first?.runId ?? '', 'completed');

  expect((await say('diff', '--name-only')).stdout).not.toBe('');
  expect(await say('apply', '--print')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('push') });
  expect((await say('apply', '--yes')).code).toBe(0);

  for (let nth = 0; nth < 2; nth += 1) {
    expect(
      (await say('start', '--parallel', '--template', 'quick-change@1', '-m', 'x', '--backend', 'implementer=fake'))
        .code,
    ).toBe(0);
  }
  const both = await waiting(2);
  for (const words of [
    ['approve'],
    ['changes', '--comment', 'x'],
    ['reject', '--yes'],
    ['approval', 'approve'],
    ['show'],
  ]) {
    const { code, stderr } = await say(...words);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^devflow: 2 .* \[usage\]\. Name one by its id\.\n$/);
  }
  const { stderr } = await say('approve', '--json');
  expect(JSON.parse(stderr).error.data.ids.toSorted()).toEqual(both.map(({ id }) => id).toSorted());
  for (const { id, runId } of both) {
    expect((await say('approve', id.slice(0, 8))).code).toBe(0);
    await proveEnd(daemon, runId, 'completed');
  }
});

test('down leaves the tmux server of an agent, and no empty one', async () => {
  const { daemon, env, tmux } = await daemonWithPanes();
  await daemon.start(env);
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES, requirements: 'Make it better.' });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  await daemon.stop();
  expect(tmux('list-sessions')).toContain('devflow-');
  await daemon.start(env);
  await daemon.call('run.abort', { runId });
  await proveEnd(daemon, runId, 'aborted');
  await until('its agents have ended', () => tmux('list-sessions', '-F', '#{session_name}') === 'devflow_control');
  await daemon.stop();
  expect(() => tmux('list-sessions')).toThrow();
});

test('up says which settings changed since the daemon started, and offers a restart', async () => {
  const daemon = await makeDaemon();
  expect((await daemon.upByCommand()).code).toBe(0);
  expect((await daemon.cli(['up'])).stderr).toBe('');
  const config = join(daemon.env.DEVFLOW_HOME ?? '', 'config.yaml');
  writeFileSync(config, 'maxConcurrentAgents: 3\n');

  const { stdout, stderr, code } = await daemon.cli(['up']);
  expect(code).toBe(0);
  expect(stdout).toContain('devflow is already up');
  expect(stderr).toContain('config.yaml changed since the daemon started. It still has its old settings.');
  expect(stderr).toContain('devflow down, then devflow up');
  expect(JSON.parse((await daemon.cli(['up', '--json'])).stdout)).toMatchObject({ changedSettings: [config] });
  expect((await daemon.cli(['status'])).stderr).toContain('devflow up offers a restart');

  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { columns: 120 });
  const types = (words: string) => robot.type(`clear; ${desk.devflow} ${words}; echo "exit $?"\n`);
  const { pid } = (await daemon.call('daemon.status', {})).daemon;
  types('up');
  await robot.sees('Restart the daemon with the new settings? Runs and agents continue. [y/N]');
  robot.press('Enter');
  await robot.sees('exit 0');
  expect((await daemon.call('daemon.status', {})).daemon.pid).toBe(pid);
  types('up');
  await robot.sees('[y/N]');
  robot.type('y\n');
  await robot.sees('devflow is up');
  await robot.sees('exit 0');
  const after = await daemon.call('daemon.status', {});
  expect(after.daemon.pid).not.toBe(pid);
  expect(after.agentSlots).toMatchObject({ limit: 3 });
  expect((await daemon.cli(['up'])).stderr).toBe('');
});
