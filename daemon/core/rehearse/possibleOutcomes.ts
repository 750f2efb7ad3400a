import { kindOf, POSSIBLE_OF_KINDS } from '../../kinds/index.ts';
import type { Effect, EffectType } from '../effect/effect.ts';
import type { Outcome } from '../effect/outcome.ts';
import { failure, newestCommit, type Possible, type PossibleOf, WORK } from '../effect/possible.ts';
import type { Run } from '../run/state.ts';
import type { WorktreeState } from '../run/worktreeState.ts';
import { AGENT_OUTCOMES } from './agentOutcomes.ts';
import { sampleBindings } from './sampleRun.ts';

function worktreeAt(head: string): WorktreeState {
  return { head, tree: `tree of ${head}`, files: [], uncommitted: null };
}

/** By effect: {ok, invalid, timed out, crashed}, as far as they apply. Those that lead on come first. */
const POSSIBLE: { readonly [T in EffectType]: PossibleOf<T> } = {
  ...POSSIBLE_OF_KINDS,
  lockBindings: (_, run) => [
    {
      outcome: { type: 'bindingsLocked', bindings: sampleBindings(run.template), branch: 'devflow' },
      words: 'the run begins',
    },
  ],
  ...AGENT_OUTCOMES,
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
      outcome: { type: 'worktreeRead', key, worktree: run.decided ?? worktreeAt(newestCommit(run)) },
      words: 'devflow reads the worktree',
    },
  ],
  runCommand({ key, phaseId, commandId, argv, laneId }, run) {
    const ended = (exitCode: number | null, reason: string): Possible => ({
      outcome: { type: 'commandEnded', commandId, exitCode, ok: exitCode === 0, reason },
      words: `${argv.join(' ')}: ${reason}`,
    });
    const green = ended(0, 'exit 0');
    const phase = run.phases.find(({ id }) => id === phaseId);
    if (laneId !== undefined && phase && kindOf(phase).rehearsal.hasFailed?.(run, phase)) return [green];
    const crash: Outcome = { type: 'effectFailed', key, error: failure('command_failed') };
    return [
      green,
      ended(1, 'exit 1'),
      ended(null, 'timed out'),
      { outcome: crash, words: `${argv.join(' ')}: cannot be run` },
    ];
  },
  placeWorktree: ({ laneId, nth, setup }) => {
    const placed = {
      inputs: 'inputs',
      placed: [],
      refused: [],
      ports: {},
      commands: setup.commands.map(({ argv }) => argv),
    };
    return [{ outcome: { type: 'worktreePlaced', laneId, nth, ...placed, ms: 0 }, words: `devflow sets ${laneId} up` }];
  },
  finishSetup: ({ laneId, nth, failure }) => {
    const reason = failure === null ? {} : { reason: failure };
    const ended = { ok: failure === null, ...reason, changed: [], excluded: [], ms: 0 };
    return [{ outcome: { type: 'setupFinished', laneId, nth, ...ended }, words: `the set-up of ${laneId} has ended` }];
  },
  expireApproval: () => [],
  // A rehearsal has no rules: a person decides at each gate.
  checkRule: () => [],
  deliverFiles: () => [],
  disposeSessions: () => [],
  composeReport: () => [],
};

/** The possible outcomes of an effect. */
export function possibleOutcomes(effect: Effect, run: Run): Possible[] {
  return (POSSIBLE[effect.type] as (effect: Effect, run: Run) => Possible[])(effect, run);
}
