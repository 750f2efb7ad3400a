import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { type Model, startModel } from '../../fixtures/model/model.ts';
import type { Scenario } from '../../fixtures/model/scenario.ts';
import type { TestDaemon } from '../../helpers/daemon.ts';
import { startRun } from '../../helpers/drive.ts';
import { daemonWithPanes } from '../../helpers/paneDaemon.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';
import { until } from '../../helpers/until.ts';
import { BINARIES } from '../programs/found.ts';
import { PROGRAMS, type Program } from '../programs/pins.ts';
import { seed } from './seed.ts';

export interface RealDaemon {
  daemon: TestDaemon;
  /** The environment of every start. */
  env: Record<string, string>;
  model: Model;
  repo: string;
}

export interface GivenDaemon {
  scenario?: Scenario;
  trusted?: boolean;
  loggedIn?: boolean;
  /** Flags after the profile's own, by program. */
  args?: Partial<Record<Program, string[]>>;
  env?: Record<string, string>;
}

/** A daemon, not yet started. Its agents are the real programs, and their model is the test's own. */
export async function realDaemon({
  scenario,
  trusted = true,
  loggedIn = true,
  args = {},
  env = {},
}: GivenDaemon = {}): Promise<RealDaemon> {
  const { daemon } = await daemonWithPanes();
  const model = await startModel(scenario);
  onTestFinished(() => model.close());
  const home = join(daemon.root, 'home');
  const repo = makeRepo(join(daemon.root, 'project'), isolatedEnv(home));
  const seeding = { home, modelUrl: model.url, repo: repo.dir, trusted, loggedIn };
  const { configFile } = resolvePaths(daemon.env);
  const seeds = PROGRAMS.map((program) => [program, seed(program, seeding)] as const);
  // One variable of opencode is for npm, and the daemon's own environment does not pass it on. One of Codex is for Codex
  // alone.
  const seeded = Object.fromEntries(seeds);
  const extra = { opencode: { env: seeded.opencode }, codex: { env: seeded.codex } };
  const { TMPDIR: _, ...variables }: Record<string, string> = Object.assign({}, ...Object.values(seeded));
  const asked = Object.fromEntries(
    Object.entries(args).map(([program, more]) => [program, { ...extra[program as keyof typeof extra], args: more }]),
  );
  const backends = { ...extra, ...asked };
  mkdirSync(dirname(configFile), { recursive: true });
  writeFileSync(configFile, JSON.stringify({ backends }));
  return {
    daemon,
    model,
    repo: repo.dir,
    env: {
      ...variables,
      ...Object.fromEntries(PROGRAMS.map((program) => [`DEVFLOW_${program.toUpperCase()}_BINARY`, BINARIES[program]])),
      // No program writes a file in one piece: the 5 ms of other tests are too short.
      DEVFLOW_ARTIFACT_DEBOUNCE_MS: '500',
      ...env,
    },
  };
}

/** A run with one agent, on a daemon that it starts: the fastest way to try a scenario. */
export async function quickRun(program: Program, given: GivenDaemon = {}): Promise<RealDaemon & { runId: string }> {
  const real = await realDaemon(given);
  await real.daemon.start(real.env);
  const backend = { implementer: program };
  const runId = await startRun(real.daemon, { repo: real.repo, template: 'quick-change@1', backend });
  return { ...real, runId };
}

/** The run once its agent is stalled. */
export function stalled({ daemon, runId }: { daemon: TestDaemon; runId: string }): Promise<RunDetail> {
  return until(`run ${runId} waits for its agent to be helped`, async () => {
    const run = await daemon.ask('run.get', { runId });
    return run.sessions[0]?.stall ? run : undefined;
  });
}

/** Says yes in the pane of the agent that asks, as a person does, until the run no longer waits for it. */
export async function sayYes({ daemon, runId }: { daemon: TestDaemon; runId: string }): Promise<void> {
  const { tmux } = await daemon.call('session.attachTarget', {});
  const ask = (...args: string[]): string => execFileSync('tmux', ['-S', tmux.socket, ...args], { encoding: 'utf8' });
  const isNoMarked = (): boolean => /❯ No, exit/.test(ask('capture-pane', '-p', '-t', tmux.paneId));
  // Newer Claude Code marks "No, exit", and Enter would end it.
  if (isNoMarked()) ask('send-keys', '-t', tmux.paneId, 'Down');
  await until('yes is marked', () => !isNoMarked());
  // It ignores keys right after it drew a question, and a person presses again.
  await until('it is answered', async () => {
    ask('send-keys', '-t', tmux.paneId, 'Enter');
    const run = await daemon.call('run.get', { runId });
    return !run.sessions[0]?.stall;
  });
}

/** How often the conversation has each prompt that the model ever saw. Only ones are right. */
export function deliveriesOf(model: Model): number[] {
  return [...new Set(model.heard.flatMap(({ prompts }) => prompts))].map((uuid) => model.deliveries(uuid));
}
