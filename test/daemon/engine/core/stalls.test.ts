import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/engine/core/decide.ts';
import type { EffectOf } from '../../../../daemon/engine/core/run/effect.ts';
import { waitsFor } from '../../../../daemon/engine/core/waitsFor.ts';
import type { StallCause } from '../../../../schemas/enums.ts';
import {
  abort,
  approve,
  bound,
  dies,
  firstPhaseDone,
  given,
  type Input,
  invalid,
  pause,
  recovered,
  resume,
  type Story,
  sent,
  stalls,
  started,
  timedOut,
  valid,
} from './support/given.ts';
import { second } from './support/run.ts';

const waiting = [bound, started, sent];
const HELD_UP: StallCause[] = ['permission', 'question', 'dialog', 'draft', 'quota', 'error'];
/** Each of these opens a gate. */
const ASKS: StallCause[] = ['permission', 'question', 'dialog'];
const isEnded = (cause: StallCause) => cause === 'quota' || cause === 'error';

const session = ({ run }: Story) => run.sessions[0];
const work = ({ run }: Story) => run.phases[0]?.assignments[0];

/** The due wait for the artifact. */
function due({ run }: Story): EffectOf<'awaitArtifact'> {
  const effect = decide(run).find(({ type }) => type === 'awaitArtifact');
  if (effect?.type !== 'awaitArtifact') throw new TypeError('no artifact is waited for');
  return effect;
}

/** The input as it is now, to be given later. */
const now = ({ run }: Story, input: Input): Input => (typeof input === 'function' ? input(run) : input);

describe.each(HELD_UP)('an agent stalled by %s', (cause) => {
  const before = given({}, ...waiting);
  const held = before.on(stalls('planner', cause));

  test('has no deadline and starts no recovery', () => {
    held.records('run.stalled', ...(ASKS.includes(cause) ? (['approval.requested'] as const) : []));
    held.decides('awaitArtifact');
    expect(due(before).timeoutMs).toBe(60_000);
    expect(due(held).timeoutMs).toBe(null);
    expect(due(held).key).toBe(`${due(before).key}:stalled:1`);
    held.on(now(before, timedOut)).records();
    expect(session(held)).toMatchObject({ recoveryAttempts: 0, stall: { cause, detail: `it is ${cause}` } });
  });

  test('accepts an artifact that is there', () => {
    held.on(valid).records('artifact.validated', 'session.idle');
    expect(session(held.on(valid))).toMatchObject({ state: 'READY', stall: null });
    held.on(invalid).records('artifact.invalid', 'session.idle');
  });

  test('can still crash', () => {
    held.on(dies('planner')).records('session.crashed').decides('recoverSession');
    expect(session(held.on(dies('planner')))?.stall).toBe(null);
  });

  test('keeps its stall in a pause, and the stall can end in a pause', () => {
    held.on(pause, resume).decides('awaitArtifact');
    expect(due(held.on(pause, resume)).timeoutMs).toBe(null);
    const over = held.on(pause, stalls('planner', null));
    over.records('run.stalled');
    expect(session(over)).toMatchObject({ state: 'BUSY', stall: null });
  });
});

test.each(HELD_UP.filter((cause) => !isEnded(cause)))('after %s the agent continues with a full deadline', (cause) => {
  const over = given({}, ...waiting, stalls('planner', cause), stalls('planner', null));
  over
    .records('run.stalled')
    .to({ sessions: { planner: 'BUSY' } })
    .decides('awaitArtifact');
  expect(work(over)).toMatchObject({ attempt: 1, resend: null });
  expect(due(over)).toMatchObject({ timeoutMs: 60_000, since: second(over.run.lastSeq - 1) });
});

test('only a stall that a person answers makes a session WAITING_FOR_APPROVAL', () => {
  const asking = given({}, ...waiting, stalls('planner', 'question'));
  asking.to({ sessions: { planner: 'WAITING_FOR_APPROVAL' } });
  asking.on(stalls('planner', 'permission')).to({ sessions: { planner: 'WAITING_FOR_APPROVAL' } });
  asking.on(stalls('planner', 'quota')).to({ sessions: { planner: 'BUSY' } });
  const idle = given({}, bound, started, stalls('planner', 'dialog'));
  idle.to({ sessions: { planner: 'READY' } }).decides('sendPrompt');
  expect(session(idle)?.stall?.cause).toBe('dialog');
});

