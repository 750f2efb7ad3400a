import { MAIN } from '../../../schemas/mainLane.ts';
import type { Measurement } from '../../../schemas/objective/measured.ts';
import type { Effect, EffectType } from '../effect/effect.ts';
import type { Outcome } from '../effect/outcome.ts';
import { lastCommit, phasesOf } from '../run/query.ts';
import type { Run } from '../run/state.ts';
import type { WorktreeState } from '../run/worktreeState.ts';
import { AGENT_OUTCOMES } from './agentOutcomes.ts';
import { failure, type Possible, type PossibleOf } from './possible.ts';
import { sampleBindings } from './sampleRun.ts';

const WORK = { files: 1, insertions: 1, deletions: 0 };

const headOf = (run: Run) => lastCommit(run) ?? run.baseCommit;

function worktreeAt(head: string): WorktreeState {
  return { head, tree: `tree of ${head}`, files: [], uncommitted: null };
}

function measurement(score: number | null): Measurement {
  const fault = score === null ? 'the command failed' : null;
  const nothing = { rounded: {}, absent: {}, seed: null, data: {}, mined: null, equity: null };
  return { ...nothing, metrics: score === null ? {} : { score }, fault, failure: fault };
}

/** In lanes a check or a merge goes wrong once on a path: what follows is the same for each lane and each time. */
function hasFailed(run: Run, phaseId: string): boolean {
  const tests = phasesOf('lanes', run).find(({ id }) => id === phaseId)?.dag?.tests ?? [];
  const inLane = run.commands.some(
    (each) => each.phaseId === phaseId && each.laneId !== MAIN && each.state === 'failed',
  );
  const isEjected = run.lanes.some(({ ejections }) => ejections.length > 0);
  return inLane || isEjected || tests.some(({ failed }) => failed.length > 0);
}

type Table = { readonly [T in EffectType]: PossibleOf<T> };

