import { describe, expect, test } from 'vitest';
import type { CallCommand } from '../../../../tui/model/model.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { sortRuns } from '../../../../tui/screens/runs/allRuns.ts';
import { lineWidth } from '../../../../tui/text/line.ts';
import {
  at,
  detail,
  event,
  LARGE,
  NOW,
  press,
  pressed,
  RUN,
  runKey,
  runsKey,
  SMALL,
  shows,
  summary,
  text,
} from '../run/runFixtures.ts';

const OTHERS = [
  summary({
    runId: '22220000',
    state: 'completed',
    currentPhase: null,
    progress: { done: 4, total: 4 },
    endedAt: at(60),
  }),
  summary({ runId: '33330000', createdAt: at(120), waitingFor: 'planner (claude) to write spec.json' }),
  summary({
    runId: '44440000',
    state: 'paused',
    createdAt: at(30),
    waitsForPerson: true,
    waitingFor: 'devflow run resume',
  }),
  summary({
    runId: '55550000',
    state: 'failed',
    createdAt: at(10),
    endedAt: at(200),
    repoPath: '/srv/日本語の長い名前です',
  }),
  summary({ runId: '66660000', waitsForPerson: true, waitingFor: 'planner asks for a permission', createdAt: at(300) }),
];
const MINE = summary({
  runId: RUN,
  state: 'awaiting_approval',
  currentPhase: 'plan',
  waitsForPerson: true,
  waitingFor: 'a decision at plan_approved (plan)',
});
const EVENTS = `run.events ${JSON.stringify({ runId: RUN, afterSeq: 0, limit: 58 })}`;
const screen = (size = SMALL, runs = [...OTHERS, MINE]) =>
  shows({ screen: 'runs' }, size, [
    [runsKey, runs],
    [runKey, detail()],
    [EVENTS, [event(1), event(2), event(3, 'phase.failed', { code: 'hung', reason: 'no progress', attempt: 1 })]],
  ]);

test('lists runs that wait for a person first, the longest wait first; then open runs, then ended runs', () => {
  expect(sortRuns([...OTHERS, MINE]).map(({ runId }) => runId.slice(0, 4))).toEqual([
    '1111',
    '4444',
    '6666',
    '3333',
    '5555',
    '2222',
  ]);
});

describe('the view', () => {
  test('shows the selected run below the list at 80x24', () => {
    expect(text(screen())).toMatchInlineSnapshot(`
      [
        " state        run      title                     repository  phases          age",
        "▌? decision   11110000 Greet 世界 by name.       greeting    2/4 plan        10m",
        " ○ paused     44440000 Greet 世界 by name.       greeting    2/4 implement    9m",
        " ! needs you  66660000 Greet 世界 by name.       greeting    2/4 implement    5m",
        " ● executing  33330000 Greet 世界 by name.       greeting    2/4 implement    8m",
        " ✗ failed     55550000 Greet 世界 by name.       日本語の長… 2/4              6m",
        " ✓ completed  22220000 Greet 世界 by name.       greeting    4/4              9m",
        "",
        "────────────────────────────────────────────────────────────────────────────────",
        "? decision  11110000  greeting  development@1",
        "waiting for a decision at plan_approved (plan)",
        "Greet 世界 by name.",
        "",
        "spec      ✓ completed  1m 30s               The spec",
        "plan      ? decision   8m 30s   2 attempts  The plan",
        "",
        "12:00:01 session.busy         agent bbbb0000 works",
        "12:00:02 session.busy         agent bbbb0000 works",
        "12:00:03 phase.failed         hung: no progress",
      ]
    `);
  });

  test('shows the selected run beside the list at 200x60', () => {
    expect(text(screen(LARGE)).slice(0, 12)).toMatchInlineSnapshot(`
      [
        " state        run      title                                repository     phases          age waiting for         │ ? decision  11110000  greeting  development@1",
        "▌? decision   11110000 Greet 世界 by name.                  greeting       2/4 plan        10m plan_approved (plan)│ waiting for a decision at plan_approved (plan)",
        " ○ paused     44440000 Greet 世界 by name.                  greeting       2/4 implement    9m you: r resumes it   │ Greet 世界 by name.",
        " ! needs you  66660000 Greet 世界 by name.                  greeting       2/4 implement    5m planner asks for a …│",
        " ● executing  33330000 Greet 世界 by name.                  greeting       2/4 implement    8m planner (claude) to…│ spec      ✓ completed  1m 30s               The spec",
        " ✗ failed     55550000 Greet 世界 by name.                  日本語の長い…  2/4              6m                     │ plan      ? decision   8m 30s   2 attempts  The plan",
        " ✓ completed  22220000 Greet 世界 by name.                  greeting       4/4              9m                     │",
        "                                                                                                                   │ 12:00:01 session.busy         agent bbbb0000 works",
        "                                                                                                                   │ 12:00:02 session.busy         agent bbbb0000 works",
        "                                                                                                                   │ 12:00:03 phase.failed         hung: no progress",
        "                                                                                                                   │",
        "                                                                                                                   │",
      ]
    `);
  });

  test('fits every size', () => {
    for (const columns of [60, 80, 139, 140, 200]) {
      for (const rows of [13, 15, 22, 58]) {
        const model = { ...screen(), size: { columns, rows: rows + 2 } };
        const lines = screenOf(model).view(model, { columns, rows });
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
      }
    }
  });

  test('says that there are no runs, or that they are loading', () => {
    expect(text(screen(SMALL, []))[1]).toContain('No runs yet. Press n');
    expect(text(shows({ screen: 'runs' }, SMALL, []))[1]).toContain('Loading');
  });

  test('draws only the visible ones of 500 runs, and reads one', () => {
    let drawn = 0;
    const many = Array.from({ length: 500 }, (_, nth) => {
      const run = summary({ runId: `${nth}`.padStart(8, '0') });
      const get = () => {
        drawn += 1;
        return { done: 2, total: 4 };
      };
      return Object.defineProperty(run, 'progress', { get });
    });
    const model = screen(LARGE, many);
    text(model);
    expect(drawn).toBeGreaterThan(LARGE.rows / 2);
    expect(drawn).toBeLessThanOrEqual(LARGE.rows);
    expect(
      screenOf(model)
        .queries(model)
        .map(({ method }) => method),
    ).toEqual(['run.list', 'approval.list', 'approval.list', 'run.get']);
  });
});

