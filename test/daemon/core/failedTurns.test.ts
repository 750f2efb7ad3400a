import { describe, expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../daemon/core/effect/effect.ts';
import { waitsFor } from '../../../daemon/core/waitsFor.ts';
import type { StallCause } from '../../../schemas/enums.ts';
import type { RunEventType } from '../../../schemas/events/index.ts';
import { awaited, session, waiting, work } from './support/agent.ts';
import { describeBehaviours } from './support/behaviours.ts';
import {
  approve,
  bound,
  dies,
  firstPhaseDone,
  type Input,
  now,
  pause,
  resume,
  sent,
  stalls,
  started,
  timedOut,
} from './support/given.ts';
import { assignmentFails } from './support/records.ts';

describeBehaviours((given, behaviour) => {
  describe('a log-in', () => {
    test('during a prompt opens a gate and counts no recovery', () => {
      const asked = given({}, ...waiting, stalls('planner', 'login'));
      asked.recordsBy(assignmentFails('run.stalled')).to({ run: 'paused' });
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
      const asked = twice.on(...next).recordsBy(assignmentFails('run.stalled'));
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
      const asks: RunEventType[] = behaviour >= 4 ? ['approval.requested'] : [];
      idle.records('run.stalled', ...asks).decides('awaitArtifact');
      const { since, timeoutMs } = awaited(idle);
      expect(Date.parse(since) + (timeoutMs ?? 0)).toBe(Date.parse(session(idle)?.stall?.since ?? '') + idleTimeoutMs);
      if (behaviour >= 4) return;
      idle.on(timedOut).records('artifact.timeout').decides('recoverSession');
      expect(session(idle.on(timedOut))).toMatchObject({ state: 'ARTIFACT_TIMEOUT', stall: null, recoveryAttempts: 1 });
      expect(waitsFor(idle.run)[0]).toMatchObject({
        party: 'agent',
        sentence: expect.stringContaining('ended its turn without its file'),
      });
    });

    test('does not time out if the agent continued before the time-out was handled', () => {
      idle.on(stalls('planner', null), now(idle, timedOut)).records();
      idle.on(pause, resume, now(idle, timedOut)).records();
    });

    test('never lengthens the deadline, and does not change it in a run of an earlier version', () => {
      const long = given({ idleTimeoutMs: 600_000 }, ...waiting, stalls('planner', 'idle'));
      expect(awaited(long).timeoutMs).toBe(60_000);
      expect(awaited(given({}, ...waiting, stalls('planner', 'idle'))).timeoutMs).toBe(60_000);
    });

    test('does not stop the deadline', () => {
      const moves = idle.on(stalls('planner', null)).decides('awaitArtifact');
      expect(awaited(moves)).toMatchObject({ since: awaited(before).since, timeoutMs: 60_000 });
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
      expect(awaited(before.on(...inPause, ...awhile, resume)).timeoutMs).toBe(idleTimeoutMs);
    });
  });
});
