import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { readJournal } from '../../fixtures/scripted/journal.ts';
import type { TestDaemon } from '../../helpers/daemon.ts';
import { drive, startRun } from '../../helpers/drive.ts';
import { daemonWithPanes } from '../../helpers/paneDaemon.ts';
import { until } from '../../helpers/until.ts';
import { payloads, proveEnd, scenario } from '../support.ts';

/** A run of one agent whose prompts name this scenario. */
const quickChange = (daemon: TestDaemon, does: string) =>
  startRun(daemon, {
    repo: daemon.repo().dir,
    template: 'quick-change@1',
    backend: { implementer: 'codex' },
    requirements: scenario(does),
  });

/** The run once its agent has stalled. */
function stalled(daemon: TestDaemon, runId: string): Promise<RunDetail> {
  return until(`run ${runId} waits for its agent to be helped`, async () => {
    const run = await daemon.ask('run.get', { runId });
    return run.sessions[0]?.stall ? run : undefined;
  });
}

/** Types into the pane of the agent that needs a person most, as that person. */
async function answer(daemon: TestDaemon, ...keys: string[]): Promise<void> {
  const { tmux } = await daemon.call('session.attachTarget', {});
  execFileSync('tmux', ['-S', tmux.socket, 'send-keys', '-t', tmux.paneId, ...keys]);
}

/** A notify command of the user that records each notice on a line. */
function notifyBy(daemon: TestDaemon): () => string[] {
  const program = join(daemon.root, 'notify');
  const kept = join(daemon.root, 'notices');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$2" >> '${kept}'\n`);
  chmodSync(program, 0o755);
  const { configFile } = resolvePaths(daemon.env);
  mkdirSync(dirname(configFile), { recursive: true });
  writeFileSync(configFile, `notify:\n  command: ['${program}']\n`);
  return () => (existsSync(kept) ? readFileSync(kept, 'utf8').trimEnd().split('\n') : []);
}

const promptsOf = async (configDir: string, runId: string) =>
  (await readJournal(configDir)).filter(({ text }) => text?.includes(`Run: ${runId}`));

test("waits for the answer to an agent's question, however long, and continues after it", async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  const notices = notifyBy(daemon);
  // Shorter than the person takes: the time-out does not count a stall.
  await daemon.start({ ...env, DEVFLOW_ARTIFACT_TIMEOUT_MS: '3000' });
  const runId = await quickChange(daemon, 'permission');
  const run = await stalled(daemon, runId);
  const [session] = run.sessions;
  const id = session?.sessionId ?? '';
  expect(session).toMatchObject({ state: 'WAITING_FOR_APPROVAL', stall: { cause: 'permission', until: null } });
  expect(run.waitingFor).toMatch(
    new RegExp(`asks for permission: .*; answer it in its pane: devflow attach ${id.slice(0, 8)}$`),
  );
  const why = await daemon.call('session.why', { sessionId: id });
  expect(why).toMatchObject({ state: 'WAITING_FOR_APPROVAL', sentence: expect.stringContaining('say waiting') });
  expect((await daemon.call('run.list', {}))[0]?.waitingFor).toBe(run.waitingFor);
  expect((await daemon.cli(['session', 'list'])).stdout).toContain('permission: ');
  // It is a gate too, but the CLI cannot decide it.
  const [gate] = (await daemon.call('approval.list', { runId })).filter(({ state }) => state === 'pending');
  expect(gate).toMatchObject({ gateKey: 'agent_asks', kind: 'agent', phaseKey: 'implement', state: 'pending' });
  const shown = await daemon.cli(['approval', 'show', gate?.id ?? '']);
  expect(shown.stdout).toContain(`answer it in its pane: devflow attach ${id.slice(0, 8)}`);
  expect(shown.stdout).not.toContain('approval approve');
  const refused = await daemon.cli(['approval', 'approve', gate?.id ?? '']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('does not type into dialogs') });
  await until('a notice', async () => notices().some((notice) => notice === run.waitingFor));

  const since = Date.parse(session?.stall?.since ?? '');
  await until('the time for an artifact is over', async () => Date.now() > since + 3_500);
  await answer(daemon, '1');
  const events = await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'artifact.timeout')).toEqual([]);
  const gates = await daemon.call('approval.list', { runId, all: true });
  expect(gates.find(({ kind }) => kind === 'agent')).toMatchObject({ id: gate?.id, state: 'aborted' });
  // The stall ends by a report or by the artifact, whichever comes first.
  expect(payloads(events, 'run.stalled').filter(({ stall }) => stall)).toMatchObject([
    { sessionId: id, nth: 1, stall: { cause: 'permission' } },
  ]);
  expect(await daemon.call('session.list', { runId })).toMatchObject([{ recoveryAttempts: 0, stall: null }]);
  expect(await promptsOf(configDir, runId)).toHaveLength(1);
});

