import { expect, test } from 'vitest';
import { replay } from '../../../daemon/core/replay.ts';
import type { Run } from '../../../daemon/core/run/state.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import type { EventLevel } from '../../../daemon/log/levelOf.ts';
import { logRunEvents } from '../../../daemon/log/logRunEvents.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import {
  approve,
  bound,
  committed,
  dies,
  given,
  type Input,
  invalid,
  sent,
  stalls,
  started,
  valid,
} from '../core/support/given.ts';
import { RUN_ID } from '../core/support/run.ts';

const SECRET = 'hunter2 of the requirements';
const CHANGES = { phases: [], approvals: [], sessions: [] };

/** What is logged of a story's events, each as it was committed. */
function linesOf(events: readonly RunEvent[]): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const bus = createBus();
  let run: Run | undefined;
  const at = (level: EventLevel) => (facts: object, msg: string) => lines.push({ level, ...facts, msg });
  const log = { info: at('info'), warn: at('warn'), error: at('error') };
  const stop = logRunEvents({ bus, openRuns: () => (run ? [run] : []), log: log as never });
  for (const [index, event] of events.entries()) {
    run = replay(events.slice(0, index + 1));
    bus.publish({ runId: RUN_ID, events: [event], changes: CHANGES });
  }
  stop();
  bus.publish({ runId: RUN_ID, events, changes: CHANGES });
  return lines;
}

const story = given(
  { requirementsMd: SECRET },
  ...[bound, started, sent, invalid, sent, stalls('planner', 'question'), stalls('planner', null), valid, committed],
  approve,
);

test('logs each committed event as one line with run, phase, role, session, id, sequence number and type', () => {
  const lines = linesOf(story.events);
  expect(lines.map(({ msg }) => msg)).toEqual(story.events.map(({ type }) => type));
  expect(lines.map(({ seq }) => seq)).toEqual(story.events.map(({ seq }) => seq));
  const session = story.run.sessions[0]?.id;
  const phase = story.run.phases[0];
  const ready = lines.find(({ msg }) => msg === 'session.busy');
  expect(ready).toMatchObject({
    runId: RUN_ID,
    phaseId: phase?.id,
    phase: 'spec',
    role: 'planner',
    sessionId: session,
  });
  expect(lines.find(({ msg }) => msg === 'artifact.invalid')).toMatchObject({ phase: 'spec', role: 'planner' });
  expect(new Set(lines.map(({ eventId }) => eventId)).size).toBe(lines.length);
});

test('logs short lines without anything that people or agents wrote', () => {
  const text = linesOf(story.events).map((line) => JSON.stringify(line));
  expect(text.join()).not.toContain('hunter2');
  expect(text.join()).not.toContain('it is question');
  expect(Math.max(...text.map((line) => line.length))).toBeLessThan(600);
});

test('logs what a person must do as an error, and what is tried again as a warning', () => {
  const at = (level: EventLevel) =>
    linesOf(story.events)
      .filter((line) => line.level === level)
      .map(({ msg }) => msg);
  expect(at('error')).toEqual(['run.stalled', 'approval.requested']);
  expect(at('warn')).toEqual(['artifact.invalid', 'prompt.repaired']);
  const broken = given({}, bound, ...Array<Input>(4).fill(dies('planner')));
  const last = linesOf(broken.events).slice(-3);
  expect(last.map(({ level, msg }) => `${level} ${msg}`)).toEqual(
    expect.arrayContaining(['error session.failed', 'error approval.requested']),
  );
});
