import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CycleEvent } from '../../../../schemas/contracts/cycle/evolve/cycleEvent.ts';
import { evolveNew } from '../../../../schemas/contracts/cycle/evolve/evolve.ts';
import {
  completeCycle,
  extendCycle,
  failCycle,
  pauseCycle,
  resumeCycle,
} from '../../../../schemas/contracts/cycle/evolve/lifecycle.ts';
import { rebuild } from '../../../../schemas/contracts/cycle/rebuild/rebuild.ts';
import { syncReport } from '../../../../schemas/contracts/cycle/rebuild/sync.ts';
import {
  AGENTS,
  CHANGE_ACTIONS,
  type CycleState,
  EFFORTS,
  FEEDBACK_TYPES,
} from '../../../../schemas/contracts/cycle/state/cycleState.ts';
import { created, findingsOf, Played, play, requireValidState, started } from './givenCycle.ts';

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '## Edge Cases',
    '\n\n## Edge Cases\n\n- a',
    '```',
    '- a',
    '\n',
    '__proto__',
    '-->',
    '{"marker":"iteration"}',
  ),
);
const words = fc.array(word, { maxLength: 4 });
const text = words.map((parts) => parts.join('\n'));
const agent = fc.constantFrom(...AGENTS);
const id = fc.constantFrom('1', '2', '__proto__');

/** Ids from 001, each task needing earlier ones: no ring. Some plans have one. */
const tasks = fc
  .array(fc.record({ description: word, effort: fc.constantFrom(...EFFORTS), back: fc.nat(3) }), { maxLength: 4 })
  .map((made) =>
    made.map(({ back, ...task }, index) => {
      const needs = index - back + 1;
      return { ...task, id: `TASK-00${index}`, depends_on: needs >= 0 && back > 0 ? [`TASK-00${needs}`] : [] };
    }),
  );

const event: fc.Arbitrary<CycleEvent> = fc.oneof(
  fc.constant({ type: 'iteration.started' as const }),
  fc.record({ type: fc.constant('iteration.completed' as const), issues_found: words }),
  fc.record({
    type: fc.constantFrom('agent.started' as const, 'agent.waiting' as const, 'agent.completed' as const),
    agent,
    message: word,
    output_files: words,
  }),
  fc.record({ type: fc.constant('agent.failed' as const), agent, error: word }),
  fc.record({ type: fc.constant('requirements.updated' as const), specification: text, edge_cases: words }),
  fc.record({ type: fc.constant('exploration.updated' as const), architecture_summary: text, identified_risks: words }),
  fc.record({ type: fc.constant('plan.updated' as const), tasks, total_estimated_effort: word }),
  fc.record({
    type: fc.constant('changes.appended' as const),
    changes: fc.array(fc.record({ file: word, action: fc.constantFrom(...CHANGE_ACTIONS), description: word }), {
      maxLength: 3,
    }),
  }),
  fc.record({
    type: fc.constant('tests.recorded' as const),
    pass_rate: fc.double({ min: -1, max: 101, noNaN: true }),
    coverage: fc.integer({ min: 0, max: 100 }),
    failed_tests: words,
    total_tests: fc.nat(),
  }),
  fc.record({
    type: fc.constant('feedback.logged' as const),
    source: word,
    target: word,
    content: text,
    feedback: fc.constantFrom(...FEEDBACK_TYPES),
  }),
  fc.record({ type: fc.constant('decision.opened' as const), id, description: word, options: words }),
  fc.record({ type: fc.constant('decision.made' as const), id, option: word, by: word }),
  fc.record({ type: fc.constant('blocker.opened' as const), id, description: word, by: word }),
  fc.record({ type: fc.constant('blocker.resolved' as const), id, resolution: word, workaround: fc.boolean() }),
);

type Change = (state: CycleState, now: number) => CycleState;
const extension = fc.record({
  task: text,
  maxIterations: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
});
const control: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom<Change>(pauseCycle, resumeCycle, completeCycle),
  text.map(
    (reason): Change =>
      (state, now) =>
        failCycle(state, reason, now),
  ),
  extension.map(
    (wanted): Change =>
      (state, now) =>
        extendCycle(state, wanted, now),
  ),
);
/** The four agents deliver: without it, few histories would have a second iteration. */
const round: Change = (state, _) => {
  const events = AGENTS.flatMap((name) => [
    ...(state.agents[name].status === 'running' ? [] : [{ type: 'agent.started', agent: name }]),
    { type: 'agent.completed', agent: name },
  ]);
  return play(state, ...events, { type: 'iteration.completed' });
};
/** An agent fails, whatever it did. */
const stumble = fc.tuple(agent, word).map(
  ([name, error]): Change =>
    (state, _) => {
      const start = state.agents[name].status === 'running' ? [] : [{ type: 'agent.started', agent: name }];
      return play(state, ...start, { type: 'agent.failed', agent: name, error });
    },
);
const change = fc.oneof(
  {
    weight: 6,
    arbitrary: event.map(
      (given): Change =>
        (state, now) =>
          evolveNew(state, given, now),
    ),
  },
  { weight: 2, arbitrary: fc.constant(round) },
  { weight: 1, arbitrary: control },
  { weight: 1, arbitrary: stumble },
);
const history = fc.array(change, { maxLength: 25 });