test('resends the prompt after a usage limit ends, and counts no recovery', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  const limitMs = 15_000;
  const text = `You've hit your session limit · retry in ${limitMs / 1000}s`;
  const SCRIPTED = JSON.stringify({ 'busy-ms': 150, 'quota-text': text });
  await daemon.start({ ...env, SCRIPTED, DEVFLOW_ARTIFACT_TIMEOUT_MS: '2000' });
  const runId = await quickChange(daemon, 'quota-then-ok');
  const run = await stalled(daemon, runId);
  const [{ state, stall } = {}] = run.sessions;
  expect({ state, cause: stall?.cause }).toEqual({ state: 'BUSY', cause: 'quota' });
  const at = new Date(stall?.until ?? Number.NaN);
  expect(run.waitingFor).toContain(`it waits until ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
  const { stdout } = await daemon.cli(['status']);
  expect(stdout).toContain('1 has reached its usage limit');
  // The limit outlives a daemon that is killed.
  await daemon.kill('SIGKILL');
  await daemon.start({ ...env, SCRIPTED, DEVFLOW_ARTIFACT_TIMEOUT_MS: '2000' });
  const events = await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'artifact.timeout')).toEqual([]);
  expect(payloads(events, 'session.crashed')).toEqual([]);
  expect(await daemon.call('session.list', { runId })).toMatchObject([{ recoveryAttempts: 0, stall: null }]);
  const prompts = await promptsOf(configDir, runId);
  expect(prompts.map(({ text: said }) => said?.includes('The usage limit stopped you'))).toEqual([false, true]);
  expect(Date.parse(prompts[1]?.at ?? '')).toBeGreaterThanOrEqual(at.getTime());
});

test('retries a turn that ends in an error, and asks a person after the third', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  await daemon.start({ ...env, DEVFLOW_ERROR_RETRY_MS: '3000' });
  const once = await quickChange(daemon, 'error-then-ok');
  const events = await drive(daemon, once);
  await proveEnd(daemon, once, 'completed');
  expect(payloads(events, 'run.stalled')[0]).toMatchObject({
    stall: { cause: 'error', detail: 'server_error', until: expect.any(String) },
  });
  expect(payloads(events, 'artifact.timeout')).toEqual([]);
  const prompts = await promptsOf(configDir, once);
  expect(prompts.map(({ text }) => text?.includes('An error ended your turn'))).toEqual([false, true]);

  const always = await quickChange(daemon, 'error');
  const isRecovery = ({ type, payload }: { type: string; payload: Record<string, unknown> }) =>
    type === 'approval.requested' && payload.kind === 'recovery';
  await drive(daemon, always, { stopAt: isRecovery, decide: () => undefined });
  const run = await daemon.call('run.get', { runId: always });
  expect(run).toMatchObject({ state: 'paused', reason: expect.stringContaining('ended 3 turns with an error') });
  expect(await promptsOf(configDir, always)).toHaveLength(3);
});

test('opens a gate for an agent that must log in, and resends its work after approval', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  await daemon.start(env);
  const runId = await quickChange(daemon, 'login-then-ok');
  const isRecovery = ({ type, payload }: { type: string; payload: Record<string, unknown> }) =>
    type === 'approval.requested' && payload.kind === 'recovery';
  await drive(daemon, runId, { stopAt: isRecovery, decide: () => undefined });
  const run = await daemon.call('run.get', { runId });
  expect(run).toMatchObject({ state: 'paused', reason: expect.stringContaining('must be logged in') });
  expect(run.sessions[0]).toMatchObject({ recoveryAttempts: 0, stall: { cause: 'login' } });
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(await daemon.call('session.list', { runId })).toMatchObject([{ recoveryAttempts: 0 }]);
  expect(await promptsOf(configDir, runId)).toHaveLength(2);
});

test('aborts at once a run whose agent waits for a person before it starts', async () => {
  const { daemon, env } = await daemonWithPanes();
  await daemon.start({ ...env, SCRIPTED: 'trust' });
  const runId = await quickChange(daemon, 'ok');
  const run = await stalled(daemon, runId);
  expect(run.sessions[0]).toMatchObject({ state: 'BOOTSTRAPPING', stall: { cause: 'dialog' } });
  expect(run.waitingFor).toMatch(/asks (for permission|a question): |shows a dialog: /);
  expect(run.approvals).toMatchObject([{ gateKey: 'agent_asks', kind: 'agent', state: 'pending' }]);
  await daemon.call('run.abort', { runId, reason: 'enough' });
  await proveEnd(daemon, runId, 'aborted');
});

test('recovers an agent that hangs, and tells it to continue', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  await daemon.start({ ...env, DEVFLOW_MAX_HUNG_MS: '1500' });
  const runId = await quickChange(daemon, 'hang-then-ok');
  const events = await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'run.stalled')[0]).toMatchObject({ stall: { cause: 'hung' } });
  expect(payloads(events, 'session.recovered')).toMatchObject([{ recoveryAttempts: 1, how: 'resume' }]);
  const prompts = await promptsOf(configDir, runId);
  expect(prompts.map(({ text }) => text?.includes('You stopped moving'))).toEqual([false, true]);
});
