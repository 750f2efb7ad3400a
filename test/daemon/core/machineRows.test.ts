import { describe, expect, test } from 'vitest';
import { APPROVAL_STEPS } from '../../../daemon/core/machines/approval.ts';
import type { Step } from '../../../daemon/core/machines/machine.ts';
import { PHASE_STEPS, stepPhase } from '../../../daemon/core/machines/phase.ts';
import { RUN_STEPS, stepRun } from '../../../daemon/core/machines/run.ts';
import { SESSION_STEPS } from '../../../daemon/core/machines/session.ts';
import type { RunEventType } from '../../../schemas/events/index.ts';
import type { Behaviour } from '../../../schemas/events/run.ts';
import {
  abort,
  approve,
  bound,
  commandFails,
  commandOk,
  committed,
  decision,
  dies,
  done,
  expired,
  failed,
  firstPhaseDone,
  given,
  type Input,
  invalid,
  pause,
  phaseDone,
  recovered,
  resume,
  type States,
  sent,
  stalls,
  started,
  timedOut,
  valid,
} from './support/given.ts';
import { assignmentFails, leavesGate, phaseFails, type Records } from './support/records.ts';
import type { Shape } from './support/run.ts';
import { withoutStep } from './support/steps.ts';

/** How to see a row of a table from outside: the last input takes the step and has this result. */
interface Scene {
  shape?: Shape;
  /** The behaviours that have the row; default: all. */
  behaviours?: Behaviour[];
  given: Input[];
  /** Looks at the run after the first such event, in the middle of a transition. */
  upTo?: RunEventType;
  on: Input;
  records: Records;
  to: States;
}
type Scenes = Record<string, Scene>;

const OLDER: Behaviour[] = [1, 2];
const NEWER: Behaviour[] = [3];

const PLANLESS: Shape = { template: 'withoutPlan' };
const COMMANDS: Shape = { template: 'commands' };
const BARE: Shape = { template: 'withoutGate' };
const TIMED: Shape = { approvalTimeoutMs: 1_000 };

const atSpecGate = firstPhaseDone;
const atPlanGate = [...atSpecGate, approve, ...phaseDone];
const implementing = [...atPlanGate, approve, started];
const atLastGate = [...implementing, ...phaseDone];
const waiting = [bound, started, sent];
const asked: RunEventType[] = ['prompt.sent', 'artifact.expected', 'session.busy'];
/** After the given recovery, three more that failed. */
const noRecovery = [dies('implementer'), dies('implementer'), dies('implementer')];
const asking = [...waiting, stalls('implementer', 'permission')];
const exhausted = [...waiting, dies('implementer'), ...noRecovery];
const checking = [...firstPhaseDone, commandOk, commandOk];

/** A pipeline whose review leaves nothing to mend. */
const published = [sent, valid, done('publishArtifact'), committed];
const reviewAllows = [bound, started, ...published, approve, ...published, started, ...phaseDone, ...published];

const approvesPlan: Scene = {
  given: atPlanGate,
  on: approve,
  records: leavesGate('phase.completed', 'phase.started', 'session.created'),
  to: {
    run: 'executing',
    phases: { plan: 'completed', implement: 'running' },
    approvals: { plan_approved: 'approved' },
  },
};
const rejectsSpec: Scene = {
  given: atSpecGate,
  on: decision('reject', 'not this'),
  records: ['approval.resolved', 'phase.failed', 'run.failed'],
  to: { run: 'failed', phases: { spec: 'failed' }, approvals: { spec_approved: 'rejected' } },
};

/** Two tasks of the plan may write the same file, and a person wants another plan. */
const replans: Scene = {
  shape: { template: 'lanes' },
  behaviours: NEWER,
  given: [bound, started, ...phaseDone, approve, done('findOverlaps', 1)],
  on: decision('request_changes', 'cut it otherwise'),
  records: ['approval.resolved', 'phase.started'],
  to: { run: 'planning', phases: { plan: 'running', build: 'pending' } },
};

