import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { recipientsOf } from '../../../../daemon/core/messages/recipients.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { isTerminal } from '../../../../schemas/enums.ts';
import { dueOutcomes, stepOf } from '../support/inputs.ts';
import { checkStep, dueMoves, newLog } from '../support/invariants.ts';
import { inputOf, moves } from '../support/moves.ts';
import { newRun, type Shape } from '../support/run.ts';
import { SETUP } from '../support/setup.ts';
import { TEMPLATES, type TemplateName } from '../support/templates.ts';
import { goesWell } from '../support/unattended.ts';

const OFTEN = { hoped: 12, approve: 4, due: 6, trouble: 4, late: 3, session: 2, pause: 1, resume: 2 };

const shape: fc.Arbitrary<Shape> = fc.record({
  template: fc.constantFrom(...(Object.keys(TEMPLATES) as TemplateName[])),
  setup: fc.option(fc.constant(SETUP), { nil: undefined }),
});

/** What a person does with messages: writes one, takes one back, or says what the agent has. */
const act = fc.record({ act: fc.constantFrom('write', 'write', 'take back', 'settle'), pick: fc.nat(9_999) });

function signalOf(run: Run, { act, pick }: { act: string; pick: number }, nth: number): Signal | undefined {
  const from = <T>(candidates: readonly T[]): T | undefined => candidates[pick % candidates.length];
  if (act === 'write') {
    const to = from(recipientsOf(run).filter(({ hasEnded }) => !hasEnded));
    return to && { type: 'queueMessage', messageId: `m${nth}`, sessionId: to.sessionId, text: 'Hi', by: 'person' };
  }
  const message = from(run.messages);
  if (!message) return undefined;
  if (act === 'take back') return { type: 'withdrawMessage', messageId: message.id };
  return { type: 'settleMessage', messageId: message.id, taken: pick % 2 === 0, clientToken: `token ${nth}` };
}

const isWaiting = ({ state }: Run['messages'][number]) => state === 'queued' || state === 'uncertain';

test('every message ends in one way, in order, and changes no rule of its run', { timeout: 300_000 }, () => {
  const ends = new Map<string, number>();
  fc.assert(
    fc.property(
      shape,
      fc.array(fc.oneof({ weight: 5, arbitrary: moves(OFTEN) }, { weight: 2, arbitrary: act }), {
        minLength: 10,
        maxLength: 60,
        size: 'max',
      }),
      (wanted, inputs) => {
        const log = newLog(newRun(wanted));
        const past: Outcome[] = [];
        const arrived: string[] = [];
        for (const [nth, each] of inputs.entries()) {
          past.push(...dueOutcomes(log.run));
          const input = 'act' in each ? signalOf(log.run, each, nth) : inputOf(log.run, each, past);
          if (!input) continue;
          const next = stepOf(log.run, input);
          checkStep(log, next);
          for (const { type, payload } of next.events) if (type === 'message.sent') arrived.push(payload.messageId);
        }
        dueMoves(log.run, stepOf);
        expect(replay(log.events)).toEqual(log.run);
        // Nothing arrives twice, nor after it was taken back.
        expect(new Set(arrived).size).toBe(arrived.length);
        for (const message of log.run.messages) {
          expect(arrived.includes(message.id)).toBe(message.state === 'sent');
          ends.set(message.state, (ends.get(message.state) ?? 0) + 1);
        }
        inOrder(log.run, arrived);
        // With its messages, a run comes to its end as without them.
        let run = log.run;
        for (let step = 0; step < 400 && !isTerminal(run.state); step += 1) {
          const before = run;
          run = stepOf(run, goesWell(run)).run;
          if (run === before) break;
        }
        if (isTerminal(run.state)) expect(decide(run).filter(({ type }) => type === 'sendMessage')).toEqual([]);
      },
    ),
    { numRuns: 250, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_201) },
  );
  for (const state of ['queued', 'sent', 'withdrawn', 'uncertain'])
    expect(ends.get(state) ?? 0, `messages that are ${state}`).toBeGreaterThan(0);
});

/** What was written to one agent arrives in that order. Only a message that still waits can be passed. */
function inOrder(run: Run, arrived: readonly string[]): void {
  for (const { id } of run.sessions) {
    const written = run.messages.filter(({ sessionId }) => sessionId === id);
    const sent = written.filter(({ state }) => state === 'sent').map((message) => message.id);
    expect(arrived.filter((each) => sent.includes(each))).toEqual(sent);
    const firstWaiting = written.findIndex(isWaiting);
    const lastSent = written.findLastIndex(({ state }) => state === 'sent');
    if (firstWaiting >= 0) expect(lastSent, `a message passed ${firstWaiting}`).toBeLessThan(firstWaiting);
  }
}