describe('the keys', () => {
  test('Enter, l and → open the selected run', () => {
    for (const key of ['enter', 'l', 'right']) {
      expect(press(screen(), key).place).toEqual({ screen: 'run', id: RUN });
    }
  });

  test('/ filters by the visible text', () => {
    const model = press(screen(), '/', 'p', 'e', 'r', 'm', 'i', 's', 'enter');
    expect(text(model)[2]).toContain('needs you');
    expect(press(model, 'enter').place.id).toBe('66660000');
  });

  test('p pauses, r resumes', () => {
    const [command] = pressed(screen(), 'p').commands;
    expect(command).toMatchObject({ method: 'run.pause', params: { runId: RUN } });
    const paused = press(screen(), 'j');
    expect(pressed(paused, 'r').commands).toMatchObject([{ method: 'run.resume', params: { runId: '44440000' } }]);
  });

  test.each([
    { changed: true, said: 'Run 44440000 continues, and waits for your decision.' },
    { changed: false, said: 'Run 44440000 was not paused. Its state is decision.' },
  ])('says the state after r: $said', ({ changed, said }) => {
    const asked = pressed(press(screen(), 'j'), 'r');
    const [command] = asked.commands as CallCommand<'run.resume'>[];
    const moved = { runId: '44440000', state: 'awaiting_approval' as const, changed };
    expect(command?.then(asked.model, moved).model.toasts.at(-1)?.text).toBe(said);
  });

  test('X asks for a reason, then for y, and only then aborts', () => {
    const asked = press(screen(), 'X', 'n', 'o', 'enter');
    expect(asked.overlay).toMatchObject({ kind: 'confirm', yes: 'y' });
    expect(pressed(asked, 'enter').commands).toEqual([]);
    expect(pressed(asked, 'y').commands).toMatchObject([{ method: 'run.abort', params: { runId: RUN, reason: 'no' } }]);
  });

  test('C cleans up an ended run without force', () => {
    const ended = press(screen(), 'G');
    expect(pressed(press(ended, 'C'), 'y').commands).toMatchObject([
      { method: 'run.cleanup', params: { force: false } },
    ]);
    expect(pressed(press(ended, 'C'), 'C').commands).toEqual([]);
  });

  test('shows which completed runs a person took over, and no other as such', () => {
    const applied = { ...OTHERS[0], appliedAt: at(30) } as const;
    const failed = { ...applied, runId: '66660000', state: 'failed' } as const;
    const rows = text(screen(LARGE, [applied as never, failed as never, MINE]));
    expect(rows.find((row) => row.includes('22220000'))).toContain('✓ applied ');
    expect(rows.find((row) => row.includes('66660000'))).toContain('✗ failed ');
  });

  test('a review says what came of it, in full', () => {
    const review = { ...OTHERS[0], onlyReviews: true, outcome: { word: 'blocked', blockers: 12 } } as const;
    for (const size of [SMALL, LARGE])
      expect(text(screen(size, [review as never, MINE])).join('\n')).toContain('✗ blocked by 12 ');
  });

  test('a disabled key says why', () => {
    const why = (model: ReturnType<typeof screen>, id: string) =>
      screenOf(model)
        .bindings.find((each) => each.id === `runs.${id}`)
        ?.disabled?.(model);
    const [open, paused, ended, none] = [screen(), press(screen(), 'j'), press(screen(), 'G'), screen(SMALL, [])];
    expect(why(open, 'resume')).toBe('the run is not paused');
    expect(why(open, 'cleanup')).toBe('the run has not ended');
    expect(why(paused, 'pause')).toBe('the run is already paused');
    expect(why(ended, 'abort')).toBe('the run is completed');
    expect(['open', 'pause', 'resume', 'abort', 'cleanup'].map((id) => why(none, id))).toEqual(
      Array(5).fill('no run is selected'),
    );
    expect(press(open, 'r').toasts[0]?.text).toBe('resume: the run is not paused.');
    expect(open.now).toBe(NOW);
  });
});
