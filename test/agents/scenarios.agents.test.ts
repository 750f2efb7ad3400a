import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { payloads, proveEnd, untilGate } from '../e2e/support.ts';
import { drive } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { deliveriesOf, quickRun, stalled } from './support/realDaemon.ts';

/** Long enough for a working agent, and short for one that never works. */
const SHORT = { DEVFLOW_ARTIFACT_TIMEOUT_MS: '6000' };
const ASKED = ['session.created', 'session.ready', 'prompt.sent', 'artifact.expected', 'session.busy'];
const REPAIRED = ['artifact.invalid', 'session.idle', 'prompt.repaired', 'artifact.expected', 'session.busy'];

const isRecovery = ({ type, payload }: EventView) => type === 'approval.requested' && payload.kind === 'recovery';
const undecided = { stopAt: isRecovery, decide: () => undefined };

describe.each(['claude', 'codex'] as const)('%s', (program) => {
  test('ok, with a command: one prompt, one artifact, and the change is in the worktree', async () => {
    const { daemon, runId, model } = await quickRun(program, { scenario: 'command' });
    const events = await drive(daemon, runId);
    expect(untilGate(events)).toEqual([...ASKED, 'artifact.validated', 'session.idle', 'approval.requested']);
    const { run } = await proveEnd(daemon, runId, 'completed');
    expect(readFileSync(join(run.worktreeRoot, 'ran.txt'), 'utf8')).toBe('ran\n');
    expect(existsSync(join(run.worktreeRoot, 'stub', 'implement-1.md'))).toBe(true);
    expect(deliveriesOf(model)).toEqual([1]);
  });

  test('invalid, then ok: one repair prompt is enough', async () => {
    const { daemon, runId, model } = await quickRun(program, { scenario: 'invalid-then-ok' });
    const events = await drive(daemon, runId);
    const types = [...ASKED, ...REPAIRED, 'artifact.validated', 'session.idle', 'approval.requested'];
    expect(untilGate(events)).toEqual(types);
    await proveEnd(daemon, runId, 'completed');
    expect(deliveriesOf(model)).toEqual([1, 1]);
  });

  test('outside: denied without a question, and the run continues', async () => {
    const { daemon, runId } = await quickRun(program, { scenario: 'outside' });
    const events = await drive(daemon, runId);
    const { run } = await proveEnd(daemon, runId, 'completed');
    expect(existsSync(`${run.worktreeRoot}-outside.txt`)).toBe(false);
    expect(payloads(events, 'run.stalled').filter(({ stall }) => stall)).toEqual([]);
  });

  test('http-500: reports the error with the time of the next try, and counts no recovery', async () => {
    const env = { ...SHORT, DEVFLOW_ERROR_RETRY_MS: '3000' };
    const real = await quickRun(program, { scenario: 'http-500', env });
    const { daemon, runId, model } = real;
    const run = await stalled(real);
    expect(run.sessions[0]).toMatchObject({ state: 'BUSY', stall: { cause: 'error', until: expect.any(String) } });
    expect(run.waitingFor).toMatch(/ended its turn with an error: .*; devflow prompts it again at /);
    model.play('ok');
    const events = await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    expect(payloads(events, 'prompt.sent').slice(0, 2)).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
    for (const type of ['artifact.timeout', 'session.recovered']) expect(payloads(events, type)).toEqual([]);
    expect(deliveriesOf(model)).toEqual([1, 1]);
  });
});

test('invalid twice: opens a gate, which a person approves once the agent can do better', async () => {
  const { daemon, runId, model } = await quickRun('codex', { scenario: 'invalid' });
  const events = await drive(daemon, runId, undecided);
  const types = [...ASKED, ...REPAIRED, 'artifact.invalid', 'session.idle', 'approval.requested'];
  expect(untilGate(events)).toEqual(types);
  expect(events.at(-1)?.payload.subject).toMatchObject({ code: 'artifact_invalid_after_repair' });
  expect(await daemon.call('run.get', { runId })).toMatchObject({ state: 'paused' });
  model.play('ok');
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(deliveriesOf(model)).toEqual([1, 1, 1]);
});

test.each(['claude', 'codex', 'gemini', 'opencode'] as const)(
  'claims-done: %s is shown with its last words, and reminded in the same conversation',
  async (program) => {
    const real = await quickRun(program, { scenario: 'claims-done', env: { DEVFLOW_IDLE_TIMEOUT_MS: '1000' } });
    const { daemon, runId, model } = real;
    const run = await stalled(real);
    expect(run.sessions[0]).toMatchObject({ state: 'BUSY', stall: { cause: 'idle' } });
    expect(run.waitingFor).toContain('a decision at turn_ended');
    model.play('ok');
    const events = await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    expect(payloads(events, 'approval.requested')[0]).toMatchObject({
      gateKey: 'turn_ended',
      subject: { words: expect.stringContaining('Done with implement, attempt 1.') },
    });
    const types = [...ASKED, 'run.stalled', 'approval.requested', 'artifact.missing', 'session.idle', 'prompt.sent'];
    const from = events.findIndex(({ type }) => type === 'session.created');
    expect(events.slice(from, from + types.length).map(({ type }) => type)).toEqual(types);
    expect(deliveriesOf(model).every((times) => times === 1)).toBe(true);
  },
);

test('slow: stays busy while the model answers', async () => {
  const { daemon, runId, model } = await quickRun('claude', { scenario: 'slow' });
  await until('the model is at it', () => model.heard.some(({ kind, newest }) => kind === 'turn' && newest));
  const busy = await until('the run knows', async () => {
    const { sessions } = await daemon.ask('run.get', { runId });
    return sessions[0]?.state === 'BUSY' ? sessions[0] : undefined;
  });
  const why = await daemon.call('session.why', { sessionId: busy.sessionId });
  expect(why).toMatchObject({ state: 'BUSY', sentence: expect.stringContaining('busy') });
  model.release();
  const events = await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'run.stalled').filter(({ stall }) => stall)).toEqual([]);
});

test('http-500 without end: asks a person after the third turn', async () => {
  const { daemon, runId, model } = await quickRun('codex', {
    scenario: 'http-500',
    env: { DEVFLOW_ERROR_RETRY_MS: '3000' },
  });
  const events = await drive(daemon, runId, undecided);
  expect(events.at(-1)?.payload.subject).toMatchObject({ code: 'backend_failing' });
  expect(payloads(events, 'prompt.sent').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  model.play('ok');
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
});
