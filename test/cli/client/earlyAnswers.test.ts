import { describe, expect, it } from 'vitest';
import { createEarlyAnswers, type Waiting } from '../../../cli/client/earlyAnswers.ts';

const REQUESTS = [
  { method: 'run.list', params: { limit: 5 } },
  { method: 'run.get', params: { runId: 'r1' } },
];

function givenCaller() {
  const got: unknown[] = [];
  const caller: Waiting = { succeed: (result) => void got.push(result), fail: (error) => void got.push(error.message) };
  return { got, caller };
}

describe('answers to early requests', () => {
  it('go to who asks before they come, and to who asks after', () => {
    const early = createEarlyAnswers(REQUESTS);
    const [before, after] = [givenCaller(), givenCaller()];
    expect(early.claim('run.list', { limit: 5 }, before.caller)).toBe(true);
    early.waiting.get(1)?.succeed(['run']);
    early.waiting.get(2)?.fail(new Error('no such run'));
    expect(early.claim('run.get', { runId: 'r1' }, after.caller)).toBe(true);
    expect([before.got, after.got]).toEqual([[['run']], ['no such run']]);
  });

  it('go to the first who asks the same, and to nobody else', () => {
    const early = createEarlyAnswers(REQUESTS);
    const { got, caller } = givenCaller();
    expect(early.claim('run.list', { limit: 6 }, caller)).toBe(false);
    expect(early.claim('run.list', { limit: 5 }, caller)).toBe(true);
    expect(early.claim('run.list', { limit: 5 }, caller)).toBe(false);
    expect(got).toEqual([]);
  });

  it('go to nobody once they may be old', () => {
    const early = createEarlyAnswers(REQUESTS);
    early.waiting.get(1)?.succeed(['run']);
    early.forget();
    expect(early.claim('run.list', { limit: 5 }, givenCaller().caller)).toBe(false);
  });
});