describe('a usage limit', () => {
  const limited = given({}, ...waiting, stalls('planner', 'quota', '2026-01-01T00:30:00.000Z'));

  test('ends the turn: devflow prompts again as the next attempt, without a recovery', () => {
    const over = limited.on(stalls('planner', null)).records('run.stalled').decides('sendPrompt');
    expect(work(over)).toMatchObject({ status: 'to_prompt', attempt: 2, resend: 'quota' });
    const [effect] = decide(over.run);
    const { instructions } = (effect as EffectOf<'sendPrompt'>).envelope;
    expect(instructions).toContain('The usage limit stopped you while you worked on this. Go on and finish it.');
    const again = over.on(sent);
    again.records('session.idle', 'prompt.sent', 'artifact.expected', 'session.busy');
    expect(session(again)).toMatchObject({ recoveryAttempts: 0, recoveryBase: 0 });
  });

  test('that ends without devflow only restarts the deadline', () => {
    const tells: Input = ({ sessions }) => {
      const stall = { cause: 'quota', detail: 'limit', until: '2026-01-01T00:30:00.000Z', goesOn: true } as const;
      return { type: 'sessionStalled', sessionId: sessions[0]?.id ?? '', stall };
    };
    const over = given({}, ...waiting, tells, stalls('planner', null)).decides('awaitArtifact');
    expect(work(over)).toMatchObject({ attempt: 1, resend: null });
    expect(due(over)).toMatchObject({ timeoutMs: 60_000, since: second(over.run.lastSeq - 1) });
  });

  test('replaced by another cause ends with it', () => {
    limited.on(stalls('planner', 'permission'), stalls('planner', null)).decides('awaitArtifact');
  });

  test('without a prompt causes nothing', () => {
    const over = given({}, bound, started, stalls('planner', 'quota'), stalls('planner', null));
    expect(work(over)).toMatchObject({ status: 'to_prompt', attempt: 1, resend: null });
  });
});

describe('a log-in', () => {
  test('during a prompt opens a gate and counts no recovery', () => {
    const asked = given({}, ...waiting, stalls('planner', 'login'));
    asked.records('run.stalled', 'phase.failed', 'run.paused', 'approval.requested').to({ run: 'paused' });
    const id = session(asked)?.id ?? '';
    expect(session(asked)).toMatchObject({ state: 'BUSY', recoveryAttempts: 0, failedBefore: false });
    expect(asked.run.approvals[0]?.subject).toEqual({
      code: 'backend_login_required',
      reason: 'planner (fake) must be logged in: it is login',
      recoveryHint: `Log in in its pane (devflow attach ${id.slice(0, 8)}), then approve to try again.`,
      sessionId: id,
    });
    const again = asked.on(approve).to({ run: 'planning' }).decides('sendPrompt').on(sent);
    again.records('session.idle', 'prompt.sent', 'artifact.expected', 'session.busy');
    expect(session(again)).toMatchObject({ stall: null, recoveryAttempts: 0 });
  });

  test('asks again if a login is needed again, also if that was reported during a pause', () => {
    const asked = given({}, ...waiting, pause, stalls('planner', 'login'));
    asked.records('run.stalled').to({ run: 'paused' });
    const gate = asked.on(resume).to({ run: 'paused', approvals: { recovery: 'pending' } });
    gate.on(approve, sent, stalls('planner', 'login')).to({ run: 'paused', approvals: { recovery: 'pending' } });
  });

  test.each<[string, Input[]]>([
    ['before the agent was ready', [bound]],
    ['before it had a prompt', [bound, started]],
    ['in a recovery', [...waiting, dies('planner')]],
  ])('%s only waits', (_, inputs) => {
    const before = given({}, ...inputs);
    const asked = before.on(stalls('planner', 'login'));
    expect(decide(asked.run).map(({ key }) => key)).toEqual(decide(before.run).map(({ key }) => key));
    expect(waitsFor(asked.run)[0]).toMatchObject({ party: 'person', sessionId: session(asked)?.id });
  });
});

