import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { makeDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { makePanes } from '../helpers/paneDaemon.ts';
import { until } from '../helpers/until.ts';
import { arrived } from './messageRuns.ts';
import { payloads, proveEnd, proveLog } from './support.ts';

function untilRun(
  daemon: TestDaemon,
  runId: string,
  what: string,
  is: (run: RunDetail) => boolean,
): Promise<RunDetail> {
  return until(what, async () => {
    const run = await daemon.ask('run.get', { runId });
    return is(run) ? run : undefined;
  });
}

const isAtRest = ({ sessions }: RunDetail) => sessions[0]?.stall?.cause === 'turn_over';

test('one line starts an agent, which is led until its work is finished and applied', async () => {
  const panes = await makePanes('busy-ms=400');
  const { daemon, tmux } = panes;
  const { dir } = daemon.repo();
  await daemon.start();
  const said = await daemon.cli(['start', '--backend', 'claude', 'Greet', 'a', 'person.'], { cwd: dir });
  expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('is started.')]);
  const runId = /Run (\S+) is started/.exec(said.stdout)?.[1] ?? '';
  const rested = await untilRun(daemon, runId, 'its first turn is over', isAtRest);
  expect(rested).toMatchObject({ title: 'Greet a person.', template: 'direct@1', waitsForPerson: true });
  const [got] = await arrived(panes, 'Greet a person.');
  expect(got).toMatchObject({ whileBusy: false, merged: false });

  // It dies at rest: nothing is said to it.
  const pane = async () => (await daemon.ask('session.attachTarget', { target: runId })).tmux.paneId;
  tmux('kill-pane', '-t', await pane());
  await until('it is back', async () => {
    const events = await proveLog(daemon, runId);
    return payloads(events, 'session.recovered').length === 1;
  });
  await untilRun(daemon, runId, 'it rests again', isAtRest);

  // The daemon and the agent die in a turn: it goes on with it.
  await daemon.cli(['message', runId, 'Say hello.']);
  await until('the message is taken', async () => (await arrived(panes, 'Say hello.')).length > 0);
  await daemon.kill('SIGKILL');
  tmux('kill-pane', '-t', tmux('list-panes', '-a', '-F', '#{pane_id}').trim().split('\n')[0] ?? '');
  await daemon.start();
  await until('it is told to go on', async () => (await arrived(panes, 'Go on and finish it.')).length > 0);
  await untilRun(daemon, runId, 'it rests at last', isAtRest);
  expect(await arrived(panes, 'Say hello.')).toHaveLength(1);

  const { worktreeRoot } = await daemon.ask('run.get', { runId });
  writeFileSync(join(worktreeRoot, 'hello.txt'), 'Hello, person.\n');
  const finished = await daemon.cli(['finish', '--json'], { cwd: dir });
  expect(JSON.parse(finished.stdout)).toMatchObject({ runId, changed: true });
  const [gate] = await until('its gate', async () => {
    const gates = await daemon.ask('approval.list', { runId });
    return gates.length > 0 ? gates : undefined;
  });
  const diff = await daemon.cli(['diff', runId, '--name-only'], { cwd: dir });
  expect(diff.stdout).toBe('hello.txt\n');
  await daemon.cli(['changes', gate?.id ?? '', '--comment', 'Say goodbye.', '--yes'], { cwd: dir });
  await until('the request is a message', async () => (await arrived(panes, 'Say goodbye.')).length > 0);
  await untilRun(daemon, runId, 'that turn is over', isAtRest);
  await daemon.cli(['finish', runId], { cwd: dir });
  await until('its second gate', async () => (await daemon.ask('approval.list', { runId })).length > 0);
  await daemon.cli(['approve', '--yes'], { cwd: dir });
  await proveEnd(daemon, runId, 'completed');
  expect((await daemon.cli(['apply', '--yes'], { cwd: dir })).code).toBe(0);
  expect(readFileSync(join(dir, 'hello.txt'), 'utf8')).toBe('Hello, person.\n');
});

test('a first start needs no devflow up before it', async () => {
  const daemon = await makeDaemon();
  const { dir } = daemon.repo();
  const said = await daemon.cli(['start', '--backend', 'fake', '--json', 'Greet', 'a', 'person.'], { cwd: dir });
  expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('devflow is up')]);
  const { runId } = JSON.parse(said.stdout) as { runId: string };
  const left = await daemon.cli(['down']);
  expect([runId, left.code]).toEqual([expect.any(String), 0]);
});
