import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { ApprovalSummary } from '../../schemas/rpc/views/approval.ts';
import { readJournal } from '../fixtures/scripted/journal.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { daemonWithPanes } from '../helpers/paneDaemon.ts';
import { until } from '../helpers/until.ts';
import { payloads, proveEnd, scenario } from './support.ts';

const QUESTION = 'Which database should I use, PostgreSQL or SQLite?';

const quickChange = (daemon: TestDaemon, requirements: string) =>
  startRun(daemon, {
    repo: daemon.repo().dir,
    template: 'quick-change@1',
    backend: { implementer: 'codex' },
    requirements,
  });

/** The gate that is open because a turn ended, other than these. */
const turnGate = (daemon: TestDaemon, runId: string, ...known: string[]): Promise<ApprovalSummary> =>
  until('a turn has ended', async () => {
    const gates = await daemon.call('approval.list', { runId });
    return gates.find(
      ({ gateKey, id, state }) => gateKey === 'turn_ended' && state === 'pending' && !known.includes(id),
    );
  });

async function promptsOf(configDir: string) {
  return (await readJournal(configDir)).filter(({ uuids }) => uuids.length > 0);
}

test('an agent that asks in prose is shown at once, and an answer goes on in its conversation', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  await daemon.start(env);
  const runId = await quickChange(daemon, scenario('prose'));
  const gate = await turnGate(daemon, runId);
  expect(gate).toMatchObject({ kind: 'turn', phaseKey: 'implement', words: expect.stringContaining(QUESTION) });
  expect((await daemon.cli(['approval', 'list'])).stdout).toContain(QUESTION);
  expect((await daemon.cli(['approval', 'show', gate.id])).stdout).toContain(QUESTION);
  const run = await daemon.call('run.get', { runId });
  expect(run).toMatchObject({ waitsForPerson: true, waitingFor: expect.stringContaining('turn_ended') });

  const answer = ['approval', 'request-changes', gate.id, '--comment', 'Use PostgreSQL.'];
  expect((await daemon.cli(answer)).code).toBe(0);
  const events = await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  // Nothing was waited for in between.
  const at = events.findIndex(({ type }) => type === 'run.stalled');
  expect(events.slice(at, at + 3).map(({ type }) => type)).toEqual([
    'run.stalled',
    'approval.requested',
    'approval.resolved',
  ]);
  const [asked, told, ...more] = await promptsOf(configDir);
  expect(more).toEqual([]);
  expect(asked?.text).toContain('Make it better.');
  expect(told?.text).toContain('A person answered you:\nUse PostgreSQL.');
  expect(told?.text).not.toContain('Make it better.');
  expect(told).toMatchObject({ sessionId: asked?.sessionId, pid: asked?.pid });
});

test('the question goes away when a person types in the pane, and the agent can be asked again', async () => {
  const { daemon, env } = await daemonWithPanes();
  await daemon.start({ ...env, SCRIPTED: 'busy-ms=1500' });
  const runId = await quickChange(daemon, scenario('prose'));
  const first = await turnGate(daemon, runId);
  const { tmux: pane } = await daemon.call('session.attachTarget', {});
  execFileSync('tmux', ['-S', pane.socket, 'send-keys', '-t', pane.paneId, 'PostgreSQL', 'Enter']);
  const second = await turnGate(daemon, runId, first.id);
  const gates = await daemon.call('approval.list', { runId, all: true });
  expect(gates.find(({ id }) => id === first.id)).toMatchObject({ state: 'aborted' });
  expect(second.words).toContain('READY');
  expect((await daemon.cli(['approval', 'request-changes', second.id])).code).toBe(0);
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
});

test('devflow reminds an agent once, and then a person decides', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  await daemon.start({ ...env, SCRIPTED: 'busy-ms=150,scenario=no-artifact', DEVFLOW_IDLE_TIMEOUT_MS: '500' });
  const runId = await quickChange(daemon, 'Make it better.');
  const isRecovery = ({ type, payload }: { type: string; payload: Record<string, unknown> }) =>
    type === 'approval.requested' && payload.kind === 'recovery';
  const events = await drive(daemon, runId, { stopAt: isRecovery, decide: () => undefined });
  expect(await daemon.call('run.get', { runId })).toMatchObject({
    state: 'paused',
    reason: expect.stringContaining('Done. I have written the file.'),
  });
  expect(payloads(events, 'approval.requested').map(({ gateKey }) => gateKey)).toEqual([
    'turn_ended',
    'turn_ended',
    'recovery',
  ]);
  expect(payloads(events, 'artifact.missing')).toMatchObject([{ attempt: 1 }]);
  expect(payloads(events, 'artifact.timeout')).toEqual([]);
  const prompts = await promptsOf(configDir);
  expect(prompts.map(({ text }) => text?.includes('is still missing; it is due by'))).toEqual([false, true]);
  expect(prompts.map(({ text }) => text?.includes('Make it better.'))).toEqual([true, false]);
});
