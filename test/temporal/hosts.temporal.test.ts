import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { HOST_GATE } from '../../schemas/gates/ownGates.ts';
import { devflowScript, makeTerminals } from '../e2e/terminals.ts';
import { drive, ended, readLog, startRun } from '../helpers/drive.ts';
import { makePanes, type Panes, ROLES } from '../helpers/paneDaemon.ts';
import { shiftedClock } from '../helpers/shiftedClock.ts';
import { type SshServer, sshdProgram, startSshServer } from '../helpers/sshServer.ts';
import { until } from '../helpers/until.ts';

interface Hosts {
  near: Panes;
  far: Panes;
}

/** Two daemons with homes, workspaces and tmux servers of their own, on one database. */
async function givenHosts(
  ssh?: SshServer,
  env: Record<string, string> = {},
  { farEnv = env, busyMs = 50 }: { farEnv?: Record<string, string>; busyMs?: number } = {},
): Promise<Hosts> {
  const near = await makePanes('busy-ms=50', { env: { ...env, DEVFLOW_TEMPORAL_HOST: 'near' } });
  const far = await makePanes(`busy-ms=${busyMs}`, {
    env: {
      ...farEnv,
      DEVFLOW_TEMPORAL_HOST: 'far',
      DEVFLOW_DATABASE_URL: near.daemon.env.DEVFLOW_DATABASE_URL as string,
    },
  });
  if (ssh) {
    const { configFile } = resolvePaths(near.daemon.env);
    writeFileSync(configFile, `hosts: {far: {ssh: ${JSON.stringify(ssh.words)}}}\n`);
  }
  await near.daemon.start();
  await far.daemon.start();
  return { near, far };
}

/** Started at `near`, and on `far`. */
function startFar({ near, far }: Hosts, over = {}): Promise<string> {
  return startRun(near.daemon, { repo: far.daemon.repo().dir, host: 'far', ...over });
}

const atGate = { stopAt: ({ type }: { type: string }) => type === 'approval.requested', decide: () => undefined };

