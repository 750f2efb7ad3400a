import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/engine/core/decide.ts';
import { openGates } from '../../../../daemon/engine/core/run/query.ts';
import { waitsFor } from '../../../../daemon/engine/core/waitsFor.ts';
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
  recovered,
  resume,
  sent,
  started,
  timedOut,
  valid,
} from './support/given.ts';
import { errorRecord } from './support/outcomes.ts';
import { createdPayload } from './support/run.ts';

const waiting = [bound, started, sent];

/** A death as the watcher of the agent reports it: without the count that an effect knows. */
const watched: Input = (run) => ({
  type: 'sessionLost',
  sessionId: run.sessions[0]?.id ?? '',
  error: errorRecord('pane_briefly_unresponsive'),
});

/** The input as it is now, to be given later. */
function now(story: ReturnType<typeof given>, input: Input): Input {
  return typeof input === 'function' ? input(story.run) : input;
}

describe('ignores a late or repeated outcome', () => {
  test.each<[string, Input[], Input, Input[]]>([
    ['bindings locked twice', [], bound, [bound]],
    ['a session ready twice', [bound], started, [started]],
    ['a prompt delivered twice', [bound, started], sent, [sent]],
    ['a prompt delivered to a session that has died', [bound, started], sent, [dies('planner')]],
    ['a prompt delivered to a session that has died and is back', [bound, started], sent, [dies('planner'), recovered]],
    ['a prompt delivered after the attempt was given up', [bound, started], sent, [failed('sendPrompt', 'disk_full')]],
    ['a prompt of an earlier attempt', [bound, started], sent, [failed('sendPrompt', 'disk_full'), approve]],
    ['an artifact found twice', waiting, valid, [valid]],
    ['an artifact of an earlier attempt', waiting, valid, [timedOut, recovered, sent]],
    ['an artifact of an attempt that was given up', waiting, valid, [failed('awaitArtifact', 'disk_full')]],
    ['a time-out after the artifact', waiting, timedOut, [valid]],
    ['a time-out while the run is paused', waiting, timedOut, [pause]],
    ['a death that another effect saw too', waiting, dies('planner'), [dies('planner')]],
    ['a death that the watcher tells after the effect', waiting, watched, [dies('planner')]],
    ['a recovery told twice', [...waiting, dies('planner')], recovered, [recovered]],
    ['work committed twice', [...waiting, valid], committed, [committed]],
    ['work committed in a pause', [...waiting, valid], committed, [pause]],
    ['a failure that was dealt with', waiting, failed('awaitArtifact', 'disk_full'), [valid]],
    ['anything after the end', waiting, valid, [abort]],
  ])('%s', (_, before, input, between) => {
    const story = given({}, ...before);
    const late = now(story, input);
    story.on(...between, late).records();
  });

  test('a command that ends after its attempt failed', () => {
    const story = given({ template: 'withoutPlan' }, ...firstPhaseDone);
    const late = now(story, commandOk);
    const over = story.on(failed('runCommand', 'disk_full')).to({ run: 'paused', phases: { verify: 'failed' } });
    expect(over.run.commands.map((command) => command.state)).toEqual(['failed']);
    over.on(late).records();
    over.on(approve, late).records().decides('runCommand');
  });

  test('a time-out of an earlier pending period of a gate', () => {
    const story = given({ approvalTimeoutMs: 1_000 }, ...firstPhaseDone);
    const late = now(story, expired);
    story.on(pause, resume, late).records().to({ run: 'awaiting_approval' });
  });
});

test('records a prompt that an agent took before it died, and resends it as the next attempt', () => {
  const back = given({}, bound, started, dies('planner'), recovered).decides('sendPrompt');
  const taken: Input = { ...(now(back, sent) as Extract<Input, { type: 'promptDelivered' }>), takerEnded: true };
  const lost = back
    .on(taken)
    .records(...(['prompt.sent', 'artifact.expected', 'session.busy', 'session.crashed'] as const));
  const again = lost.decides('recoverSession').on(recovered).decides('sendPrompt');
  expect(decide(again.run)).toMatchObject([{ envelope: { attempt: 2 } }]);
  again.on(taken).records();
  again.on(sent).records('prompt.sent', 'artifact.expected', 'session.busy').decides('awaitArtifact');
});

test('keeps a command running in a pause; the run stays paused and resumes from its result', () => {
  const paused = given({ template: 'withoutPlan' }, ...firstPhaseDone, pause).decides('runCommand');
  paused.on(commandOk).records('command.completed').on(resume).records('run.resumed', 'approval.requested');
  const stopped = paused.on(failed('runCommand', 'disk_full')).records('command.failed').to({ run: 'paused' });
  stopped.on(resume).to({ run: 'awaiting_approval' });
  paused.on(failed('runCommand', 'internal_state_corruption')).to({ run: 'failed', phases: { verify: 'failed' } });
});

