import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { payloads, proveEnd, untilGate } from '../e2e/support.ts';
import { drive } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { deliveriesOf, quickRun } from './support/realDaemon.ts';

/** Long enough for one that works, and short for one that never does. */
const SHORT = { DEVFLOW_ARTIFACT_TIMEOUT_MS: '6000' };
const ASKED = ['session.created', 'session.ready', 'prompt.sent', 'artifact.expected', 'session.busy'];
const REPAIRED = ['artifact.invalid', 'session.idle', 'prompt.repaired', 'artifact.expected', 'session.busy'];

const isRecovery = ({ type, payload }: EventView) => type === 'approval.requested' && payload.kind === 'recovery';
const undecided = { stopAt: isRecovery, decide: () => undefined };

describe.each(['claude', 'codex'] as const)('%s', (program) => {
  test('ok, with a command: one prompt, one artifact, and what it changed is in the worktree', async () => {
    const { daemon, runId, model } = await quickRun(program, { scenario: 'command' });
    const events = await drive(daemon, runId);
    expect(untilGate(events)).toEqual([...ASKED, 'artifact.validated', 'session.idle', 'approval.requested']);
    const { run } = await proveEnd(daemon, runId, 'completed');
    expect(readFileSync(join(run.worktreeRoot, 'ran.txt'), 'utf8')).toBe('ran\n');
    expect(existsSync(join(run.worktreeRoot, 'stub', 'implement-1.md'))).toBe(true);
    expect(deliveriesOf(model)).toEqual([1]);
  });

  test('invalid, then ok: one repair prompt mends it', async () => {
    const { daemon, runId, model } = await quickRun(program, { scenario: 'invalid-then-ok' });
    const events = await drive(daemon, runId);
    const types = [...ASKED, ...REPAIRED, 'artifact.validated', 'session.idle', 'approval.requested'];
    expect(untilGate(events)).toEqual(types);
    await proveEnd(daemon, runId, 'completed');
    expect(deliveriesOf(model)).toEqual([1, 1]);
  });

  test('outside: denied without a question, and the run goes on', async () => {
    const { daemon, runId } = await quickRun(program, { scenario: 'outside' });
    const events = await drive(daemon, runId);
    const { run } = await proveEnd(daemon, runId, 'completed');
    expect(existsSync(`${run.worktreeRoot}-outside.txt`)).toBe(false);
    expect(payloads(events, 'run.stalled').filter(({ stall }) => stall)).toEqual([]);
  });

  test('http-500: an error is no end; the artifact is not there in time, and the agent is asked again', async () => {
    const { daemon, runId, model } = await quickRun(program, { scenario: 'http-500', env: SHORT });
    // The run waits for the artifact; why none will come is told where one asks for it.
    await until('it is told', async () => {
      const { sessions } = await daemon.ask('run.get', { runId });
      const [session] = sessions;
      if (session?.state !== 'BUSY') return false;
      const { signals } = await daemon.call('session.why', { sessionId: session.sessionId });
      return signals.some(({ signal, detail }) => signal === 'rule' && detail.startsWith('ERROR'));
    });
    await drive(daemon, runId, { stopAt: ({ type }) => type === 'artifact.timeout' });
    model.play('ok');
    const events = await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    expect(payloads(events, 'session.recovered')[0]).toMatchObject({ recoveryAttempts: 1 });
    expect(payloads(events, 'run.stalled').filter(({ stall }) => stall)).toEqual([]);
  });
});

test('invalid twice: a gate, which a person passes once the agent can do better', async () => {
  const { daemon, runId, model } = await quickRun('codex', { scenario: 'invalid' });
  const events = await drive(daemon, runId, undecided);
  expect(untilGate(events)).toEqual([
    ...[...ASKED, ...REPAIRED, 'artifact.invalid', 'session.idle'],
    ...['phase.failed', 'run.paused', 'approval.requested'],
  ]);
  expect(events.at(-1)?.payload.subject).toMatchObject({ code: 'artifact_invalid_after_repair' });
  expect(await daemon.call('run.get', { runId })).toMatchObject({ state: 'paused' });
  model.play('ok');
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(deliveriesOf(model)).toEqual([1, 1, 1]);
});

test('claims-done: without its artifact the time runs out, the agent is started again and asked again', async () => {
  const { daemon, runId, model } = await quickRun('claude', { scenario: 'claims-done', env: SHORT });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'artifact.timeout' });
  model.play('ok');
  const events = await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(untilGate(events).slice(0, 8)).toEqual([...ASKED, 'artifact.timeout', 'session.recovered', 'prompt.sent']);
  expect(payloads(events, 'prompt.sent').slice(0, 2)).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(deliveriesOf(model).every((times) => times === 1)).toBe(true);
});

test('slow: at work for as long as the model answers', async () => {
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