test('a run on another host is started, followed, decided and reported from this one', async () => {
  const hosts = await givenHosts();
  const { near, far } = hosts;
  const runId = await startFar(hosts);
  const grown: string[] = [];
  const follower = await near.daemon.client();
  await follower.subscribe({ runId, kinds: ['transcript.chunk_appended'] }, ({ event, data }) => {
    if (event === 'transcript.chunk_appended') grown.push(data.sessionId);
  });
  const events = await drive(near.daemon, runId);
  expect(events.at(-1)?.type).toBe('run.completed');
  // A transcript of the other host can be followed here.
  await until('its transcript has grown', () => grown.length > 0);
  expect((await near.daemon.call('session.transcript', { sessionId: grown[0] as string })).chunks).not.toEqual([]);
  const run = await ended(near.daemon, runId);
  expect(run).toMatchObject({ state: 'completed', host: 'far' });
  expect(run.worktreeRoot.startsWith(far.daemon.workspaceRoot)).toBe(true);
  expect(await near.daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
  // Both have the same log, and what lies on the disk of the other.
  expect(await readLog(far.daemon, runId)).toEqual(await readLog(near.daemon, runId));
  const { paths } = await near.daemon.call('run.report', { runId });
  expect(paths?.json.startsWith(far.daemon.workspaceRoot)).toBe(true);
  const [artifact] = await near.daemon.call('artifact.list', { runId });
  const { content } = await near.daemon.call('artifact.get', { artifactId: artifact?.artifactId as string });
  expect(content).not.toBeNull();
  const { files } = await near.daemon.call('run.diff', { runId });
  expect(files.length).toBeGreaterThan(0);
  await expect(near.daemon.call('run.apply', { runId })).rejects.toMatchObject({ code: 'run_elsewhere' });
  expect(await near.daemon.call('run.cleanup', { runId, force: true })).toMatchObject({ runId });
  expect(existsSync(run.worktreeRoot)).toBe(false);
  const list = await near.daemon.cli(['host', 'list']);
  expect(list.stdout).toMatch(/far +up +0/);
  expect(list.stdout).toMatch(/near \(this one\) +up +0/);
  expect((await near.daemon.cli(['run', 'list'])).stdout).toMatch(/HOST.*\n.* far /);
});

test('a run of a silent host waits, says which host it is, and goes on by itself when that is back', async () => {
  const hosts = await givenHosts();
  const { near, far } = hosts;
  const runId = await startFar(hosts);
  const own = await startRun(near.daemon, { repo: near.daemon.repo().dir });
  await drive(near.daemon, runId, atGate);
  await far.daemon.kill('SIGKILL');
  await until('the host counts as silent', async () => {
    const list = await near.daemon.call('host.list', {});
    return list.find(({ id }) => id === 'far')?.state === 'silent';
  });
  const silent = await near.daemon.call('run.get', { runId });
  expect(silent.alsoWaitsFor).toEqual([expect.stringMatching(/^host far: silent for /)]);
  // The gate can be read and refused; to approve needs what is on that disk.
  const [gate] = await near.daemon.call('approval.list', { runId });
  const approvalId = gate?.id as string;
  expect(await near.daemon.call('approval.get', { approvalId })).toMatchObject({ state: 'pending' });
  const approve = { approvalId, action: 'approve' as const, clientToken: runId };
  await expect(near.daemon.call('approval.decide', approve)).rejects.toMatchObject({ code: 'host_unreachable' });
  // The run of this host noticed nothing.
  expect((await drive(near.daemon, own)).at(-1)?.type).toBe('run.completed');
  await far.daemon.start();
  await until('it answers', async () =>
    (await near.daemon.call('host.list', {})).every(({ state }) => state === 'ready'),
  );
  const events = await drive(near.daemon, runId);
  expect(events.at(-1)?.type).toBe('run.completed');
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});

test('a host that stays silent for too long opens a gate, which is withdrawn once it is back', async () => {
  // Its agents work until the end of the test; those of the fake backend are done at once.
  const hosts = await givenHosts(undefined, { DEVFLOW_TEMPORAL_SILENT_HOST_MS: '2000' }, { busyMs: 600_000 });
  const { near, far } = hosts;
  const decided = await startFar(hosts);
  await drive(near.daemon, decided, atGate);
  const working = await startFar(hosts, { backend: ROLES });
  await drive(near.daemon, working, { ...atGate, stopAt: ({ type }) => type === 'prompt.sent' });
  await far.daemon.kill('SIGKILL');
  const gates = async (runId: string) =>
    (await near.daemon.call('approval.list', { runId })).filter(({ state }) => state === 'pending');
  const decide = (approvalId: string, action: 'approve' | 'request_changes') =>
    near.daemon.call('approval.decide', { approvalId, action, comment: 'Shorter.', clientToken: randomUUID() });
  const hostGate = async (runId: string) =>
    until('the gate is open', async () => (await gates(runId)).find(({ gateKey }) => gateKey === 'host_unreachable'));
  // Long before Temporal misses the heartbeats of what went on there.
  await hostGate(working);
  // Any host records it. What follows needs the host of the run.
  await decide((await gates(decided))[0]?.id as string, 'request_changes');
  const gate = await hostGate(decided);
  expect((await near.daemon.call('run.get', { runId: decided })).reason).toMatch(/ost far takes no work\.$/);
  // devflow tries by itself.
  await expect(decide(gate.id, 'approve')).rejects.toMatchObject({ code: 'usage' });

  await far.daemon.start();
  const typesOf = async (runId: string) => (await readLog(near.daemon, runId)).map(({ type }) => type);
  await until('the gate is withdrawn', async () => (await typesOf(working)).includes('approval.withdrawn'));
  expect((await near.daemon.call('run.get', { runId: working })).state).toBe('planning');
  await near.daemon.call('run.abort', { runId: working });
  await ended(near.daemon, working);
  // What its agent was told before, it was not told again.
  expect((await typesOf(working)).filter((type) => type === 'prompt.sent')).toHaveLength(1);
  const events = await drive(near.daemon, decided);
  expect(events.at(-1)?.type).toBe('run.completed');
  // On a busy machine the host may be silent for 2 s more than once.
  const opened = events.filter((event) => event.type === 'approval.requested' && event.payload.gateKey === HOST_GATE);
  expect(events.filter(({ type }) => type === 'approval.withdrawn')).toHaveLength(opened.length);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});

test('gates time out and runs are listed by one clock, on hosts whose own clocks are hours apart', async () => {
  const withClock = (ms: number) => ({ ...shiftedClock(ms), DEVFLOW_APPROVAL_TIMEOUT_MS: '3000' });
  const hosts = await givenHosts(undefined, withClock(-3_600_000), { farEnv: withClock(3_600_000) });
  const { near, far } = hosts;
  const first = await startFar(hosts);
  const second = await startRun(near.daemon, { repo: near.daemon.repo().dir });
  for (const runId of [first, second]) {
    const events = await drive(near.daemon, runId, {
      decide: () => undefined,
      stopAt: ({ type }) => type === 'run.paused',
    });
    const of = (type: string) => Date.parse(events.find((event) => event.type === type)?.ts ?? '');
    expect(of('run.paused') - of('approval.requested')).toBeGreaterThanOrEqual(3_000);
  }
  expect((await near.daemon.call('run.list', {})).map(({ runId }) => runId)).toEqual([second, first]);
  expect((await far.daemon.call('run.list', {})).map(({ runId }) => runId)).toEqual([second, first]);
  const list = (await near.daemon.cli(['host', 'list'])).stdout;
  expect(list).toMatch(/^far .*ahead/m);
  expect(list).toMatch(/^near .*behind/m);
  for (const runId of [first, second]) {
    await near.daemon.call('run.abort', { runId });
    await ended(near.daemon, runId);
  }
});

test.skipIf(sshdProgram() === undefined)('attach shows a pane of the other host over ssh (needs sshd)', async () => {
  const holder = await makePanes('busy-ms=50');
  const ssh = await startSshServer(join(holder.daemon.root, 'ssh'));
  const { near, far } = await givenHosts(ssh);
  const control = dirname(resolvePaths(near.daemon.env).socketPath);
  onTestFinished(() => ssh.endShared(control));
  const runId = await startFar({ near, far }, { backend: ROLES });
  await drive(near.daemon, runId, atGate);
  const target = await near.daemon.call('session.attachTarget', { target: `${runId}/planner` });
  expect(target).toMatchObject({ host: 'far', tmux: { socket: far.socketPath } });
  const here = await far.daemon.call('session.attachTarget', { target: `${runId}/planner` });
  expect(here).toEqual({ ...target, host: null });

  const terminal = makeTerminals(near, 'outer').open('one', { columns: 80, rows: 24 });
  await terminal.shows(/^\$/m);
  terminal.type(`${devflowScript(near)} attach --next; echo "exit $?"`);
  terminal.keys('Enter');
  await terminal.shows('? for shortcuts');
  expect(far.tmux('list-clients', '-F', '#{client_control_mode} #{client_session}')).toMatch(/^0 /m);
  terminal.type('typed by a person');
  await until('the far agent has it', () =>
    far.tmux('capture-pane', '-p', '-t', target.tmux.paneId).includes('typed by a person'),
  );
  const width = () => far.tmux('display-message', '-p', '-t', target.tmux.paneId, '#{window_width}');
  await until('the far window fits the terminal', () => width() === '80');
  terminal.keys('C-b', 'd');
  await terminal.shows(/^exit 0$/m);
  await near.daemon.call('run.abort', { runId });
  await ended(near.daemon, runId);
});

test('attach says which setting is missing for the other host', async () => {
  const hosts = await givenHosts();
  const runId = await startFar(hosts, { backend: ROLES });
  await drive(hosts.near.daemon, runId, atGate);
  const { code, stderr } = await hosts.near.daemon.cli(['attach', runId]);
  expect(code).toBe(2);
  expect(stderr).toContain('hosts.far.ssh is not set');
  await hosts.near.daemon.call('run.abort', { runId });
  await ended(hosts.near.daemon, runId);
});

test('a host that is gone for good is forgotten with its runs, once a person has read which', async () => {
  const hosts = await givenHosts();
  const { near, far } = hosts;
  const runId = await startFar(hosts);
  await drive(near.daemon, runId, atGate);
  const up = await near.daemon.cli(['host', 'forget', 'far', '--yes']);
  expect([up.code, up.stderr]).toEqual([5, expect.stringContaining('Host far is up.')]);
  await far.daemon.kill('SIGKILL');
  await until('the host counts as silent', async () =>
    (await near.daemon.call('host.list', {})).some(({ id, state }) => id === 'far' && state === 'silent'),
  );
  const unasked = await near.daemon.cli(['host', 'forget', 'far']);
  expect(unasked.code).toBe(2);
  expect(unasked.stderr).toMatch(new RegExp(`^Host far: silent for .*1 open run:\\n {2}${runId.slice(0, 8)} `));
  expect(unasked.stderr).toContain('--yes');
  const { code, stdout } = await near.daemon.cli(['host', 'forget', 'far', '--yes']);
  expect([code, stdout]).toEqual([0, `Host far is forgotten. Aborted: ${runId.slice(0, 8)}.\n`]);
  expect(await near.daemon.call('run.get', { runId })).toMatchObject({ state: 'aborted', host: 'far' });
  const list = async () => (await near.daemon.call('host.list', {})).map(({ id }) => id);
  expect(await list()).toEqual(['near']);
  // It was not gone for good, and cleans up after its run.
  await far.daemon.start();
  expect(await list()).toEqual(['far', 'near']);
  await ended(near.daemon, runId);
});
