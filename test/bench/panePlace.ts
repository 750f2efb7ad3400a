import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Client } from '../../cli/client/connect.ts';
import { followRun } from '../../cli/run/followRun.ts';
import { loadConfig } from '../../schemas/config/configLoad.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { SCRIPTED_AGENT } from '../helpers/scriptedAgent.ts';
import { writeOnePhase } from './onePhase.ts';
import { type Place, ROOT, withPlace } from './place.ts';
import { tmuxServerOf } from './processes.ts';
import { makeRepository } from './repository.ts';

export interface PanePlace extends Place {
  /** Starts the daemon and returns its pid. */
  up(): Promise<number>;
  /** Starts so many runs with one agent each. Resolves when they are in the state that `kind` names. */
  startAgents(client: Client, count: number, kind: AgentKind): Promise<BenchAgent[]>;
  /** The pid of the agents' tmux server; undefined before the first agent. */
  tmuxServer(): number | undefined;
  /** What tmux prints, one line per pane. */
  listPanes(format: string): string[];
}

/**
 * `quiet`: it did its work, and the run waits for a person. `spinning`: it never ends, and animates a spinner at 10 Hz.
 */
export type AgentKind = 'quiet' | 'spinning';

export interface BenchAgent {
  runId: string;
  sessionId: string;
}

const MOST = 200;
/** How many start at a time. More would only wait for each other. */
const AT_ONCE = 16;

/** A real daemon with agents in real panes. The agents are the scripted program of the tests. */
export function withPanes<T>(use: (place: PanePlace) => Promise<T>): Promise<T> {
  const variables = (home: string) => ({
    DEVFLOW_TEST_PROFILE: 'scripted',
    DEVFLOW_CLAUDE_BINARY: SCRIPTED_AGENT,
    DEVFLOW_MAX_CONCURRENT_RUNS: String(MOST),
    DEVFLOW_MAX_CONCURRENT_AGENTS: '64',
    SCRIPTED: 'busy-ms=0',
    // One configuration for all agents, as real programs have.
    SCRIPTED_CONFIG_DIR: join(home, 'scripted'),
    SCRIPTED_FIXTURES: join(ROOT, 'schemas', 'artifacts', 'fixtures'),
  });
  return withPlace(async (place) => {
    const { env, home, devflow } = place;
    writeOnePhase(place, { name: 'bench-pane', backend: 'claude', gates: ['spec_approved'] });
    // One repository per concurrent start, because concurrent `worktree add` calls fail in one repository.
    // Each run needs its own branch, because a branch has at most one open run.
    const repos = Array.from({ length: AT_ONCE }, (_, nth) => makeRepository(place, `repo-${nth}`, MOST));
    let started = 0;
    return use({
      ...place,
      tmuxServer: () => tmuxServerOf(home),
      up: async () => JSON.parse((await devflow('up', '--json')).stdout).daemon.pid,
      async startAgents(client, count, kind) {
        const agents: BenchAgent[] = [];
        let left = count;
        const oneByOne = async (repo: string) => {
          while (left-- > 0) agents.push(await startAgent(place, client, { repo, nth: started++, kind }));
        };
        await Promise.all(repos.map(oneByOne));
        return agents;
      },
      listPanes(format) {
        const { socketName } = loadConfig(env).tmux;
        return execFileSync('tmux', ['-L', socketName, 'list-panes', '-a', '-F', format], { encoding: 'utf8', env })
          .trimEnd()
          .split('\n');
      },
    });
  }, variables);
}

async function startAgent(
  { connect }: Place,
  client: Client,
  { repo, nth, kind }: { repo: string; nth: number; kind: AgentKind },
): Promise<BenchAgent> {
  const started = await client.call('run.start', {
    repo,
    template: 'bench-pane',
    base: `base-${nth}`,
    backend: { worker: 'claude' },
    requirements: kind === 'quiet' ? 'Nothing.' : 'Nothing.\n\nScenario: spin\n',
  });
  if (!('runId' in started)) throw new Error('not started');
  const { runId } = started;
  const wanted = kind === 'quiet' ? 'approval.requested' : 'prompt.sent';
  const { phaseId, events } = await waitFor(connect, runId, wanted);
  if (phaseId === null) throw new Error(`the run stopped before its phase: ${JSON.stringify(events.at(-1))}`);
  const sent = events.find(({ type }) => type === 'prompt.sent');
  return { runId, sessionId: String(sent?.payload.sessionId) };
}

async function waitFor(
  connect: Place['connect'],
  runId: string,
  wanted: string,
): Promise<{ phaseId: string | null; events: EventView[] }> {
  const events: EventView[] = [];
  const end = new AbortController();
  await followRun({
    connect,
    runId,
    afterSeq: 0,
    signal: end.signal,
    onEvent(event) {
      events.push(event);
      if (event.type === wanted || event.type === 'run.failed') end.abort();
    },
  });
  const last = events.at(-1);
  if (last?.type !== wanted) throw new Error(`no ${wanted}: the run ended with ${JSON.stringify(last)}`);
  return { phaseId: last.phaseId, events };
}