describe('a turn that ends in an error', () => {
  const UNTIL = '2026-01-01T00:00:05.000Z';
  const failing = given({}, ...waiting, stalls('planner', 'error', UNTIL));
  const next = [stalls('planner', null), sent, stalls('planner', 'error', UNTIL)];

  test('is prompted again after its delay as the next attempt, without a recovery', () => {
    const over = failing.on(stalls('planner', null)).records('run.stalled').decides('sendPrompt');
    expect(work(over)).toMatchObject({ status: 'to_prompt', attempt: 2, resend: 'error', errors: 1 });
    const [effect] = decide(over.run);
    expect((effect as EffectOf<'sendPrompt'>).envelope.instructions).toContain('An error ended your turn');
    expect(session(over.on(sent))).toMatchObject({ recoveryAttempts: 0, stall: null });
    expect(waitsFor(failing.run)[0]).toEqual({
      party: 'agent',
      sentence:
        'planner (fake) ended its turn with an error: it is error; devflow prompts it again at 2026-01-01 00:00:05 UTC',
    });
  });

  test('is not prompted again if somebody continued it before', () => {
    const later = given({}, ...waiting, stalls('planner', 'error', '2026-01-01T01:00:00.000Z'));
    later.on(stalls('planner', null)).decides('awaitArtifact');
    expect(work(later.on(stalls('planner', null)))).toMatchObject({ attempt: 1, errors: 0 });
  });

  test('asks a person after the third time; approval starts the count again', () => {
    const twice = failing.on(...next).decides('awaitArtifact');
    const asked = twice.on(...next).records('run.stalled', 'phase.failed', 'run.paused', 'approval.requested');
    expect(asked.run.approvals[0]?.subject).toMatchObject({
      code: 'backend_failing',
      reason: 'planner (fake) ended 3 turns with an error; last error: it is error',
      sessionId: session(asked)?.id,
    });
    expect(session(asked)).toMatchObject({ recoveryAttempts: 0, failedBefore: false });
    const again = asked
      .on(approve)
      .decides('sendPrompt')
      .on(sent, stalls('planner', 'error', UNTIL));
    again.to({ run: 'planning' }).decides('awaitArtifact');
    expect(work(again)).toMatchObject({ errors: 0 });
  });

  test('counts while the run is paused', () => {
    const third = failing.on(...next, stalls('planner', null), sent, pause);
    const after = third.on(stalls('planner', 'error', UNTIL), stalls('planner', null), resume, sent);
    expect(after.on(stalls('planner', 'error', UNTIL)).run.approvals[0]?.subject).toMatchObject({
      reason: expect.stringContaining('ended 4 turns with an error'),
    });
  });

  test('does not count if devflow did not ask for the turn', () => {
    given({}, bound, started, stalls('planner', 'error')).records();
  });
});

describe('a turn that ended without its artifact', () => {
  const idleTimeoutMs = 20_000;
  const before = given({ idleTimeoutMs }, ...waiting);
  const idle = before.on(stalls('planner', 'idle'));

  test('shortens the deadline, and then times out', () => {
    idle.records('run.stalled').decides('awaitArtifact');
    const { since, timeoutMs } = due(idle);
    expect(Date.parse(since) + (timeoutMs ?? 0)).toBe(Date.parse(session(idle)?.stall?.since ?? '') + idleTimeoutMs);
    idle.on(timedOut).records('artifact.timeout').decides('recoverSession');
    expect(session(idle.on(timedOut))).toMatchObject({ state: 'ARTIFACT_TIMEOUT', stall: null, recoveryAttempts: 1 });
    expect(waitsFor(idle.run)[0]).toMatchObject({ party: 'agent', sentence: expect.stringContaining('does nothing') });
  });

  test('does not time out if the agent continued before the time-out was handled', () => {
    idle.on(stalls('planner', null), now(idle, timedOut)).records();
    idle.on(pause, resume, now(idle, timedOut)).records();
  });

  test('never lengthens the deadline, and does not change it in a run of an earlier version', () => {
    const long = given({ idleTimeoutMs: 600_000 }, ...waiting, stalls('planner', 'idle'));
    expect(due(long).timeoutMs).toBe(60_000);
    expect(due(given({}, ...waiting, stalls('planner', 'idle'))).timeoutMs).toBe(60_000);
  });

  test('does not stop the deadline', () => {
    const moves = idle.on(stalls('planner', null)).decides('awaitArtifact');
    expect(due(moves)).toMatchObject({ since: due(before).since, timeoutMs: 60_000 });
  });

  test.each<[StallCause, string]>([
    ['quota', 'sendPrompt'],
    ['error', 'sendPrompt'],
    ['permission', 'awaitArtifact'],
  ])('after %s, of whose end nobody told, is the end of that too', (cause, then) => {
    const story = before.on(stalls('planner', cause), stalls('planner', 'idle'));
    expect(decide(story.run).map(({ type }) => type)).toEqual([then]);
    // An agent with a due prompt is not reported as idle.
    expect(session(story)?.stall?.cause).toBe(then === 'sendPrompt' ? undefined : 'idle');
  });

  test.each<StallCause>(['dialog', 'draft', 'login', 'quota'])('ends %s of an agent that has no work', (cause) => {
    for (const end of ['idle', 'error'] as const) {
      const over = given({}, ...firstPhaseDone, stalls('planner', cause), stalls('planner', end)).records(
        'run.stalled',
      );
      expect(session(over)).toMatchObject({ state: 'READY', stall: null });
      over.on(approve).decides('sendPrompt').to({ run: 'planning' });
      expect(over.on(approve).run.approvals.map(({ kind }) => kind)).toEqual(['gate']);
    }
  });

  test('does not exist if no artifact is due', () => {
    given({}, bound, started, stalls('planner', 'idle')).records();
    given({}, ...firstPhaseDone, stalls('planner', 'idle')).records();
  });

  test('does not time out in a pause', () => {
    const inPause = [pause, stalls('planner', 'idle')];
    const awhile = Array.from({ length: 10 }, () => [resume, pause]).flat();
    expect(due(before.on(...inPause, ...awhile, resume)).timeoutMs).toBe(idleTimeoutMs);
  });
});