/** Applies a change. One that is refused changes nothing, and its error is one of devflow's. */
function attempt(cycle: Played, make: Change): void {
  const before = JSON.stringify(cycle.state);
  const files = JSON.stringify(cycle.files);
  try {
    cycle.change(make);
  } catch (error) {
    expect((error as Error).name).toBe('DevflowError');
    expect([JSON.stringify(cycle.state), JSON.stringify(cycle.files)]).toEqual([before, files]);
  }
}

/** The lists that only grow. An iteration counts once it is completed. */
function grown({ task_history, iterations, changes, phase_errors, coordination }: CycleState): unknown[][] {
  const closed = iterations.filter(({ completed_at }) => completed_at);
  return [task_history, closed, changes?.changes ?? [], phase_errors, coordination.feedback_log];
}

describe('any history of a cycle', () => {
  test('CS-48: keeps the beginning of every list that only grows, and every document that does', () => {
    fc.assert(
      fc.property(history, (changes) => {
        const cycle = new Played(started());
        for (const make of changes) {
          const [before, files] = [grown(cycle.state), { ...cycle.files }];
          attempt(cycle, make);
          const after = grown(cycle.state);
          for (const [index, list] of before.entries()) expect(after[index]?.slice(0, list.length)).toEqual(list);
          for (const [path, old] of Object.entries(files)) {
            if (/\.log$|timeline\.md$/.test(path)) expect(cycle.files[path]?.startsWith(old)).toBe(true);
          }
        }
      }),
    );
  });

  test('CS-21: gives states that are valid, with iterations that fit their limit', () => {
    fc.assert(
      fc.property(history, (changes) => {
        const cycle = new Played(created());
        for (const make of changes) {
          attempt(cycle, make);
          requireValidState(cycle.state);
        }
      }),
    );
  });

  test('CS-43: is given back by a rebuild, part by part, and the documents say what the state says', () => {
    fc.assert(
      fc.property(history, (changes) => {
        const cycle = new Played(started());
        for (const make of changes) attempt(cycle, make);
        expect(syncReport(cycle.tree(), cycle.state).parsed).toEqual({ drift: [] });
        const report = rebuild(cycle.tree('torn'), cycle.state.cycle_id);
        expect(report.errors).toEqual([]);
        const state = requireValidState(report.parsed?.state as CycleState);
        const { requirements, plan, changes: log, test_results } = cycle.state;
        expect(state.requirements && { ...state.requirements, last_updated: '' }).toEqual(
          requirements && { ...requirements, last_updated: '' },
        );
        expect([state.plan, state.changes, state.test_results]).toEqual([plan, log, test_results]);
      }),
    );
  });
});

describe('any state file', () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), word, fc.constant('2026-01-22T10:00:00Z'), fc.constant(null));
  const broken = fc
    .tuple(history, fc.array(fc.tuple(fc.nat(), fc.option(value, { nil: undefined })), { maxLength: 4 }))
    .map(([changes, faults]) => {
      const cycle = new Played(started());
      for (const make of changes) attempt(cycle, make);
      const state = JSON.parse(JSON.stringify(cycle.state)) as Record<string, unknown>;
      for (const [where, to] of faults) damage(state, where, to);
      return state;
    });

  test('CS-21: has no error that is soft and not strict', () => {
    fc.assert(
      fc.property(broken, (state) => {
        const [strict, soft] = [findingsOf(state), findingsOf(state, 'soft')];
        for (const error of soft.errors) expect(strict.errors).toContainEqual(error);
        const all = ({ errors, warnings }: typeof strict) => errors.length + warnings.length;
        expect(all(soft)).toBe(all(strict));
      }),
    );
  });

  test('CS-46: of any bytes is answered', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (file) => {
        const report = findingsOf(file);
        expect(report.valid).toBe(report.errors.length === 0);
      }),
    );
  });
});

/** Replaces or removes some value of a state. */
function damage(state: Record<string, unknown>, where: number, to: unknown): void {
  let at: Record<string, unknown> = state;
  for (let left = where; ; left = Math.floor(left / 7)) {
    const keys = Object.keys(at);
    const key = keys[left % Math.max(1, keys.length)];
    if (key === undefined) return;
    const next = at[key];
    if (typeof next === 'object' && next !== null && left % 3 !== 0 && Object.keys(next).length > 0) {
      at = next as Record<string, unknown>;
      continue;
    }
    if (to === undefined) delete at[key];
    else at[key] = to;
    return;
  }
}