/** A run of behaviour 3 is active again with the first event after a gate, so it takes fewer of these steps. */
const RUN_SCENES: Scenes = {
  'created, lockBindings ok': {
    given: [],
    on: bound,
    records: ['run.started', 'phase.started', 'session.created'],
    to: { run: 'planning', phases: { spec: 'running', plan: 'pending' }, sessions: { planner: 'BOOTSTRAPPING' } },
  },
  'planning, the phase plan is approved': {
    behaviours: NEWER,
    given: atPlanGate,
    on: approve,
    records: ['approval.resolved', 'phase.completed', 'phase.started', 'session.created'],
    to: { run: 'executing', phases: { plan: 'completed', implement: 'running' } },
  },
  'executing, the phase plan is written again': {
    shape: { template: 'checkedPlan' },
    behaviours: NEWER,
    given: [...firstPhaseDone, approve, commandFails],
    on: decision('request_changes', 'smaller steps'),
    records: ['approval.resolved', 'phase.started'],
    to: { run: 'planning', phases: { plan: 'running', lint: 'pending' } },
  },
  'created, lockBindings fail': {
    given: [],
    on: failed('lockBindings', 'no_eligible_persona'),
    records: ['run.failed'],
    to: { run: 'failed', phases: { spec: 'pending' } },
  },
  'bound, phase plan needed': {
    given: [],
    on: bound,
    records: ['run.started', 'phase.started', 'session.created'],
    to: { run: 'planning' },
  },
  'bound, no phase plan in the template': {
    shape: PLANLESS,
    given: [],
    on: bound,
    records: ['run.started', 'phase.started', 'session.created'],
    to: { run: 'executing', phases: { implement: 'running' } },
  },
  'planning, artifact valid, gate': {
    given: [...waiting, valid],
    on: committed,
    records: ['approval.requested'],
    to: { run: 'awaiting_approval', phases: { spec: 'awaiting_approval' }, approvals: { spec_approved: 'pending' } },
  },
  'awaiting_approval, approve': { ...approvesPlan, behaviours: OLDER },
  'awaiting_approval, approve before the phase plan': {
    given: atSpecGate,
    on: approve,
    records: leavesGate('phase.completed', 'phase.started'),
    to: { run: 'planning', phases: { spec: 'completed', plan: 'running' } },
  },
  'awaiting_approval, reject': { ...rejectsSpec, behaviours: OLDER },
  'awaiting_approval, request_changes': {
    given: atPlanGate,
    on: decision('request_changes', 'smaller steps'),
    records: leavesGate('phase.started'),
    to: { run: 'planning', phases: { plan: 'running' }, approvals: { plan_approved: 'changes_requested' } },
  },
  'awaiting_approval, request_changes after the phase plan': {
    given: atLastGate,
    on: decision('request_changes', 'more tests'),
    records: leavesGate('phase.started'),
    to: { run: 'executing', phases: { implement: 'running', verify: 'pending' } },
  },
  'awaiting_approval, timeout': {
    shape: TIMED,
    given: atSpecGate,
    on: expired,
    records: ['run.paused'],
    to: { run: 'paused', phases: { spec: 'awaiting_approval' }, approvals: { spec_approved: 'paused' } },
  },
  'executing, phase needs gate': {
    shape: PLANLESS,
    given: firstPhaseDone,
    on: commandFails,
    records: ['command.failed', 'approval.requested'],
    to: { run: 'awaiting_approval', phases: { verify: 'awaiting_approval' } },
  },
  'executing, all phases done': {
    given: atLastGate,
    on: approve,
    records: leavesGate('phase.completed', 'run.completed'),
    to: { run: 'completed', phases: { verify: 'completed' } },
  },
  'executing, unrecoverable error': {
    given: implementing,
    on: failed('sendPrompt', 'internal_state_corruption'),
    records: ['phase.failed', 'run.failed'],
    to: { run: 'failed', phases: { implement: 'failed' } },
  },
  'executing, pauseRun': { given: implementing, on: pause, records: ['run.paused'], to: { run: 'paused' } },
  'planning, pauseRun': { given: waiting, on: pause, records: ['run.paused'], to: { run: 'paused' } },
  'planning, fatal error': {
    given: waiting,
    on: failed('awaitArtifact', 'internal_state_corruption'),
    records: ['phase.failed', 'run.failed'],
    to: { run: 'failed', phases: { spec: 'failed' } },
  },
  'paused, resume to planning': {
    given: [...waiting, pause],
    on: resume,
    records: ['run.resumed'],
    to: { run: 'planning', phases: { spec: 'awaiting_artifact' } },
  },
  'paused, resume to executing': {
    given: [...implementing, pause],
    on: resume,
    records: ['run.resumed'],
    to: { run: 'executing' },
  },
  'paused, resume to awaiting_approval': {
    given: [...atSpecGate, pause],
    on: resume,
    records: ['run.resumed'],
    to: { run: 'awaiting_approval', approvals: { spec_approved: 'pending' } },
  },
  'paused, reject at a recovery gate': {
    behaviours: OLDER,
    shape: BARE,
    given: exhausted,
    on: decision('reject'),
    records: ['approval.resolved', 'run.failed'],
    to: { run: 'failed', phases: { implement: 'failed' }, approvals: { recovery: 'rejected' } },
  },
  'created, abortRun': { given: [], on: abort, records: ['run.aborted'], to: { run: 'aborted' } },
  'bound, abortRun': {
    given: [bound],
    upTo: 'run.started',
    on: abort,
    records: ['run.aborted'],
    to: { run: 'aborted' },
  },
  'planning, abortRun': {
    given: waiting,
    on: abort,
    records: ['phase.failed', 'run.aborted'],
    to: { run: 'aborted', phases: { spec: 'failed' } },
  },
  'awaiting_approval, abortRun': {
    behaviours: OLDER,
    given: atSpecGate,
    on: abort,
    records: ['phase.failed', 'run.aborted'],
    to: { run: 'aborted', phases: { spec: 'failed' }, approvals: { spec_approved: 'aborted' } },
  },
  'executing, abortRun': {
    shape: COMMANDS,
    given: firstPhaseDone,
    on: abort,
    records: ['command.failed', 'phase.failed', 'run.aborted'],
    to: { run: 'aborted', phases: { test: 'failed' } },
  },
  'paused, abortRun': {
    given: [...waiting, pause],
    on: abort,
    records: ['phase.failed', 'run.aborted'],
    to: { run: 'aborted', phases: { spec: 'failed' } },
  },
};

