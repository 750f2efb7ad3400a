import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EventView, RunDetail } from '../../schemas/rpc/views/run.ts';
import { payloads, proveEnd } from '../e2e/support.ts';
import { drive } from '../helpers/drive.ts';
import { deliveriesOf, quickRun, type RealDaemon, sayYes, stalled } from './support/realDaemon.ts';

/** The flags with which Claude asks for permission: devflow's own have it denied what is not allowed. */
const FLAGS = { question: {}, permission: { args: { claude: ['--permission-mode', 'default'] } } };

test.each(['question', 'permission'] as const)(
  '%s: the run waits for a person to answer in the pane, and devflow types nothing',
  async (scenario) => {
    const env = { DEVFLOW_ARTIFACT_TIMEOUT_MS: '8000' };
    const real = await quickRun('claude', { scenario, ...FLAGS[scenario], env });
    const { daemon, runId, model } = real;
    const run = await stalled(real);
    expect(run.sessions[0]).toMatchObject({ state: 'WAITING_FOR_APPROVAL', stall: { cause: scenario, until: null } });
    expect(run.waitingFor).toMatch(/(asks for permission|asks a question): .*; answer it in its pane: devflow attach /);
    expect(gatesOf(run)).toMatchObject([{ gateKey: 'agent_asks', state: 'pending' }]);
    if (scenario === 'question')
      expect((await daemon.cli(['approval', 'list'])).stdout).toContain('Which greeting do you want?');
    expect(deliveriesOf(model)).toEqual([1]);
    const outside = `${run.worktreeRoot}-outside.txt`;
    expect(existsSync(outside)).toBe(false);
    await sayYes(real);
    const events = await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    expect(causes(events)).toEqual([scenario]);
    expect(existsSync(outside)).toBe(scenario === 'permission');
    expect(deliveriesOf(model)).toEqual([1]);
    expect(payloads(events, 'artifact.timeout')).toEqual([]);
  },
);

test.each(['claude', 'codex'] as const)(
  '%s asks whether the repository is trusted: devflow sends no prompt before a person answers',
  async (program) => {
    const real = await quickRun(program, { trusted: false });
    const { daemon, runId, model } = real;
    const run = await stalled(real);
    expect(run.sessions[0]).toMatchObject({ state: statesWhileItAsks(program), stall: { cause: 'dialog' } });
    expect(run.waitingFor).toMatch(/shows a dialog: trust; answer it in its pane: devflow attach /);
    expect(gatesOf(run)).toMatchObject([{ gateKey: 'agent_asks', state: 'pending' }]);
    expect(model.heard.filter(({ kind }) => kind === 'turn')).toEqual([]);
    await sayYes(real);
    const events = await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    expect(causes(events)).toEqual(['dialog']);
    expect(gatesOf(await daemon.call('run.get', { runId }))).toMatchObject([{ state: 'aborted' }]);
    expect(deliveriesOf(model)).toEqual([1]);
  },
);

test.each([
  ['claude', 'claude auth login'],
  ['codex', 'codex login'],
] as const)('%s without a login says so and what to run before devflow sends anything', async (program, logIn) => {
  const real = await quickRun(program, { loggedIn: false });
  const { daemon, runId, model } = real;
  const run = await stalled(real);
  expect(run.sessions[0]).toMatchObject({ state: statesWhileItAsks(program), stall: { cause: 'login' } });
  expect(run.waitingFor).toMatch(
    new RegExp(`must be logged in: .*\\(run ${logIn}\\); log in in its pane: devflow attach `),
  );
  expect(gatesOf(run)).toMatchObject([{ gateKey: 'agent_asks', state: 'pending' }]);
  const [session] = run.sessions;
  expect((await daemon.cli(['session', 'show', session?.sessionId ?? ''])).stdout).toContain(logIn);
  expect(model.heard.filter(({ kind }) => kind === 'turn')).toEqual([]);
  await daemon.call('run.abort', { runId, reason: 'seen' });
  await proveEnd(daemon, runId, 'aborted');
});

test.each(['claude', 'codex'] as const)(
  '%s refused with 401: a gate asks for a login, and approval prompts the agent again',
  async (program) => {
    const { daemon, runId, model } = await quickRun(program, { scenario: 'http-401' });
    const isRecovery = ({ type, payload }: EventView) => type === 'approval.requested' && payload.kind === 'recovery';
    const events = await drive(daemon, runId, { stopAt: isRecovery, decide: () => undefined });
    expect(events.at(-1)?.payload.subject).toMatchObject({ code: 'backend_login_required' });
    expect(causes(events)).toEqual(['login']);
    const run = await daemon.call('run.get', { runId });
    expect(run).toMatchObject({ state: 'paused', reason: expect.stringContaining('must be logged in') });
    model.play('ok');
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    expect(await daemon.call('session.list', { runId })).toMatchObject([{ recoveryAttempts: 0, stall: null }]);
    expectOnce(model);
  },
);

test('resends the prompt after a usage limit ends, and counts no recovery', async () => {
  const real = await quickRun('codex', { scenario: 'http-429-reset', env: { DEVFLOW_ARTIFACT_TIMEOUT_MS: '6000' } });
  const { daemon, runId, model } = real;
  // Codex names a full minute; a time of day that is over would be tomorrow's.
  const at = new Date(Math.ceil((Date.now() + 20_000) / 60_000) * 60_000);
  model.resets = at.getTime() / 1000;
  const run = await stalled(real);
  expect(run.sessions[0]).toMatchObject({ state: 'BUSY', stall: { cause: 'quota', until: at.toISOString() } });
  expect(run.waitingFor).toContain(`it waits until ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
  model.play('ok');
  const events = await drive(daemon, runId, { patienceMs: 150_000 });
  await proveEnd(daemon, runId, 'completed');
  expect(causes(events)).toEqual(['quota']);
  const sent = events.filter(({ type }) => type === 'prompt.sent').map(({ ts }) => Date.parse(ts));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toBeGreaterThanOrEqual(at.getTime());
  expect(payloads(events, 'artifact.timeout')).toEqual([]);
  expect(await daemon.call('session.list', { runId })).toMatchObject([{ recoveryAttempts: 0, stall: null }]);
  expectOnce(model);
});

/**
 * Not at work yet, an agent has the state of one that starts. Codex 0.169.0 draws its composer 0.3 s before it asks, which
 * may count as ready; its prompt then waits behind the dialog.
 */
function statesWhileItAsks(program: 'claude' | 'codex'): unknown {
  return expect.stringMatching(program === 'claude' ? /^BOOTSTRAPPING$/ : /^(BOOTSTRAPPING|READY)$/);
}

/** What kept the agent from going on, in turn. */
function causes(events: readonly EventView[]): unknown[] {
  return payloads(events, 'run.stalled').flatMap(({ stall }) => (stall ? [(stall as { cause: string }).cause] : []));
}

/** Those that tell what an agent asks. */
function gatesOf({ approvals }: RunDetail): RunDetail['approvals'] {
  return approvals.filter(({ kind }) => kind === 'agent');
}

function expectOnce(model: RealDaemon['model']): void {
  expect(deliveriesOf(model)).toEqual([1, 1]);
  expect(model.merged).toEqual([]);
}
