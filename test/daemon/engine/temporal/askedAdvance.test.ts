import { expect, test } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createAgentSlots } from '../../../../daemon/engine/local/agentSlots.ts';
import { createAskedAdvance } from '../../../../daemon/engine/temporal/askedAdvance.ts';
import { BEGINNING, landed, moved } from '../../../../daemon/engine/temporal/plan.ts';
import { viewOf } from '../../../../daemon/engine/temporal/view.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import { abort, bound, given, pause, resume } from '../../core/support/given.ts';
import { givenPerform, quiet, silent } from '../local/support/performing.ts';

const starting = given({}, bound);
const paused = starting.on(pause);
const resumed = paused.on(resume);
const aborted = paused.on(abort);

function givenAsked() {
  const performing = givenPerform();
  const moves: Run[] = [];
  const advance = createAskedAdvance({
    perform: performing.perform,
    slots: createAgentSlots(4, createBus()).forRun(starting.run.id, () => {}),
    log: silent,
    onOutcome: () => {},
    onMoved: (run) => moves.push(run),
  });
  const [key = ''] = advance.to(starting.run);
  /** An attempt, and what became of it. */
  const ask = (letGo = new AbortController().signal) => {
    const attempt: { end: string; answer?: Run } = { end: 'waits' };
    advance.ask(key, letGo).then(
      (run) => {
        attempt.end = 'over';
        attempt.answer = run;
      },
      (error) => {
        attempt.end = error.code ?? error.message;
      },
    );
    advance.to(starting.run);
    return attempt;
  };
  return { ...performing, advance, moves, key, ask };
}

test('starts nothing before it is asked, and says that the run moved', () => {
  const { begun, moves, advance, ask } = givenAsked();
  expect(begun).toHaveLength(0);
  expect(moves).toEqual([starting.run]);
  // Its attempt is still to come, so the run is not finished.
  expect(advance.busy()).toBe(true);
  ask();
  expect(begun).toHaveLength(1);
});

test('a second attempt joins the effect, and both end with it', async () => {
  const { begun, advance, ask } = givenAsked();
  const attempts = [ask(), ask()];
  expect(begun).toHaveLength(1);
  begun[0]?.settle();
  await quiet();
  advance.to(starting.run);
  await quiet();
  expect(attempts.map(({ end }) => end)).toEqual(['over', 'over']);
});

test('an effect that came to nothing starts again only when it is asked for again', async () => {
  const { begun, advance, key, ask } = givenAsked();
  ask();
  begun[0]?.settle();
  await quiet();
  advance.to(starting.run);
  advance.to(resumed.run);
  expect(begun).toHaveLength(1);
  const again = advance.ask(key, new AbortController().signal);
  again.catch(() => {});
  advance.to(resumed.run);
  expect(begun).toHaveLength(2);
});

test('lets an attempt go without the effect', async () => {
  const { begun, ask } = givenAsked();
  const letGo = new AbortController();
  const attempt = ask(letGo.signal);
  letGo.abort(new Error('Temporal forgot it'));
  await quiet();
  expect(attempt.end).toBe('Temporal forgot it');
  expect(begun[0]?.signal.aborted).toBe(false);
});

test('an attempt for what is not due ends, after the effect that was aborted has returned', async () => {
  const { begun, advance, moves, ask } = givenAsked();
  const attempt = ask();
  advance.to(paused.run);
  await quiet();
  expect(begun[0]?.signal.aborted).toBe(true);
  expect(attempt.end).toBe('waits');
  expect(moves.at(-1)).toBe(paused.run);
  begun[0]?.settle();
  await quiet();
  advance.to(paused.run);
  await quiet();
  expect(attempt.end).toBe('over');
});

test('says nothing of a move that an attempt carries', async () => {
  const { begun, advance, moves, ask } = givenAsked();
  const attempt = ask();
  begun[0]?.settle();
  await quiet();
  // Nothing is due in this state, so the attempt ends with it.
  advance.to(paused.run);
  await quiet();
  expect(attempt.end).toBe('over');
  expect(moves).toEqual([starting.run]);
});

test('tells of a move that only an attempt for an aborted effect would carry', async () => {
  const { begun, advance, moves, ask } = givenAsked();
  const attempt = ask();
  advance.to(paused.run);
  // The effect was almost done when the run paused, and what it brings is recorded.
  begun[0]?.settle();
  await quiet();
  advance.to(resumed.run);
  await quiet();
  expect(attempt.end).toBe('over');
  expect(moves).toEqual([starting.run, paused.run, resumed.run]);
});

test('tells of a move that only an attempt that came too late would carry', async () => {
  const { begun, moves, advance, key } = givenAsked();
  advance.to(paused.run);
  // Temporal asked for it before it heard of the pause, and cancels this attempt.
  const late = advance.ask(key, new AbortController().signal);
  advance.to(aborted.run);
  expect(await late).toBe(aborted.run);
  expect(begun).toHaveLength(0);
  expect(moves).toEqual([starting.run, paused.run, aborted.run]);
});

test('Temporal begins an effect again that was aborted, though it hears of neither the pause nor the abort', async () => {
  const { begun, advance, moves, key, ask } = givenAsked();
  const view = (run: Run) => viewOf(run, 'q', new Date(0), 1);
  const before = moved(BEGINNING, view(starting.run), 0).state;
  const attempt = ask();
  advance.to(paused.run);
  advance.to(resumed.run);
  // Nudges merge: only the last one arrives, and in it the effect is wanted as before.
  const { state, commands } = moved(before, view(moves.at(-1) as Run), 0);
  expect(commands).toEqual([]);
  begun[0]?.settle();
  await quiet();
  advance.to(resumed.run);
  await quiet();
  expect(attempt).toEqual({ end: 'over', answer: paused.run });
  const after = landed(state, 1, { view: view(attempt.answer as Run) }, 0);
  expect(after.commands).toMatchObject([{ do: 'perform', key, seq: resumed.run.lastSeq }]);
});

test('stops once the performers have returned, and fails the attempts, those to come too', async () => {
  const { begun, advance, key, ask } = givenAsked();
  const attempt = ask();
  let hasStopped = false;
  const stopping = advance.stop().then(() => {
    hasStopped = true;
  });
  await quiet();
  expect(begun[0]?.signal.aborted).toBe(true);
  expect([hasStopped, attempt.end]).toEqual([false, 'waits']);
  begun[0]?.settle();
  await stopping;
  await quiet();
  expect(attempt.end).toBe('shutting_down');
  await expect(advance.ask(key, new AbortController().signal)).rejects.toMatchObject({ code: 'shutting_down' });
});