const PHASE_SCENES: Scenes = {
  'pending, start': RUN_SCENES['created, lockBindings ok'] as Scene,
  'running, prompt sent, artifact expected': {
    given: [bound, started],
    on: sent,
    records: asked,
    to: { phases: { spec: 'awaiting_artifact' }, sessions: { planner: 'BUSY' } },
  },
  'awaiting_artifact, artifact appears': {
    given: waiting,
    on: valid,
    records: ['artifact.validated', 'session.idle'],
    to: { phases: { spec: 'validating' }, sessions: { planner: 'READY' } },
  },
  'awaiting_artifact, timeout': {
    given: waiting,
    on: timedOut,
    records: ['artifact.timeout'],
    to: { phases: { spec: 'running' }, sessions: { planner: 'ARTIFACT_TIMEOUT' } },
  },
  'awaiting_artifact, timeout, exhausted': {
    given: [...waiting, timedOut, recovered, sent, timedOut, recovered, sent, timedOut, recovered, sent],
    on: timedOut,
    records: assignmentFails('artifact.timeout', 'session.failed'),
    to: {
      run: 'paused',
      phases: { spec: 'failed' },
      sessions: { planner: 'FAILED_NEEDS_HUMAN' },
      approvals: { recovery: 'pending' },
    },
  },
  'validating, valid, gate': RUN_SCENES['planning, artifact valid, gate'] as Scene,
  'validating, valid': {
    given: [...implementing, sent, valid],
    on: committed,
    records: ['phase.completed', 'phase.started', 'approval.requested'],
    to: { run: 'awaiting_approval', phases: { implement: 'completed', verify: 'awaiting_approval' } },
  },
  'validating, invalid, one repair': {
    given: waiting,
    on: invalid,
    records: ['artifact.invalid', 'session.idle'],
    to: { run: 'planning', phases: { spec: 'running' }, sessions: { planner: 'READY' } },
  },
  'validating, invalid, exhausted': {
    given: [...waiting, invalid, sent],
    on: invalid,
    records: assignmentFails('artifact.invalid', 'session.idle'),
    to: { run: 'paused', phases: { spec: 'failed' }, approvals: { recovery: 'pending' } },
  },
  'awaiting_approval, approve': approvesPlan,
  'awaiting_approval, reject or abort': {
    given: atSpecGate,
    on: decision('abort'),
    records: ['approval.resolved', 'phase.failed', 'run.aborted'],
    to: { run: 'aborted', phases: { spec: 'failed' }, approvals: { spec_approved: 'aborted' } },
  },
  'awaiting_approval, request_changes': RUN_SCENES['awaiting_approval, request_changes'] as Scene,
  'pending, nothing to do': {
    shape: { template: 'nothingToDo' },
    given: [],
    on: bound,
    records: ['run.started', 'phase.skipped', 'run.completed'],
    to: { run: 'completed', phases: { prepare: 'skipped' } },
  },
  'running, commands done, gate': {
    shape: PLANLESS,
    given: firstPhaseDone,
    on: commandOk,
    records: ['command.completed', 'approval.requested'],
    to: { run: 'awaiting_approval', phases: { verify: 'awaiting_approval' } },
  },
  'running, commands done': {
    shape: COMMANDS,
    given: [...firstPhaseDone, commandOk],
    on: commandOk,
    records: ['command.completed', 'phase.completed', 'phase.started', 'approval.requested'],
    to: { phases: { prepare: 'skipped', test: 'completed', verify: 'awaiting_approval' } },
  },
  'running, exhausted, or the run ended': {
    shape: COMMANDS,
    given: [...firstPhaseDone, commandFails],
    on: commandOk,
    records: phaseFails('command.completed'),
    to: { run: 'paused', phases: { test: 'failed' }, approvals: { recovery: 'pending' } },
  },
  'running, the plan that it carries out is redone': replans,
  'skipped, its iteration begins again': {
    shape: { template: 'pipeline' },
    behaviours: NEWER,
    given: reviewAllows,
    on: decision('request_changes', 'Something else, too.'),
    records: ['approval.resolved', 'iteration.started', 'phase.started'],
    to: { phases: { execute: 'running', review: 'pending', remediate: 'pending', verify: 'pending' } },
  },
  'failed, retry that keeps all artifacts': {
    behaviours: NEWER,
    given: [...waiting, valid, failed('commitWork', 'disk_full')],
    on: approve,
    records: ['approval.resolved', 'phase.started'],
    to: { run: 'planning', phases: { spec: 'validating' } },
  },
  'failed, retry at the recovery gate': {
    shape: COMMANDS,
    given: [...firstPhaseDone, commandFails, commandOk],
    on: approve,
    records: leavesGate('phase.started', 'command.started'),
    to: { run: 'executing', phases: { implement: 'completed', test: 'running' } },
  },
  'completed, changes requested at a later gate': {
    given: atLastGate,
    on: decision('request_changes', 'more tests'),
    records: leavesGate('phase.started'),
    to: { phases: { implement: 'running' } },
  },
  'awaiting_approval, the work under decision is redone': {
    given: atLastGate,
    on: decision('request_changes', 'more tests'),
    records: leavesGate('phase.started'),
    to: { phases: { implement: 'running', verify: 'pending' } },
  },
  'completed, the work before it is redone': {
    shape: COMMANDS,
    given: checking,
    on: decision('request_changes', 'more tests'),
    records: leavesGate('phase.started'),
    to: { phases: { prepare: 'skipped', implement: 'running', test: 'pending', verify: 'pending' } },
  },
  'failed, the work it checked is redone': {
    shape: COMMANDS,
    given: [...firstPhaseDone, commandFails, commandOk],
    on: decision('request_changes', 'the build is red'),
    records: leavesGate('phase.started'),
    to: { run: 'executing', phases: { implement: 'running', test: 'pending' } },
  },
};

