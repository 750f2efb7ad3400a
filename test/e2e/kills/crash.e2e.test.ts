import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CRASH_POINTS, type CrashPoint } from '../../../daemon/system/faults.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { isAlive } from '../../../schemas/process/processes.ts';
import { makeDaemon, startDaemon, type TestDaemon } from '../../helpers/daemon.ts';
import { drive, ended, readLog, startRun } from '../../helpers/drive.ts';
import { normalForm, readReport, receivedPrompts } from '../../helpers/eventLog.ts';
import type { TestRepo } from '../../helpers/testRepo.ts';
import { until } from '../../helpers/until.ts';
import { proveEnd } from '../support.ts';

/** Dozens of lives of a daemon take long on a busy machine. */
const HANGS_MS = 1_800_000;
/** Daemons that crash side by side. */
const LANES = 2;

/**
 * Armed like this, each daemon makes one commit and dies, so that one run visits the point at every commit. An agent that
 * ends before its prompt is recorded costs one more recovery: only an undisturbed agent leaves the same log.
 */
const EVERY_COMMIT = {
  'transition.before_commit': { armed: 'transition.before_commit@2', variant: 'plain' },
  'transition.after_commit': { armed: 'transition.after_commit', variant: 'recovery' },
} as const;

/** One run dies at all points of a line, because it comes to them far apart. At any other point it dies alone. */
const TOGETHER: CrashPoint[][] = [
  ['lockBindings.before_worktree', 'runCommand.before_start', 'composeReport.before_write'],
  ['lockBindings.after_worktree', 'runCommand.after_end', 'composeReport.after_write'],
  ['startSession.after_start', 'disposeSessions.after_dispose'],
  ['inspectWorktree.before_read', 'composeReport.after_mark'],
];

/** The tests of messages, lanes, reviews, contracts, measured loops, rules and the template factory die at these. */
const isOfOthers = (point: CrashPoint) =>
  /^(checkRule|sendMessage|placeWorktree|finishSetup|findOverlaps|prepareLane|prepareReview|commitResolution|testMerge|landMerge|publishArtifact|exchangeFiles|deliverFiles|inspectEvaluation|readMeasurement|restoreBest|performStep)\./.test(
    point,
  );

const VERIFY = ['one', 'two'].map((name) => ['sh', '-c', `echo ${name} >> .devflow/artifacts/ran`]);
const VARIANTS = {
  plain: 'Make it better.',
  /** With a repair prompt, an agent that dies at a prompt, and one that dies at work. */
  recovery:
    'Make it better.\n\nScenario: spec=invalid-then-ok\nScenario: plan=crash-then-ok\nScenario: implement=exit-then-ok\n',
};
type Variant = keyof typeof VARIANTS;

interface Lane {
  daemon: TestDaemon;
  repo: TestRepo;
}

/** Everything about a finished run that a crash must not change. */
interface Outcome {
  log: string[];
  prompts: number;
  subjects: string;
  ran: string;
}

/** Runs `development@1` to its end. A daemon that dies is started again. Waits until it has died so many times. */
async function wholeRun(
  { daemon, repo }: Lane,
  variant: Variant,
  mustDie = 0,
): Promise<{ outcome: Outcome; deaths: number }> {
  const over = new AbortController();
  let deaths = 0;
  const revive = (async () => {
    while (!over.signal.aborted) {
      const stopped = new Promise<'over'>((resolve) => over.signal.addEventListener('abort', () => resolve('over')));
      const exit = await Promise.race([daemon.exited(), stopped]);
      if (exit === 'over') return;
      expect(exit).toEqual({ code: null, signal: 'SIGKILL' });
      deaths += 1;
      await daemon.start().catch((error) => {
        // On Temporal it works before it is ready, and may die.
        if (error.signal !== 'SIGKILL') throw error;
      });
    }
  })();
  try {
    const outcome = await Promise.race([follow({ daemon, repo }, variant), revive as Promise<never>]);
    // A client cannot see the last point.
    await until(`the daemon has died ${mustDie} times`, () => deaths >= mustDie);
    return { outcome, deaths };
  } finally {
    over.abort();
    await revive;
  }
}

