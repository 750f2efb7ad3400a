import { describe, expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../daemon/core/effect/effect.ts';
import type { StallCause } from '../../../schemas/enums.ts';
import { awaited, session, waiting, work } from './support/agent.ts';
import { describeBehaviours } from './support/behaviours.ts';
import {
  abort,
  bound,
  dies,
  type Input,
  invalid,
  now,
  pause,
  recovered,
  resume,
  sent,
  stalls,
  started,
  timedOut,
  valid,
} from './support/given.ts';
import { second } from './support/run.ts';

const HELD_UP: StallCause[] = ['permission', 'question', 'dialog', 'draft', 'quota', 'error'];
/** Each of these opens a gate. */
const ASKS: StallCause[] = ['permission', 'question', 'dialog'];
const isEnded = (cause: StallCause) => cause === 'quota' || cause === 'error';

describeBehaviours((given) => {
  describe.each(HELD_UP)('an agent stalled by %s', (cause) => {
    const before = given({}, ...waiting);
    const held = before.on(stalls('planner', cause));

    test('has no deadline and starts no recovery', () => {
      held.records('run.stalled', ...(ASKS.includes(cause) ? (['approval.requested'] as const) : []));
      held.decides('awaitArtifact');
      expect(awaited(before).timeoutMs).toBe(60_000);
      expect(awaited(held).timeoutMs).toBe(null);
      expect(awaited(held).key).toBe(`${awaited(before).key}:stalled:1`);
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
      expect(awaited(held.on(pause, resume)).timeoutMs).toBe(null);
      const over = held.on(pause, stalls('planner', null));
      over.records('run.stalled');
      expect(session(over)).toMatchObject({ state: 'BUSY', stall: null });
    });
  });

  test.each(HELD_UP.filter((cause) => !isEnded(cause)))(
    'after %s the agent continues with a full deadline',
    (cause) => {
      const over = given({}, ...waiting, stalls('planner', cause), stalls('planner', null));
      over
        .records('run.stalled')
        .to({ sessions: { planner: 'BUSY' } })
        .decides('awaitArtifact');
      expect(work(over)).toMatchObject({ attempt: 1, resend: null });
      expect(awaited(over)).toMatchObject({ timeoutMs: 60_000, since: second(over.run.lastSeq - 1) });
    },
  );

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
      expect(awaited(over)).toMatchObject({ timeoutMs: 60_000, since: second(over.run.lastSeq - 1) });
    });

    test('replaced by another cause ends with it', () => {
      limited.on(stalls('planner', 'permission'), stalls('planner', null)).decides('awaitArtifact');
    });

    test('without a prompt causes nothing', () => {
      const over = given({}, bound, started, stalls('planner', 'quota'), stalls('planner', null));
      expect(work(over)).toMatchObject({ status: 'to_prompt', attempt: 1, resend: null });
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
});