test('opens a cleanup gate for an ended run, which stays ended', () => {
  const ask: Input = { type: 'askCleanup', lane: 'main', path: '/ws', files: ['new.ts'], filesHash: 'hash' };
  given({}, ...waiting).refuses(ask, 'state_conflict');
  const asked = given({}, ...waiting, abort, ask)
    .records('approval.requested')
    .to({ run: 'aborted' });
  for (const [action, state] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    asked
      .on(decision(action))
      .records('approval.resolved')
      .to({ run: 'aborted', approvals: { cleanup_forced: state } });
  }
  asked.refuses(decision('request_changes'), 'usage').refuses(decision('abort'), 'usage');
});

test('a cleanup gate about other files replaces the earlier one of its lane only', () => {
  const ask = (lane: string, filesHash: string): Input => {
    return { type: 'askCleanup', lane, path: `/ws/${lane}`, files: ['new.ts'], filesHash };
  };
  const asked = given(
    {},
    ...waiting,
    abort,
    ask('main', 'one'),
    ask('b', 'one'),
    ask('main', 'one'),
    ask('main', 'two'),
  );
  const gates = asked.run.approvals.filter(({ kind }) => kind === 'cleanup');
  expect(gates.map(({ phaseKey, state }) => [phaseKey, state])).toEqual([
    ['main', 'aborted'],
    ['b', 'pending'],
    ['main', 'pending'],
  ]);
  expect(gates[0]).toMatchObject({ resolvedAt: gates[2]?.createdAt, decision: null });
  const late = { action: 'approve', comment: null, clientToken: 'token' } as const;
  asked.refuses({ type: 'decide', approvalRequestId: gates[0]?.id ?? '', ...late }, 'decision_conflict');
});

describe('a retry by a person', () => {
  test('uses new effect keys', () => {
    for (const [before, type] of [
      [[bound], 'startSession'],
      [[...waiting, dies('planner')], 'recoverSession'],
      [[...waiting, valid], 'commitWork'],
    ] as const) {
      const story = given({}, ...before);
      const again = story.on(failed(type, 'disk_full'), approve);
      const keys = (run: typeof story.run) => decide(run).map((effect) => effect.key);
      expect(keys(again.run)).toHaveLength(1);
      expect(keys(again.run)).not.toEqual(keys(story.run));
    }
  });

  test('sends the prompt to a session that stayed busy', () => {
    given({}, ...waiting, failed('awaitArtifact', 'disk_full'), approve)
      .to({ sessions: { planner: 'BUSY' } })
      .decides('sendPrompt')
      .on(sent)
      .records('session.idle', 'prompt.sent', 'artifact.expected', 'session.busy');
  });

  test('restarts an exhausted session exactly once', () => {
    const dead = [dies('planner'), dies('planner'), dies('planner'), dies('planner')];
    const again = given({}, ...waiting, ...dead, approve).decides('recoverSession');
    expect(decide(again.run)).toMatchObject([{ how: 'rebootstrap' }]);
    again
      .on(done('recoverSession', 2))
      .to({ run: 'paused' })
      .on(approve, recovered)
      .to({ sessions: { planner: 'READY' } });
  });
});

describe('recovery budgets', () => {
  test('allow two resumes and one restart, then need a person', () => {
    const how = (story: ReturnType<typeof given>) =>
      decide(story.run).map((effect) => (effect.type === 'recoverSession' ? effect.how : effect.type));
    const lost = given({}, ...waiting, dies('planner'));
    const ways = [lost, lost.on(dies('planner')), lost.on(dies('planner'), dies('planner'))].map(how);
    expect(ways).toEqual([['resume'], ['resume'], ['rebootstrap']]);
    lost
      .on(dies('planner'), dies('planner'), dies('planner'))
      .to({ run: 'paused', sessions: { planner: 'FAILED_NEEDS_HUMAN' } });
  });

  test('are the same for a session that broke before its phase', () => {
    const idle = given({}, ...firstPhaseDone, dies('planner'), approve).decides('recoverSession');
    idle.on(dies('planner'), dies('planner')).to({ run: 'planning' }).on(dies('planner')).to({ run: 'paused' });
  });

  test('refill after completed work', () => {
    const worn = given(
      {},
      ...waiting,
      dies('planner'),
      dies('planner'),
      dies('planner'),
      recovered,
      sent,
      valid,
      committed,
    );
    worn.on(approve, sent, dies('planner'), dies('planner')).decides('recoverSession');
  });

  test('allow one repair for each attempt that a person started', () => {
    given({}, ...waiting, invalid, sent, invalid)
      .to({ run: 'paused' })
      .on(approve, sent, invalid)
      .decides('sendPrompt');
  });
});

