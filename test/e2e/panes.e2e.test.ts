import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../schemas/configLoad.ts';
import { packageRoot } from '../../schemas/paths.ts';
import { readJournal } from '../fixtures/scripted/journal.ts';
import { makeDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { SCRIPTED_AGENT } from '../helpers/scriptedAgent.ts';
import { until } from '../helpers/until.ts';
import { proveEnd } from './support.ts';

const ROLES = { planner: 'claude', implementer: 'codex' } as const;
/** Where in the log the daemon is killed: starts, deliveries, waits, gates. */
const KILLED_AT = [2, 4, 6, 8, 11, 15, 18, 24, 27, 31];

/** A daemon whose agents are the scripted program, in panes of a tmux server of this test. */
async function daemonWithPanes(): Promise<{ daemon: TestDaemon; env: Record<string, string>; configDir: string }> {
  const daemon = await makeDaemon();
  const configDir = join(daemon.root, 'scripted');
  mkdirSync(configDir, { recursive: true });
  const env = {
    DEVFLOW_TEST_PROFILE: 'scripted',
    DEVFLOW_CLAUDE_BINARY: SCRIPTED_AGENT,
    DEVFLOW_CODEX_BINARY: SCRIPTED_AGENT,
    SCRIPTED: 'busy-ms=150',
    SCRIPTED_CONFIG_DIR: configDir,
    SCRIPTED_FIXTURES: join(packageRoot(), 'schemas', 'artifacts', 'fixtures'),
  };
  onTestFinished(() => {
    const { socketName } = loadConfig(daemon.env).tmux;
    try {
      execFileSync('tmux', ['-L', socketName, 'kill-server'], { stdio: 'ignore' });
    } catch {
      // Never started.
    }
  });
  return { daemon, env, configDir };
}

function artifactsOf(detail: { artifacts: { phaseKey: string | null; attempt: number | null; hash: string }[] }) {
  return detail.artifacts.map(({ phaseKey, attempt, hash }) => ({ phaseKey, attempt, hash }));
}

test('a run in panes, its daemon killed ten times, brings the same artifacts and no prompt twice', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  await daemon.start(env);
  const repo = daemon.repo();
  const request = { repo: repo.dir, backend: ROLES, requirements: 'Make it better.' };
  const calm = await startRun(daemon, request);
  await drive(daemon, calm);
  await proveEnd(daemon, calm, 'completed');
  const undisturbed = artifactsOf(await daemon.call('run.get', { runId: calm }));
  expect(undisturbed).toHaveLength(3);

  const runId = await startRun(daemon, request);
  for (const seq of KILLED_AT) {
    await drive(daemon, runId, { stopAt: (event) => event.seq >= seq });
    await daemon.kill('SIGKILL');
    await daemon.start(env);
  }
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(artifactsOf(await daemon.call('run.get', { runId }))).toEqual(undisturbed);
  const prompts = (await readJournal(configDir)).filter(({ text }) => text?.includes(`Run: ${runId}`));
  expect(prompts.map(({ merged }) => merged)).toEqual([false, false, false]);
  expect(new Set(prompts.flatMap(({ dedupKeys }) => dedupKeys)).size).toBe(3);
});

test('attach says where the pane is, why says which evidence decided, and the transcript has what was shown', async () => {
  const { daemon, env } = await daemonWithPanes();
  await daemon.start(env);
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });

  const target = await daemon.call('session.attachTarget', {});
  expect(target).toMatchObject({
    runId,
    roleId: 'planner',
    backend: 'claude',
    tmux: { paneId: expect.stringMatching(/^%\d+$/) },
  });
  const { sessionId } = target;
  const panes = execFileSync('tmux', ['-S', target.tmux.socket, 'list-panes', '-a', '-F', '#{pane_id}'], {
    encoding: 'utf8',
  });
  expect(panes.split('\n')).toContain(target.tmux.paneId);
  const why = await daemon.call('session.why', { sessionId });
  expect(why.sentence).toMatch(/decides/);
  await until('the prompt in the transcript', async () => {
    const { stdout } = await daemon.cli(['session', 'transcript', sessionId]);
    return stdout.includes('DEVFLOW_PROMPT_BEGIN');
  });
  await daemon.call('run.abort', { runId, reason: 'enough' });
  await drive(daemon, runId);
});
