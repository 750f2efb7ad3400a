import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { AskedAdvance } from '../../../../daemon/engine/temporal/askedAdvance.ts';
import { type Attempt, createAttempt } from '../../../../daemon/engine/temporal/attempts.ts';
import type { Sdk } from '../../../../daemon/engine/temporal/loadSdk.ts';
import { UNKNOWN_RUN } from '../../../../daemon/engine/temporal/plan.ts';
import { viewOf } from '../../../../daemon/engine/temporal/view.ts';
import { newRun } from '../../core/support/run.ts';

type Context = ReturnType<Sdk['activity']['Context']['current']>;
type Details = NonNullable<Context['cancellationDetails']>;

const view = (run: Run) => viewOf(run, 'q', new Date(0));

/** What Temporal gives to an attempt, in place of a server. */
function givenContext() {
  const abort = new AbortController();
  let beats = 0;
  let details: Details | undefined;
  const context: Context = {
    info: { activityType: 'lockBindings' },
    cancellationSignal: abort.signal,
    get cancellationDetails() {
      return details;
    },
    heartbeat() {
      beats += 1;
    },
  };
  const end = (over: Partial<Details>) => {
    details = { notFound: false, cancelRequested: false, ...over };
    abort.abort(new Error('the attempt is let go'));
  };
  return { context, end, beats: () => beats };
}

/** An attempt at the one effect of a new run. */
function given({ driven = true, known = true } = {}) {
  const { run } = newRun({ template: 'withoutGate' });
  const { key } = decide(run)[0] as { key: string };
  const { context, end, beats } = givenContext();
  const asked: string[] = [];
  const caughtUp: (number | undefined)[] = [];
  const forgotten: string[] = [];
  const ended = Promise.withResolvers<Run>();
  let now = run;
  const attempt: Attempt = createAttempt({
    sdk: { activity: { Context: { current: () => context } } } as unknown as Pick<Sdk, 'activity'>,
    runs: {
      async catchUp(_runId, seq) {
        caughtUp.push(seq);
        return known ? now : undefined;
      },
    },
    advanceOf: () =>
      driven
        ? ({
            ask(asks: string, letGo: AbortSignal) {
              asked.push(asks);
              letGo.addEventListener('abort', () => ended.reject(letGo.reason));
              return ended.promise;
            },
          } as unknown as AskedAdvance)
        : undefined,
    onForgotten: ({ id }) => forgotten.push(id),
    viewOf: view,
    heartbeatMs: 30,
  });
  const moveTo = (next: Run) => {
    now = next;
  };
  return { attempt, run, key, asked, caughtUp, forgotten, beats, end, ended, moveTo };
}

test('asks for its effect, gives signs of life, and answers with the state that ended its effect', async () => {
  const { attempt, run, key, asked, caughtUp, beats, ended, moveTo } = given();
  const answer = attempt(run.id, key, run.lastSeq);
  expect(beats()).toBe(1);
  await expect.poll(beats).toBeGreaterThan(2);
  const after = { ...run, lastSeq: run.lastSeq + 3 };
  ended.resolve(after);
  // The run may have moved on by then, and want the effect again.
  moveTo({ ...after, lastSeq: after.lastSeq + 1 });
  expect(await answer).toEqual(view(after));
  expect(asked).toEqual([key]);
  // The log is read as far as the workflow knows it, and not again at the end.
  expect(caughtUp).toEqual([run.lastSeq]);
});

/** An attempt at an effect that the daemon does not know to be due: another host has recorded what wants it. */
function givenBehind({ inLog = true } = {}) {
  const { run } = newRun({ template: 'withoutGate' });
  const wanted = { ...run, lastSeq: run.lastSeq + 1 };
  const { key } = decide(run)[0] as { key: string };
  const { context } = givenContext();
  const asks: PromiseWithResolvers<Run>[] = [];
  const reads: number[] = [];
  const attempt = createAttempt({
    sdk: { activity: { Context: { current: () => context } } } as unknown as Pick<Sdk, 'activity'>,
    runs: {
      async catchUp(_runId, seq = Number.NaN) {
        reads.push(seq);
        return inLog ? wanted : run;
      },
    },
    advanceOf: () =>
      ({
        ask() {
          const ask = Promise.withResolvers<Run>();
          asks.push(ask);
          return ask.promise;
        },
      }) as unknown as AskedAdvance,
    onForgotten: () => {},
    viewOf: view,
    heartbeatMs: 30_000,
  });
  return { answer: attempt(run.id, key, wanted.lastSeq), asks, reads, run, wanted };
}

test('asks again if its effect was not due only in a run that is older than the log', async () => {
  const { answer, asks, reads, run, wanted } = givenBehind();
  asks[0]?.resolve(run);
  await expect.poll(() => asks.length).toBe(2);
  asks[1]?.resolve(wanted);
  expect(await answer).toEqual(view(wanted));
  // The read is also what lets the effect start.
  expect(reads).toEqual([wanted.lastSeq, wanted.lastSeq]);
});

test('answers with an older run if the log has no newer one: it went back', async () => {
  const { answer, asks, run } = givenBehind({ inLog: false });
  asks[0]?.resolve(run);
  expect(await answer).toEqual(view(run));
  expect(asks).toHaveLength(1);
});

test('fails as the effect does, so that Temporal makes another attempt', async () => {
  const { attempt, run, key, ended, forgotten } = given();
  ended.reject(new Error('the daemon is stopping'));
  await expect(attempt(run.id, key, run.lastSeq)).rejects.toThrow('the daemon is stopping');
  expect(forgotten).toEqual([]);
});

test('answers at once if nobody drives the run and the effect is not wanted', async () => {
  const { attempt, run } = given({ driven: false });
  expect(await attempt(run.id, 'an old key', run.lastSeq)).toEqual(view(run));
});

test('fails if nobody drives the run yet, but the effect is wanted', async () => {
  const { attempt, run, key } = given({ driven: false });
  await expect(attempt(run.id, key, run.lastSeq)).rejects.toMatchObject({ code: 'shutting_down' });
});

test('ends the workflow of a run that is not in the log', async () => {
  const { attempt, run, key } = given({ known: false });
  expect(await attempt(run.id, key, run.lastSeq)).toEqual(UNKNOWN_RUN);
});

test.each([
  [
    'that Temporal cancels reads the log, because only the log ends an effect',
    { cancelRequested: true },
    [undefined],
    0,
  ],
  ['that Temporal does not know tells it where the run is', { notFound: true }, [0], 1],
  ['that is let go otherwise does neither', {}, [], 0],
] as const)('an attempt %s', async (_, details, reads, told) => {
  const { attempt, run, key, caughtUp, forgotten, end } = given();
  const answer = attempt(run.id, key, run.lastSeq);
  await expect.poll(() => caughtUp).toEqual([run.lastSeq]);
  end(details);
  await expect(answer).rejects.toThrow('the attempt is let go');
  expect(caughtUp.slice(1)).toEqual(reads);
  expect(forgotten).toHaveLength(told);
});

test('gives no sign of life once it has ended', async () => {
  const [first, second] = [given(), given()];
  first.ended.resolve(first.run);
  await first.attempt(first.run.id, first.key, first.run.lastSeq);
  const before = first.beats();
  const answer = second.attempt(second.run.id, second.key, second.run.lastSeq);
  await expect.poll(second.beats).toBeGreaterThan(3);
  expect(first.beats()).toBe(before);
  second.ended.resolve(second.run);
  await answer;
});
