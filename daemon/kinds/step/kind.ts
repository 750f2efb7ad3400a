import { defined } from '../../../schemas/defined.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { stepDir } from '../../../schemas/files/runPaths.ts';
import { STEP_SCHEMAS } from '../../../schemas/kinds/step/definition.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { newAssignment } from '../../core/assignment/newAssignment.ts';
import { artifactPaths } from '../../core/assignment/request.ts';
import type { Effect } from '../../core/effect/effect.ts';
import type { OutcomeOf } from '../../core/effect/outcome.ts';
import { escalate } from '../../core/gates/escalate.ts';
import { commitWork } from '../../core/phases/commitWork.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import { failRun, rejection } from '../../core/run/endRun.ts';
import { artifactId } from '../../core/run/keys.ts';
import { laneOf, placeOf } from '../../core/run/lanes.ts';
import { newestArtifact, placed } from '../../core/run/newestArtifact.ts';
import { definitionOf, expectedArtifactOf } from '../../core/run/query.ts';
import { laneVariables } from '../../core/run/setupEnvironment.ts';
import type { Assignment, Phase, Run } from '../../core/run/state.ts';
import type { SetUpLane } from './effect.ts';
import { askAboutProbes, isProbesAsked, probesDecided } from './probeGate.ts';
import { stepRehearsal } from './rehearsal.ts';

/** The writer of the artifact of a step. */
const DEVFLOW = 'devflow';

/** devflow does the step itself. It writes one artifact, and what it left in the worktree is committed. */
export const stepRules: KindRules<'step'> = {
  begin: (run, phase, attempt) => ({
    assignments: [newAssignment(run, phase, { key: DEVFLOW, roleId: DEVFLOW, laneId: MAIN }, attempt)],
  }),
  isEmpty: () => false,
  isAtGate: () => false,
  derive: () => [],
  effects(run, phase) {
    const [assignment] = phase.assignments;
    if (phase.state === 'validating') return [commitWork(run, phase)];
    const isAsked = isProbesAsked(run, phase);
    return phase.state === 'running' && assignment && !isAsked ? [perform(run, phase, assignment)] : [];
  },
  worksIn: (run, phase) => (runsCommands(run, phase) ? [MAIN] : []),
  request: (run, phase) => ({ instructions: '', ...expectedArtifactOf(run, phase) }),
  outcomes: {
    stepPerformed: (run, phase, outcome) =>
      outcome.attempt === phase.attempts && phase.state === 'running' ? performed(run, phase, outcome) : [],
    workCommitted(_, phase, { attempt, work }) {
      if (attempt !== phase.attempts || phase.state !== 'validating') return [];
      return [{ type: 'phase.completed', phaseId: phase.id, payload: { attempt, work } }];
    },
  },
  folds: {},
  rehearsal: stepRehearsal,
  decided(run, phase, approval, { action, comment }) {
    return action === 'reject' ? failRun(run, phase, rejection(approval, comment)) : [];
  },
};

/** True if the step runs commands of the repository, which need what a set-up makes. */
function runsCommands(run: Run, phase: Phase): boolean {
  if (phase.state !== 'running') return false;
  const { step = 'discover' } = definitionOf(run, phase);
  return step === 'rehearse' || (step === 'discover' && probesDecided(run, phase)?.run === true);
}

function setUpLane(run: Run, phase: Phase): SetUpLane | undefined {
  const isSetUp = laneOf(run, MAIN).setup?.state === 'done';
  if (!run.setup || !isSetUp || !runsCommands(run, phase)) return undefined;
  const { env, ports } = run.setup;
  return { env, ports, variables: laneVariables(run, MAIN) };
}

function perform(run: Run, phase: Phase, assignment: Assignment): Effect {
  const { step = 'discover' } = definitionOf(run, phase);
  const { file, schema } = expectedArtifactOf(run, phase);
  const inputs = STEP_SCHEMAS[step].reads.flat().flatMap((name) => {
    const { artifact } = newestArtifact(run, name) ?? {};
    return artifact ? [[name, placed(artifact)] as const] : [];
  });
  const probes = probesDecided(run, phase);
  const decided = probes ? `:${probes.plan}:${probes.run}` : '';
  return {
    type: 'performStep',
    runId: run.id,
    key: `performStep:${phase.id}:${phase.attempts}${decided}`,
    phaseId: phase.id,
    attempt: phase.attempts,
    step,
    lane: placeOf(run, MAIN),
    baseCommit: run.baseCommit,
    since: phase.startedAt ?? run.createdAt,
    dir: stepDir(run.workspaceRoot, run.id, phase.key, phase.attempts),
    ...artifactPaths(run, phase, assignment, { file }),
    schema,
    inputs: Object.fromEntries(inputs),
    probes,
    ...defined({ setup: setUpLane(run, phase) }),
  };
}

function performed(run: Run, phase: Phase, { result }: OutcomeOf<'stepPerformed'>): NewEvent[] {
  const [assignment] = phase.assignments;
  if (!assignment) return [];
  if ('ask' in result) return askAboutProbes(run, phase, result.ask);
  if (!result.ok) return escalate(run, phase, { code: 'step_failed', reason: result.reason });
  const { path, storedPath, schema, hash } = result;
  const { key, attempt } = assignment;
  const expected = { attempt, roleId: key, path, schema };
  const found = { ...expected, artifactId: artifactId(run.id, path, hash), hash, storedPath };
  const timeoutMs = definitionOf(run, phase).timeoutMs ?? run.options.artifactTimeoutMs;
  return [
    { type: 'artifact.expected', phaseId: phase.id, payload: { ...expected, timeoutMs } },
    { type: 'artifact.validated', phaseId: phase.id, payload: found },
  ];
}