describe('a hung agent', () => {
  test('is recovered like a crashed agent, and its prompt says why it comes again', () => {
    const hung = given({}, ...waiting, stalls('planner', 'hung'));
    hung.records('run.stalled').decides('recoverSession');
    expect(session(hung)).toMatchObject({ state: 'HUNG', recoveryAttempts: 1 });
    const [effect] = decide(hung.on(recovered).run);
    expect((effect as EffectOf<'sendPrompt'>).envelope.instructions).toContain('You stopped moving');
  });

  test('without a prompt does not hang', () => {
    given({}, bound, started, stalls('planner', 'hung')).records();
    given({}, ...waiting, dies('planner'), stalls('planner', 'hung')).records();
  });
});

describe('ignores a report', () => {
  test.each<[string, Input[], StallCause | null]>([
    ['the end of a stall, of an agent without one', waiting, null],
    ['the second time', [...waiting, stalls('planner', 'permission')], 'permission'],
    ['of an ended run', [...waiting, abort], 'permission'],
    ['of a session that is not there', [], 'permission'],
  ])('%s', (_, before, cause) => {
    given({}, ...before, stalls('planner', cause)).records();
  });
});

test('says whom a run waits for and where', () => {
  const told = (...inputs: Input[]) => waitsFor(given({}, ...inputs).run)[0];
  const id = session(given({}, bound))?.id.slice(0, 8);
  const pane = `in its pane: devflow attach ${id}`;
  expect(told(...waiting, stalls('planner', 'permission'))).toMatchObject({
    party: 'person',
    sentence: `planner (fake) asks for permission: it is permission; answer it ${pane}`,
  });
  expect(told(bound, started, stalls('planner', 'draft'))).toMatchObject({
    party: 'person',
    sentence: `planner (fake) has an unsent draft: it is draft; send the draft or delete it ${pane}`,
  });
  expect(told(bound, stalls('planner', 'login'))).toMatchObject({
    sentence: `planner (fake) must be logged in: it is login; log in ${pane}`,
  });
  expect(told(...waiting, stalls('planner', 'quota', '2026-01-01T00:30:00.000Z'))).toEqual({
    party: 'agent',
    sentence: 'planner (fake) has reached its usage limit: it is quota; it waits until 2026-01-01 00:30:00 UTC',
  });
  expect(told(...waiting, stalls('planner', 'quota'))).toMatchObject({
    sentence: 'planner (fake) has reached its usage limit: it is quota; its end is unknown',
  });
  // Has no effect: the agent has no work now.
  expect(told(...firstPhaseDone, stalls('planner', 'draft'))).toMatchObject({
    party: 'person',
    sentence: expect.stringContaining('spec_approved'),
  });
});

test('names the agent that needs a person first', () => {
  const both = given(
    { template: 'twoInstances' },
    bound,
    stalls('writer#0', 'quota'),
    stalls('writer#1', 'permission'),
  );
  expect(waitsFor(both.run)[0]).toMatchObject({ party: 'person', sentence: expect.stringMatching(/^writer#1/) });
});