describe('gates', () => {
  test('of one phase open one after the other', () => {
    const first = given({ template: 'twoGates' }, ...firstPhaseDone).to({ approvals: { plan_approved: 'pending' } });
    const second = first
      .on(approve)
      .records('approval.resolved', 'run.resumed', 'approval.requested')
      .to({
        run: 'awaiting_approval',
        phases: { plan: 'awaiting_approval' },
        approvals: { budget_approved: 'pending' },
      });
    second.on(approve).to({ run: 'executing', phases: { plan: 'completed', implement: 'running' } });
    second.on(decision('request_changes'), sent, valid, committed).to({
      phases: { plan: 'awaiting_approval' },
      approvals: { plan_approved: 'pending', budget_approved: 'changes_requested' },
    });
  });

  test('answer a repeated token with its decision; another or a late action is a conflict', () => {
    const gate = given({}, ...firstPhaseDone);
    const [yes, no, other] = [approve, decision('reject'), decision('approve', null, 'other')].map((each) =>
      now(gate, each),
    );
    if (!yes || !no || !other) throw new TypeError('no decisions');
    const passed = gate.on(yes);
    passed.on(yes).records();
    passed.refuses(no, 'decision_conflict').refuses(other, 'decision_conflict');
    gate.refuses(
      { type: 'decide', approvalRequestId: 'nowhere', action: 'approve', comment: null, clientToken: 't' },
      'not_found',
    );
  });

  test('cannot be decided while the run is paused; a resume does not pass a recovery gate', () => {
    given({}, ...firstPhaseDone, pause)
      .to({ approvals: { spec_approved: 'pending' } })
      .refuses(approve, 'state_conflict');
    given({ approvalTimeoutMs: 1_000 }, ...firstPhaseDone, expired).refuses(
      (run) => ({
        type: 'decide',
        approvalRequestId: run.approvals[0]?.id ?? '',
        action: 'approve',
        comment: null,
        clientToken: 't',
      }),
      'decision_conflict',
    );
    given({}, ...waiting, failed('awaitArtifact', 'disk_full')).refuses(resume, 'gate_pending');
  });

  test('refuse signals that do not fit the state', () => {
    given({}).refuses(pause, 'state_conflict').refuses(resume, 'state_conflict');
    given({}, abort).refuses(abort, 'state_conflict').refuses(pause, 'state_conflict');
  });

  test('stay open if their timer fails', () => {
    const gate = given({ approvalTimeoutMs: 1_000 }, ...firstPhaseDone).decides('expireApproval');
    for (const code of ['disk_full', 'internal_state_corruption'] as const) {
      gate
        .on(failed('expireApproval', code))
        .records()
        .to({ run: 'awaiting_approval' })
        .on(approve)
        .to({ run: 'planning' });
    }
  });

  test('show the artifact, the commit and the commands', () => {
    const { run } = given({ template: 'withoutPlan' }, ...firstPhaseDone, commandFails);
    const gate = openGates(run)[0];
    expect(gate?.artifactHash).toBe(run.artifacts[0]?.hash);
    expect(gate?.subject).toMatchObject({
      producedBy: 'implement',
      work: { commit: 'commit-implement-1' },
      diff: { from: 'base0000', to: 'commit-implement-1' },
      commands: [{ argv: ['npm', 'test'], exitCode: 1 }],
    });
  });
});

test('a run without a phase plan is never planning', () => {
  expect(createdPayload({ template: 'withoutPlan' }).phases[0]?.seq).toBe(0);
  const { events, run } = given({ template: 'withoutPlan' }, ...firstPhaseDone, commandOk, approve);
  expect(run.state).toBe('completed');
  expect(events.filter((event) => event.type === 'run.resumed').map((event) => event.payload)).toMatchObject([
    { to: 'executing' },
  ]);
});

test('records why a person resumed a run', () => {
  const { events } = given({}, ...waiting, pause, { type: 'resume', reason: 'the disk is larger' }, pause, resume);
  expect(events.filter((event) => event.type === 'run.resumed').map((event) => event.payload)).toEqual([
    expect.objectContaining({ cause: 'manual:1', reason: 'the disk is larger' }),
    expect.not.objectContaining({ reason: expect.anything() }),
  ]);
});

test('names whom a run waits for', () => {
  const parties = [
    given({}),
    given({}, ...waiting),
    given({}, ...waiting, pause),
    given({}, ...firstPhaseDone),
    given({}, ...waiting, failed('awaitArtifact', 'disk_full')),
    given({ template: 'withoutPlan' }, ...firstPhaseDone),
    given({}, abort),
  ].map(({ run }) => waitsFor(run)[0]);
  expect(parties).toMatchObject([
    { party: 'devflow', sentence: 'lockBindings' },
    { party: 'agent', sentence: expect.stringMatching(/^planner \(fake\) to write .*spec\.json$/) },
    { party: 'person', sentence: 'devflow run resume' },
    { party: 'person', sentence: 'a decision at spec_approved (spec)' },
    { party: 'person', sentence: 'a decision at recovery (spec)' },
    { party: 'command', sentence: 'npm test' },
    undefined,
  ]);
});

test('disposes sessions and composes the report of an ended run until the report exists', () => {
  const over = given({}, ...waiting, abort).decides('disposeSessions', 'composeReport');
  expect(decide({ ...over.run, reportPath: '/ws/report.md' })).toEqual([]);
});