/** `lateOutcomes.test.ts` checks which request of the lane it closes. */
function askCleanup(filesHash: string): Input {
  return { type: 'askCleanup', lane: 'main', path: '/ws', files: ['new.ts'], filesHash };
}

const APPROVAL_SCENES: Scenes = {
  'pending, approve': approvesPlan,
  'pending, reject': rejectsSpec,
  'pending, request_changes': RUN_SCENES['awaiting_approval, request_changes'] as Scene,
  'pending, abort': PHASE_SCENES['awaiting_approval, reject or abort'] as Scene,
  'pending, timeout': RUN_SCENES['awaiting_approval, timeout'] as Scene,
  'pending, supersede': {
    shape: TIMED,
    given: [...atSpecGate, abort, askCleanup('one')],
    on: askCleanup('two'),
    records: ['approval.requested'],
    to: { run: 'aborted', approvals: { cleanup_forced: 'pending', spec_approved: 'aborted' } },
  },
  'paused, unpause': {
    shape: TIMED,
    given: [...atSpecGate, expired],
    on: resume,
    records: ['run.resumed'],
    to: { run: 'awaiting_approval', approvals: { spec_approved: 'pending' } },
  },
  'paused, abortRun': {
    shape: TIMED,
    given: [...atSpecGate, expired],
    on: abort,
    records: ['phase.failed', 'run.aborted'],
    to: { run: 'aborted', approvals: { spec_approved: 'aborted' } },
  },
};

