import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOrAdopt } from '../../daemon/commands/runner.ts';
import { addWorktree } from '../../daemon/repository/worktree/addWorktree.ts';
import { prepareAgentSandbox } from '../../daemon/sandbox/agentSandbox.ts';
import { commandSandbox } from '../../daemon/sandbox/commandSandbox.ts';
import { trySandbox } from '../../daemon/sandbox/trySandbox.ts';
import type { PromptEnvelope } from '../../schemas/envelope.ts';
import type { Sandbox } from '../../schemas/sandbox.ts';
import { SCRIPTED_AGENT } from '../helpers/scriptedAgent.ts';
import { type AgentsHere, withAgents } from './agentsHere.ts';
import { type Bench, createSheet, type Figure, quantile, type Sheet } from './figure.ts';
import { makeDirectory } from './place.ts';
import { makeRepository } from './repository.ts';

/** Longer than any wait before a paste. */
const REST_MS = 250;
const NO_LIMIT_MS = 60_000;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'a command that does nothing': ['true'],
  'a command: git status': ['git', 'status', '--porcelain'],
  'a command: 200 programs': ['sh', '-c', 'for i in $(seq 200); do /bin/true; done'],
};
const TURN = 'a turn: from the prompt until its artifact is there';
const START = 'a start: until the agent can take a prompt';

/** What a sandbox costs: with and without it in turns. */
export const sandbox: Bench = {
  name: 'sandbox',
  title: 'A sandbox around commands and agents',
  reading:
    'Commands as devflow runs them, and turns of the scripted program in its pane, with and without a sandbox in turns. ' +
    '`×` is the ratio of the medians. A command pays the sandbox once, at its start: making mount points, bubblewrap, and the ' +
    'guard inside.',
  async run({ rounds = 15 }) {
    const sheet = createSheet();
    const wish = await trySandbox({ level: 'all' }, process.env);
    await measureCommands(wish, rounds, sheet);
    await withAgents(
      { binaryPath: SCRIPTED_AGENT, prepareSandbox: (input) => prepareAgentSandbox(input, []) },
      async (agents) => measureTurns(agents, wish, rounds, sheet),
    );
    return [...Object.keys(COMMANDS), START, TURN].flatMap((name): Figure[] => {
      const [without, inside] = [sheet.of(name), sheet.of(`${name} inside`)];
      const ratio = median(inside) / median(without);
      return [
        { name: `${name}, without`, unit: 'ms', rounds: without },
        { name: '  in a sandbox', unit: 'ms', rounds: inside },
        { name: `  ratio: ${name}`, unit: '×', rounds: [ratio] },
      ];
    });
  },
};

const median = (values: readonly number[]) =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

async function measureCommands(wish: Sandbox, rounds: number, sheet: Sheet): Promise<void> {
  const home = makeDirectory();
  try {
    const repoPath = makeRepository({ home }, 'project');
    const startCommit = execFileSync('git', ['-C', repoPath, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
    const place = { repoPath, path: join(home, 'ws/main'), branch: 'devflow/bench/main' };
    const { path } = await addWorktree({ ...place, startCommit });
    const worktree = { ...place, path };
    const dir = join(home, 'ws/commands');
    const within = (inside: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) =>
      commandSandbox({ wish, worktree, cwd: path, dir, env, inside, hidden: [] });
    for (let round = -1; round < rounds; round += 1) {
      for (const [name, argv] of Object.entries(COMMANDS)) {
        for (const inside of [false, true]) {
          const input = {
            commandId: randomUUID(),
            argv,
            cwd: path,
            dir,
            timeoutMs: NO_LIMIT_MS,
            startedAt: new Date(),
          };
          const begun = performance.now();
          const { exitCode } = await startOrAdopt(inside ? { ...input, within } : input);
          const took = performance.now() - begun;
          if (exitCode !== 0) throw new Error(`${name} failed`);
          if (round >= 0) sheet.add(inside ? `${name} inside` : name, took);
        }
      }
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function measureTurns(
  { adapter, start }: AgentsHere,
  wish: Sandbox,
  rounds: number,
  sheet: Sheet,
): Promise<void> {
  const timed = async (name: string, more: Parameters<AgentsHere['start']>[0]) => {
    const begun = performance.now();
    const { input } = await start(more);
    sheet.add(name, performance.now() - begun);
    return input;
  };
  const inputs = {
    [TURN]: await timed(START, {}),
    [`${TURN} inside`]: await timed(`${START} inside`, { sandbox: { wish } }),
  };
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, input] of Object.entries(inputs)) {
      await sleep(REST_MS);
      const asked = envelope(round + 2, input.cwd, input.runId);
      const begun = performance.now();
      await adapter.sendPrompt(input, asked);
      while (!existsSync(asked.expectedArtifact)) await sleep(2);
      if (round >= 0) sheet.add(name, performance.now() - begun);
    }
  }
}

function envelope(attempt: number, cwd: string, runId: string): PromptEnvelope {
  const expectedArtifact = join(cwd, '.devflow/artifacts', `${attempt}.json`);
  const facts = { roleId: 'bench', phaseKey: 'spec', attempt, expectedSchema: 'dev/spec@1', instructions: 'Write it.' };
  return { uuid: randomUUID(), runId, expectedArtifact, dedupKey: randomUUID(), ...facts };
}