/** By effect: {ok, invalid, timed out, crashed}, as far as they apply. What leads on comes first. */
const POSSIBLE: Table = {
  lockBindings: (_, run) => [
    {
      outcome: { type: 'bindingsLocked', bindings: sampleBindings(run.template), branch: 'devflow' },
      words: 'the run begins',
    },
  ],
  ...AGENT_OUTCOMES,
  performStep: ({ phaseId, attempt, step, path, storedPath, schema, probes }) => {
    const done = { type: 'stepPerformed' as const, phaseId, attempt };
    const ask = { plan: 'the commands', probes: [], limits: [] };
    const asks = {
      outcome: { ...done, result: { ok: false as const, ask } },
      words: `the ${step} step asks about commands`,
    };
    return [
      {
        outcome: { ...done, result: { ok: true, path, storedPath, schema, hash: path } },
        words: `the ${step} step succeeds`,
      },
      { outcome: { ...done, result: { ok: false, reason: 'it cannot be done' } }, words: `the ${step} step fails` },
      ...(step === 'discover' && !probes ? [asks] : []),
    ];
  },
  publishArtifact: ({ phaseId, assignment, contract, path, bytes }) => [
    {
      outcome: { type: 'artifactPublished', phaseId, assignment, contract, path, sha256: bytes.hash },
      words: `devflow publishes ${path}`,
    },
  ],
  commitWork({ phaseId, phaseKey, attempt, bindsWorktree, part }) {
    const commit = `commit of ${part?.assignment ?? phaseKey} ${attempt}`;
    const work = { commit, ...WORK };
    const done = { type: 'workCommitted' as const, phaseId, attempt, work };
    const where = part
      ? { part: { assignment: part.assignment, head: commit, outside: [] } }
      : bindsWorktree
        ? { worktree: worktreeAt(commit) }
        : {};
    return [{ outcome: { ...done, ...where }, words: `devflow commits the work of ${phaseKey}` }];
  },
  inspectWorktree: ({ key }, run) => [
    {
      outcome: { type: 'worktreeRead', key, worktree: run.decided ?? worktreeAt(headOf(run)) },
      words: 'devflow reads the worktree',
    },
  ],
  inspectEvaluation({ phaseId, attempt }, run) {
    const commit = headOf(run);
    const seen = { commit, tree: `tree of ${commit}`, protectedHash: 'protected', touched: [] };
    return [
      { outcome: { type: 'evaluationInspected', phaseId, attempt, ...seen }, words: 'devflow reads what to measure' },
    ];
  },
  readMeasurement: ({ phaseId, commandId, ended }) =>
    (ended.ok ? [2, 1] : [null]).map(
      (score): Possible => ({
        outcome: { type: 'measured', phaseId, commandId, measurement: measurement(score), protectedHash: 'protected' },
        words: score === null ? 'nothing is measured' : score === 2 ? 'the targets are met' : 'the targets are missed',
      }),
    ),
  restoreBest: ({ phaseId, attempt, since, best }) => [
    {
      outcome: {
        type: 'workCommitted',
        phaseId,
        attempt,
        work:
          since === best
            ? { commit: null, files: 0, insertions: 0, deletions: 0 }
            : { commit: `back to ${best}`, ...WORK },
      },
      words: 'devflow brings the best state back',
    },
  ],
  findOverlaps: ({ phaseId, attempt }) => [
    {
      outcome: { type: 'overlapsFound', phaseId, attempt, ignoreCase: false, shared: [] },
      words: 'the tasks share no file',
    },
  ],
  prepareLane: ({ phaseId, laneId, onto, lane }) => [
    {
      outcome: { type: 'lanePrepared', phaseId, laneId, onto, head: `${lane.startCommit} with ${onto}`, conflicts: [] },
      words: `lane ${laneId} is brought up to date`,
    },
  ],
  prepareReview: ({ phaseId, round, nth, from, assignments }) => [
    {
      outcome: {
        type: 'reviewPrepared',
        phaseId,
        round,
        nth,
        changedLines: 12,
        fixed: from === null ? [] : [{ path: 'a', from: null, isDeleted: false, hunks: [[1, 1, 1, 1]] }],
        witnesses: Object.fromEntries(assignments.map((key) => [key, [{ path: 'a', lines: [1] }]])),
      },
      words: `devflow prepares round ${round} of the review`,
    },
  ],
  commitResolution({ phaseId, laneId, assignment, onto }) {
    const work = { commit: `resolution of ${assignment}`, ...WORK };
    const committed = { work, head: work.commit, outside: [] };
    return [
      {
        outcome: {
          type: 'resolutionChecked',
          phaseId,
          laneId,
          assignment,
          onto,
          faults: [],
          droppedTests: [],
          committed,
        },
        words: `the conflict of lane ${laneId} is resolved`,
      },
    ];
  },
  testMerge({ phaseId, base, lanes, checks, nth }, run) {
    const commits = lanes.map(({ head }) => `${base} and ${head}`);
    const commit = commits.at(-1) ?? base;
    const passed = { exitCode: 0, reason: 'exit 0', stdoutPath: '', stderrPath: '' };
    const test = {
      base,
      lanes,
      commits,
      commit,
      tree: `tree of ${commit}`,
      checks: checks.hash,
      nth,
      failed: [],
      results: checks.commands.map(({ argv }) => ({ ...passed, argv })),
    };
    const green: Possible = { outcome: { type: 'mergeTested', phaseId, test }, words: 'the merge passes its checks' };
    const [first] = lanes;
    if (!first || hasFailed(run, phaseId)) return [green];
    const red = { ...test, failed: [0], results: [{ ...passed, argv: ['check'], exitCode: 1, reason: 'exit 1' }] };
    const { laneId, head } = first;
    return [
      green,
      { outcome: { type: 'mergeTested', phaseId, test: red }, words: 'the merge fails its checks' },
      {
        outcome: { type: 'mergeConflicted', phaseId, laneId, head, base, paths: ['a'] },
        words: `lane ${laneId} conflicts`,
      },
    ];
  },
  landMerge: ({ phaseId, from, to, lanes, flaky }) => [
    {
      outcome: { type: 'mergeLanded', phaseId, from, to, lanes, flaky, work: { commit: to, ...WORK } },
      words: `${lanes.join(' and ')} land`,
    },
  ],
  runCommand({ key, phaseId, commandId, argv, laneId }, run) {
    const ended = (exitCode: number | null, reason: string): Possible => ({
      outcome: { type: 'commandEnded', commandId, exitCode, ok: exitCode === 0, reason },
      words: `${argv.join(' ')}: ${reason}`,
    });
    const green = ended(0, 'exit 0');
    if (laneId !== undefined && hasFailed(run, phaseId)) return [green];
    const crash: Outcome = { type: 'effectFailed', key, error: failure('command_failed') };
    return [
      green,
      ended(1, 'exit 1'),
      ended(null, 'timed out'),
      { outcome: crash, words: `${argv.join(' ')}: cannot be run` },
    ];
  },
  expireApproval: () => [],
  deliverFiles: () => [],
  disposeSessions: () => [],
  composeReport: () => [],
};

/** The possible outcomes of an effect. */
export function possibleOutcomes(effect: Effect, run: Run): Possible[] {
  return (POSSIBLE[effect.type] as (effect: Effect, run: Run) => Possible[])(effect, run);
}