const session = (
  before: Input[],
  on: Input,
  records: Records,
  state: NonNullable<States['sessions']>[string],
): Scene => ({ shape: BARE, given: before, on, records, to: { sessions: { implementer: state } } });

const SESSION_SCENES: Scenes = {
  'CREATED, start': session([], bound, ['run.started', 'phase.started', 'session.created'], 'BOOTSTRAPPING'),
  'BOOTSTRAPPING, ready': session([bound], started, ['session.ready'], 'READY'),
  'READY, prompt': session([bound, started], sent, asked, 'BUSY'),
  'BUSY, idle': session(waiting, valid, ['artifact.validated', 'session.idle'], 'READY'),
  'BUSY, no artifact in time': session(waiting, timedOut, ['artifact.timeout'], 'ARTIFACT_TIMEOUT'),
  'BUSY, died': session(waiting, dies('implementer'), ['session.crashed'], 'CRASHED'),
  'BUSY, asks': session(
    waiting,
    stalls('implementer', 'permission'),
    ['run.stalled', 'approval.requested'],
    'WAITING_FOR_APPROVAL',
  ),
  'BUSY, hung': session(waiting, stalls('implementer', 'hung'), ['run.stalled'], 'HUNG'),
  'WAITING_FOR_APPROVAL, answered': session(asking, stalls('implementer', null), ['run.stalled'], 'BUSY'),
  'WAITING_FOR_APPROVAL, idle': session(asking, valid, ['artifact.validated', 'session.idle'], 'READY'),
  'WAITING_FOR_APPROVAL, died': session(asking, dies('implementer'), ['session.crashed'], 'CRASHED'),
  'WAITING_FOR_APPROVAL, hung': session(asking, stalls('implementer', 'hung'), ['run.stalled'], 'HUNG'),
  'HUNG, recover': session([...waiting, stalls('implementer', 'hung')], recovered, ['session.recovered'], 'READY'),
  'HUNG, resume failed': session(
    [...waiting, stalls('implementer', 'hung')],
    done('recoverSession', 2),
    ['session.crashed'],
    'CRASHED',
  ),
  'HUNG, exhausted': session(
    [
      ...waiting,
      ...Array(3)
        .fill([stalls('implementer', 'hung'), recovered, sent])
        .flat(),
    ],
    stalls('implementer', 'hung'),
    assignmentFails('run.stalled', 'session.failed'),
    'FAILED_NEEDS_HUMAN',
  ),
  'CRASHED, recover': session([...waiting, dies('implementer')], recovered, ['session.recovered'], 'READY'),
  'ARTIFACT_TIMEOUT, recover': session([...waiting, timedOut], recovered, ['session.recovered'], 'READY'),
  'RESUMING, resumed': session([...waiting, timedOut], recovered, ['session.recovered'], 'READY'),
  'RESUMING, resume failed': session(
    [...waiting, timedOut, dies('implementer'), dies('implementer')],
    recovered,
    ['session.recovered'],
    'READY',
  ),
  'REBOOTSTRAPPED, ready': session([...waiting, timedOut], done('recoverSession', 1), ['session.recovered'], 'READY'),
  'BOOTSTRAPPING, start failed': session([bound], done('startSession', 1), ['session.crashed'], 'CRASHED'),
  'READY, died while idle': session([bound, started], dies('implementer'), ['session.crashed'], 'CRASHED'),
  'ARTIFACT_TIMEOUT, resume failed': session(
    [...waiting, timedOut],
    done('recoverSession', 2),
    ['session.crashed'],
    'CRASHED',
  ),
  'CRASHED, resume failed again': session(
    [...waiting, dies('implementer')],
    done('recoverSession', 2),
    ['session.crashed'],
    'CRASHED',
  ),
  'FAILED_NEEDS_HUMAN, rebootstrap failed': session(
    [...exhausted, approve],
    done('recoverSession', 2),
    assignmentFails('session.crashed'),
    'FAILED_NEEDS_HUMAN',
  ),
  'CRASHED, exhausted': session(
    exhausted.slice(0, -1),
    dies('implementer'),
    assignmentFails('session.crashed', 'session.failed'),
    'FAILED_NEEDS_HUMAN',
  ),
  'ARTIFACT_TIMEOUT, exhausted': session(
    [...waiting, timedOut, recovered, sent, timedOut, recovered, sent, timedOut, recovered, sent],
    timedOut,
    assignmentFails('artifact.timeout', 'session.failed'),
    'FAILED_NEEDS_HUMAN',
  ),
  'FAILED_NEEDS_HUMAN, retry at the recovery gate': session(
    [...exhausted, approve],
    recovered,
    ['session.recovered'],
    'READY',
  ),
};