async function follow({ daemon, repo }: Lane, variant: Variant): Promise<Outcome> {
  const requirements = VARIANTS[variant];
  const runId = await startRun(daemon, { repo: repo.dir, requirements, extra: { verify: VERIFY } });
  const live = await drive(daemon, runId);
  const run = await ended(daemon, runId);
  expect(run.state).toBe('completed');
  const events = await readLog(daemon, runId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(live).toEqual(events);
  expect(await daemon.ask('run.verify', { runId })).toEqual({ runId, ok: true, differences: [] });
  expect(readReport(run)).toMatchObject({ runId, status: 'completed' });
  const received = await receivedPrompts(daemon.workspaceRoot, runId);
  expect([...received.values()].every((times) => times === 1)).toBe(true);
  return {
    log: normalForm(events, daemon.root),
    prompts: received.size,
    subjects: repo.git('log', '--format=%s%(trailers:key=Devflow-Phase)', `main..devflow/${runId}/main`),
    ran: readFileSync(join(run.worktreeRoot, '.devflow', 'artifacts', 'ran'), 'utf8'),
  };
}

/** A lane whose daemon lists its visits to the crash points, and dies at the points that `arm` names. */
async function listingLane(): Promise<
  Lane & { visited(): Promise<Record<string, number>>; arm(points: string[]): void }
> {
  const daemon = await makeDaemon();
  const list = join(daemon.root, 'visits');
  daemon.env.DEVFLOW_FAULT = `list:${list}`;
  await daemon.start();
  return {
    daemon,
    repo: daemon.repo(),
    arm: (points) => writeFileSync(`${list}.deadly`, points.join('\n')),
    /** How many effects of the last run came to each point. */
    async visited() {
      const last = CRASH_POINTS.at(-1) as string;
      const lines = await until('the last point', () => {
        const listed = readFileSync(list, 'utf8');
        return listed.includes(last) ? listed.trimEnd().split('\n') : undefined;
      });
      rmSync(list);
      const counts: Record<string, number> = {};
      for (const [name = ''] of [...new Set(lines)].map((line) => line.split(' ')))
        counts[name] = (counts[name] ?? 0) + 1;
      for (const name of Object.keys(EVERY_COMMIT)) delete counts[name];
      return counts;
    },
  };
}

const variantOf = (name: string): Variant => (name.startsWith('recoverSession') ? 'recovery' : 'plain');

test(
  'a daemon that is killed at any crash point brings the same outcome',
  async () => {
    const lanes = await Promise.all(Array.from({ length: LANES }, listingLane));
    const undisturbed = {} as Record<Variant, { outcome: Outcome; visits: Record<string, number> }>;
    for (const variant of ['plain', 'recovery'] as const) {
      const runs = await Promise.all(
        lanes.map(async (lane) => ({ ...(await wholeRun(lane, variant)), visits: await lane.visited() })),
      );
      expect(runs).toEqual(lanes.map(() => ({ ...runs[0], deaths: 0 })));
      undisturbed[variant] = runs[0] as (typeof runs)[0];
    }
    const isElsewhere = (point: CrashPoint) =>
      point in EVERY_COMMIT || isOfOthers(point) || TOGETHER.flat().includes(point);
    const alone = CRASH_POINTS.filter((point) => !isElsewhere(point));
    const groups = [...TOGETHER, ...alone.map((point) => [point])];
    const visitsOf = (points: CrashPoint[]) => points.map((point) => undisturbed[variantOf(point)].visits[point] ?? 0);
    expect(groups.filter((points) => visitsOf(points).includes(0))).toEqual([]);

    const queue = groups.values();
    const work = async (lane: (typeof lanes)[0]) => {
      for (const points of queue) {
        const variant = variantOf(points[0] as string);
        const mustDie = visitsOf(points).reduce((sum, each) => sum + each, 0);
        lane.arm(points);
        const run = await wholeRun(lane, variant, mustDie);
        const expected = { ...undisturbed[variant], deaths: mustDie };
        expect.soft({ points, ...run, visits: await lane.visited() }).toEqual({ points, ...expected });
      }
    };
    await Promise.all(lanes.map(work));
    const visits = groups.flatMap(visitsOf).reduce((sum, each) => sum + each, 0);
    console.log(`crash points visited: ${visits} (${groups.flat().length} names)`);
  },
  HANGS_MS,
);

test.each(Object.entries(EVERY_COMMIT))(
  '%s: a daemon that dies at every commit completes the run',
  async (_name, { armed, variant }) => {
    const daemon = await startDaemon();
    const lane = { daemon, repo: daemon.repo() };
    const undisturbed = (await wholeRun(lane, variant)).outcome;
    const { start } = daemon;
    daemon.start = () => start({ DEVFLOW_FAULT: armed });
    await daemon.restart();
    const { outcome, deaths } = await wholeRun(lane, variant);
    expect(outcome).toEqual(undisturbed);
    console.log(`lives of the daemon: ${deaths + 1}`);
    daemon.start = start;
    await daemon.restart();
  },
  HANGS_MS,
);

test.each([
  ['Postgres', false],
  ['Postgres and the daemon', true],
])('continues at the next start after kill -9 of %s', async (_name, both) => {
  const daemon = await startDaemon({ database: 'embedded' });
  const repo = daemon.repo();
  const request = { repo: repo.dir, requirements: 'x\nDelay-Ms: plan=200\n', extra: { verify: VERIFY } };
  const calm = await startRun(daemon, request);
  await drive(daemon, calm);
  const undisturbed = (await proveEnd(daemon, calm, 'completed')).events;

  const runId = await startRun(daemon, request);
  let prompts = 0;
  const inPlan = ({ type }: { type: string }) => {
    if (type === 'prompt.sent') prompts += 1;
    return prompts === 2;
  };
  await drive(daemon, runId, { stopAt: inPlan });
  const dataDir = resolvePaths(daemon.env).postgresData;
  const postgres = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(postgres, 'SIGKILL');
  // At once: the daemon ends by itself as soon as it misses the database.
  if (both) await daemon.kill('SIGKILL');
  await until('Postgres is gone', () => !isAlive(postgres));
  const exit = await daemon.exited();
  expect(exit).toEqual(both ? { code: null, signal: 'SIGKILL' } : { code: 1, signal: null });
  await daemon.startDatabase();
  await daemon.start();
  await drive(daemon, runId);
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(normalForm(events, daemon.root)).toEqual(normalForm(undisturbed, daemon.root));
  expect((await receivedPrompts(daemon.workspaceRoot, runId)).size).toBe(3);
});
