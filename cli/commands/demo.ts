import type { GateKind } from '../../schemas/enums.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { holdsResult } from '../../schemas/gates/gateKinds.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { runState } from '../../schemas/states/run.ts';
import { duration } from '../../schemas/time/duration.ts';
import { type Client, connect } from '../client/connect.ts';
import { startDaemon } from '../daemon/startDaemon.ts';
import type { Demo } from '../define/daemon.ts';
import { type Answer, askPerson } from '../demo/ask.ts';
import { guardScratch } from '../demo/guardScratch.ts';
import { createRepository, createScratch, removeScratch, type Scratch } from '../demo/scratch.ts';
import { canShow, showDashboard } from '../demo/showDashboard.ts';
import { stopEverything } from '../demo/stopEverything.ts';
import { factory, greeting, type Story, strategy } from '../demo/stories.ts';
import { createTour } from '../demo/tour.ts';
import { INTERRUPTED, onInterrupt } from '../io/interrupt.ts';
import type { Io } from '../io/io.ts';
import { printHeading } from '../print/output.ts';
import { plainMarkdown } from '../print/plainMarkdown.ts';
import { visible } from '../print/text.ts';
import { watchRun } from '../run/watchRun.ts';

/** Plays a whole run with its own directory, daemon and database, and removes them afterwards. */
export const action: Demo = async (_params, options, io) => {
  const { backtest = false, factory: isFactory = false, fast = false, keep = false, dashboard } = options;
  const began = performance.now();
  const { signal, release } = onInterrupt();
  const story = isFactory ? factory : backtest ? strategy() : greeting;
  const place = { prefix: 'devflow-demo-', name: story.repo, delayMs: fast ? 20 : 400 };
  const scratch = createScratch(io.env, place, (repo, env) => createRepository(repo, env, story));
  const letGo = keep ? undefined : guardScratch(scratch);
  let socket: string | undefined;
  try {
    io.out(`Creating a scratch repository, a daemon and a database in ${scratch.directory}.\n`);
    socket = (await startDaemon(scratch.env)).socket;
    const run = signal.aborted ? undefined : await playRun(io, { socket, scratch, story, fast, signal });
    if (run === undefined) return INTERRUPTED;
    io.out(`The run is ${runState(run).word} after ${duration(performance.now() - began)}.\n`);
    if (dashboard && canShow(io)) await showDashboard(io, scratch, run.runId, signal);
    return run.state === 'completed' ? 0 : 1;
  } finally {
    await stopEverything(scratch, socket);
    printEnd(io, scratch, keep);
    letGo?.();
    release();
  }
};

const NEXT = `Next, in your own repository: devflow up, then devflow run start --help.
If you have no agent yet, devflow doctor says what to install.
`;

interface Play {
  socket: string;
  scratch: Scratch;
  story: Story;
  fast: boolean;
  signal: AbortSignal;
}

async function playRun(io: Io, { socket, scratch, story, fast, signal }: Play): Promise<RunDetail | undefined> {
  const client = await connect(socket);
  try {
    const runId = await startRun(client, scratch.repo, story);
    printHeading(io, 'Requirements');
    io.out(`${story.run.requirements}\n`);
    const onChange = createTour(io, client, decider(io, fast, signal));
    const run = await watchRun({ connect: () => connect(socket), runId, onChange, signal });
    if (run === undefined) return undefined;
    printHeading(io, 'Report');
    const { markdown } = await client.call('run.report', { runId });
    io.out(`${visible(io.outIsTty ? plainMarkdown(markdown) : markdown, 'text').trimEnd()}\n\n`);
    return run;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    client.close();
  }
}

async function startRun(client: Client, repo: string, { run }: Story): Promise<string> {
  return ((await client.call('run.start', { repo, ...run })) as { runId: string }).runId;
}

/** Something went wrong in a demo if devflow itself asks so often. */
const MOST_RECOVERIES = 3;

function decider(io: Io, fast: boolean, signal: AbortSignal): (kind: GateKind) => Promise<Answer> {
  if (!fast && io.inIsTty && io.outIsTty) return () => askPerson(io, signal);
  const why = fast ? '--fast' : 'no terminal to ask on';
  let recoveries = 0;
  return async (kind) => {
    if (!holdsResult({ kind })) recoveries += 1;
    if (recoveries > MOST_RECOVERIES) {
      io.out(`devflow aborts the run: something goes wrong again and again (${why}).\n`);
      return { action: 'abort' };
    }
    io.out(`devflow approves this gate (${why}).\n`);
    return { action: 'approve' };
  };
}

function printEnd(io: Io, scratch: Scratch, keep: boolean): void {
  if (!keep) {
    scratch.remove();
    io.out('The demo stopped everything it started and removed its directory.\n');
    io.out(NEXT);
    return;
  }
  io.out(`Kept: repository ${scratch.repo}, everything else in ${scratch.env.DEVFLOW_HOME}.\n`);
  io.out(`Look around with DEVFLOW_HOME=${scratch.env.DEVFLOW_HOME} devflow up.\n`);
}

/** Ends what a killed demo or rehearsal has left, and removes its directory. The guard of the scratch calls it. */
export async function endScratch(directory: string, { env }: Io): Promise<void> {
  await stopEverything({ env }, resolvePaths(env).socketPath);
  removeScratch(directory, env);
}
