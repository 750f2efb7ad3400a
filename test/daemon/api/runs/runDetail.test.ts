import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDetail } from '../../../../daemon/api/runs/runDetail.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import {
  approve,
  bound,
  done,
  firstPhaseDone,
  given,
  invalid,
  type Story,
  sent,
  started,
} from '../../core/support/given.ts';
import { placed, SETUP, setUp } from '../../core/support/setup.ts';

const PATH = join(packageRoot(), 'test', 'fixtures', 'histories', 'development@1-happy.json');
const { events } = JSON.parse(readFileSync(PATH, 'utf8')) as { events: RunEvent[] };

/** The detail of the run after each event. */
const views = events.flatMap((_, nth) => {
  const run = replay(events.slice(0, nth + 1));
  return run ? [runDetail(run)] : [];
});

test('progress grows from none to all phases', () => {
  const done = views.map(({ progress }) => progress.done);
  expect(done).toEqual([...done].sort((a, b) => a - b));
  expect(views[0]?.progress).toEqual({ done: 0, total: 4 });
  expect(views.at(-1)?.progress).toEqual({ done: 4, total: 4 });
});

test('waits for a person exactly at its gates, and says for what', () => {
  for (const { state, approvals, waitsForPerson, waitingFor } of views) {
    const isAsked = state === 'awaiting_approval' && approvals.some((gate) => gate.state === 'pending');
    expect(waitsForPerson).toBe(isAsked);
    if (waitsForPerson) expect(waitingFor).toMatch(/^a decision at /);
  }
  expect(views.some(({ waitsForPerson }) => waitsForPerson)).toBe(true);
});

test('a gate that a rule may pass needs nobody until the rule does not', () => {
  const asked = given({ autoGates: [{ gate: 'spec_approved', if: ['no_open_questions'] }] }, ...firstPhaseDone);
  expect(runDetail(asked.run)).toMatchObject({ waitingFor: null, waitsForPerson: false });
  expect(runDetail(asked.on(done('checkRule', 1)).run)).toMatchObject({
    waitingFor: 'a decision at spec_approved (spec)',
    waitsForPerson: true,
  });
});

test('shows agents in their state while the run is open, and as ended afterwards', () => {
  const agents = views.map(({ state, sessions }) => ({
    state,
    shown: new Set(sessions.map((session) => session.state)),
  }));
  expect(agents.at(-2)?.shown).toEqual(new Set(['READY']));
  expect(agents.at(-1)).toEqual({ state: 'completed', shown: new Set(['ENDED']) });
});

test('shows the attempts of a phase as the most of its agents', () => {
  const attempts = (story: Story) => runDetail(story.run).phases[0]?.attempts;
  expect(attempts(given({}))).toBe(0);
  expect(attempts(given({}, bound, started, sent, invalid, sent, invalid, approve, sent))).toBe(3);
  const two = given({ template: 'twoInstances' }, bound, started, started, sent, sent);
  expect(attempts(two)).toBe(1);
  expect(attempts(two.on(invalid, sent))).toBe(2);
});

test('shows how worktrees are set up, if they are', () => {
  const setupsOf = (story: Story) => runDetail(story.run).setups;
  expect(setupsOf(given({}, bound))).toBeUndefined();
  const begun = given({ setup: SETUP }, bound);
  expect(setupsOf(begun)).toEqual([]);
  expect(setupsOf(begun.on(placed))).toMatchObject([{ laneId: 'main', state: 'running', nth: 1, ms: null }]);
  const ready = begun.on(...setUp);
  expect(setupsOf(ready)).toMatchObject([{ state: 'done', isGuess: false, ms: 5_500, ports: { PORT: 4000 } }]);
});
