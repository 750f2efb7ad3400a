import { describe, expect, test } from 'vitest';
import { replay } from '../../../daemon/core/replay.ts';
import { brokenSessions, waitingAgents } from '../../../daemon/report/causes.ts';
import { composeReport } from '../../../daemon/report/compose.ts';
import type { LaneState } from '../../../schemas/enums.ts';
import {
  abort,
  approve,
  bound,
  commandFails,
  commandOk,
  committed,
  decision,
  dies,
  expired,
  failed,
  given,
  type Input,
  invalid,
  pause,
  sent,
  stalls,
  started,
  timedOut,
  valid,
} from '../core/support/given.ts';
import { RUN_ID, type Shape } from '../core/support/run.ts';
import { runWithLanes } from '../engine/local/support/runWithLanes.ts';

/** What needs attention after this story, without ids. */
function left(shape: Shape, ...inputs: Input[]): string[] {
  const { run, events } = given(shape, ...inputs);
  const { json, markdown } = composeReport({ run, events, findings: [] });
  expect(markdown.match(/^## Needs attention\n\n((?:- .*\n?|Nothing\.\n)+)/m)).not.toBeNull();
  const ids = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b/g;
  return json.unresolved.map(({ sentence }) => sentence.replaceAll(RUN_ID, '<run>').replaceAll(ids, '<id>'));
}

const up = [bound, started];
const reject = decision('reject', 'enough');
const spoiled = [...up, sent, invalid, sent, invalid];
const exhausted = [...up, sent, ...Array<Input>(4).fill(dies('planner'))];
const never = ['plan', 'implement', 'verify'].map((key) => `Phase ${key} never started.`);

describe('a report after a rejected recovery gate names the cause', () => {
  test('an artifact that is still invalid', () => {
    expect(left({}, ...spoiled, reject)).toMatchInlineSnapshot(`
      [
        "The run failed (gate_rejected): The gate recovery was rejected: enough.",
        "planner in phase spec stopped (artifact_invalid_after_repair): the artifact of planner is still invalid after the repair prompt: /title is missing.",
        "Phase spec was not completed: it ended as failed in attempt 2.",
        "Phase plan never started.",
        "Phase implement never started.",
        "Phase verify never started.",
        "The last artifact of planner in phase spec is not a valid dev/spec@1: /title is missing.",
      ]
    `);
  });

  test('a session that could not be recovered, without its hint', () => {
    const sentences = left({}, ...exhausted, reject);
    expect(sentences).toMatchInlineSnapshot(`
      [
        "The run failed (gate_rejected): The gate recovery was rejected: enough.",
        "planner in phase spec stopped (session_exhausted): planner (fake) could not be recovered: it was pane_briefly_unresponsive.",
        "Phase spec was not completed: it ended as failed in attempt 2.",
        "Phase plan never started.",
        "Phase implement never started.",
        "Phase verify never started.",
        "The session of planner failed (session_exhausted): it was pane_briefly_unresponsive.",
      ]
    `);
    expect(sentences.join()).not.toContain('Look at the session');
  });

  test('a command that failed', () => {
    const commands = [bound, started, sent, valid, committed, commandFails, commandOk, reject];
    expect(left({ template: 'commands' }, ...commands)).toMatchInlineSnapshot(`
      [
        "The run failed (gate_rejected): The gate recovery was rejected: enough.",
        "Phase test stopped (command_failed): npm run build: exit 1.",
        "Phase test was not completed: it ended as failed in attempt 1.",
        "Phase verify never started.",
        "npm run build failed (exit code 1). Its output is in /ws/<run>/commands/<id>.err.",
      ]
    `);
  });

  test('an effect that failed permanently', () => {
    expect(left({}, ...up, sent, valid, failed('commitWork', 'git_failed'), reject)).toMatchInlineSnapshot(`
      [
        "The run failed (gate_rejected): The gate recovery was rejected: enough.",
        "Phase spec stopped (git_failed): it was git_failed.",
        "Phase spec was not completed: it ended as failed in attempt 1.",
        "Phase plan never started.",
        "Phase implement never started.",
        "Phase verify never started.",
      ]
    `);
  });
});

describe('an open run says what it waits for and why', () => {
  test.each<[string, Input[]]>([
    ['an open recovery gate', spoiled],
    ['a gate', [...up, sent, valid, committed]],
    ['a gate that nobody decided in time', [...up, sent, valid, committed, expired]],
    ['a pause', [...up, pause]],
    ['an agent that asks', [...up, sent, stalls('planner', 'permission')]],
    ['a usage limit', [...up, sent, stalls('planner', 'quota', '2026-01-01T01:00:00.000Z')]],
    ['an artifact that is late again and again', [...up, sent, timedOut]],
  ])('%s', (_, inputs) => {
    expect(left({ approvalTimeoutMs: 1000 }, ...inputs)).toMatchSnapshot();
  });
});

describe('an aborted run says where it stopped', () => {
  test.each<[string, Input[]]>([
    ['a recovery gate', [...spoiled, abort]],
    ['a gate', [...up, sent, valid, committed, abort]],
    ['a crashed session', [...up, sent, dies('planner'), abort]],
    ['an agent that asked', [...up, sent, stalls('planner', 'question'), abort]],
  ])('%s', (_, inputs) => {
    expect(left({}, ...inputs)).toMatchSnapshot();
  });
});

test('a report leaves out a cause that a later attempt fixed', () => {
  const story = [...spoiled, approve, sent, valid, committed, abort];
  expect(left({}, ...story)).toEqual([
    'The run was aborted: no longer wanted.',
    'Phase spec was not completed: it ended as failed in attempt 3.',
    ...never,
  ]);
});

test('names the phase in a run of an older behaviour, where a failure stopped all its agents', () => {
  expect(left({ behaviour: 2 }, ...spoiled, reject)).toContain(
    'Phase spec stopped (artifact_invalid_after_repair): the artifact of planner is still invalid after the repair prompt: /title is missing.',
  );
  expect(left({ behaviour: 2 }, ...spoiled, reject)).toContain(
    'Phase spec was not completed: it ended as failed in attempt 2.',
  );
});

test('names each of several agents that needs a decision', () => {
  const waiting = [bound, started, started, sent, sent];
  const lost = [...Array<Input>(4).fill(dies('writer#0')), ...Array<Input>(4).fill(dies('writer#1'))];
  const sentences = left({ template: 'twoInstances' }, ...waiting, ...lost);
  expect(sentences.filter((each) => each.startsWith('The gate'))).toEqual([
    'The gate recovery of writer#0 in phase write waits for a decision.',
    'The gate recovery of writer#1 in phase write waits for a decision.',
  ]);
});

test('counts the attempts of a phase as its prompts', () => {
  const { run, events } = given({}, ...spoiled, approve, sent);
  expect(composeReport({ run, events, findings: [] }).json.recoveries).toEqual([
    'Phase spec took 3 attempts.',
    '2 artifacts were refused as invalid.',
  ]);
});

test('an old event without a reason gets the last reason of its session', () => {
  const { run, events } = given({}, ...exhausted);
  const old = events.map((event) => {
    if (event.type !== 'session.failed') return event;
    const { reason: _, ...payload } = event.payload;
    return { ...event, payload };
  });
  const failure = run.sessions[0]?.failure;
  expect(failure?.hint).toMatch(/^Look at the session/);
  expect(replay(old)?.sessions[0]?.failure).toEqual(failure);
});

test('a report contains the reason for a resume, as text', () => {
  const reason = 'lunch is over, see <b>';
  const { run, events } = given({}, ...up, pause, { type: 'resume', reason }, sent);
  const { json, markdown } = composeReport({ run, events, findings: [] });
  expect(json.recoveries.at(-1)).toMatch(/^You resumed the run at 2026-.*Z: lunch is over, see <b>\.$/);
  expect(markdown).toContain(String.raw`lunch is over, see \<b\>.`);
});

test('an agent that devflow ended with its lane is no cause', () => {
  const stall = { cause: 'permission', detail: 'Run it?', until: null, since: '2026-01-02T03:04:05.678Z' } as const;
  const waiting = (lanes: LaneState[]) => {
    const run = runWithLanes(lanes);
    return waitingAgents({ ...run, sessions: run.sessions.map((each) => ({ ...each, stall })) }).map(
      ({ subject }) => subject,
    );
  };
  expect(waiting(['open', 'landed'])).toEqual([expect.any(String), 'agent of lane-1']);
  const broken = runWithLanes(['open', 'abandoned'], 'aborted');
  const sessions = broken.sessions.map((each) => ({ ...each, state: 'CRASHED' as const }));
  expect(brokenSessions({ ...broken, sessions }).map(({ subject }) => subject)).not.toContain('agent of lane-2');
});