/** The row's name in the scenes. The three rows of `resume` differ only in their targets. */
function nameOf(row: Step<string>): string {
  return row.trigger === 'resume' ? `${row.from}, ${row.trigger} to ${row.to}` : `${row.from}, ${row.trigger}`;
}

const MACHINES: [string, readonly Step<string>[], Scenes][] = [
  ['run', RUN_STEPS, RUN_SCENES],
  ['phase', PHASE_STEPS, PHASE_SCENES],
  ['approval', APPROVAL_STEPS, APPROVAL_SCENES],
  ['session', SESSION_STEPS, SESSION_SCENES],
];

describe.each(MACHINES)('the %s machine', (_machine, table, scenes) => {
  test('has a scene for each row, and no row that nothing leads to', () => {
    expect(Object.keys(scenes).sort()).toEqual(table.map(nameOf).sort());
  });

  const cases = Object.entries(scenes).flatMap(([name, scene]) =>
    (scene.behaviours ?? [...OLDER, ...NEWER]).map((behaviour) => [name, behaviour, scene] as const),
  );
  test.each(cases)('%s, with behaviour %i', (name, behaviour, scene) => {
    const row = table.find((candidate) => nameOf(candidate) === name);
    if (!row) throw new Error(`the table has no row "${name}"`);
    const whole = given({ behaviour, ...scene.shape }, ...scene.given);
    const before = scene.upTo ? whole.upTo(scene.upTo) : whole;
    before.on(scene.on).recordsBy(scene.records).to(scene.to);
    withoutStep(table, row, () => {
      expect(() => before.on(scene.on)).toThrow(expect.objectContaining({ code: 'internal_state_corruption' }));
    });
  });
});

test('a step that no row has is refused as corruption of the state', () => {
  expect(() => stepRun('completed', 'executing')).toThrow(
    expect.objectContaining({ code: 'internal_state_corruption' }),
  );
  expect(() => stepPhase('pending', 'completed')).toThrow(
    expect.objectContaining({ code: 'internal_state_corruption' }),
  );
});
