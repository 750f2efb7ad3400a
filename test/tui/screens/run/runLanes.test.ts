import { describe, expect, test } from 'vitest';
import type { LanesPhaseView, LaneView, TaskView } from '../../../../schemas/rpc/views/lanes.ts';
import { query } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { lineWidth } from '../../../../tui/text/line.ts';
import { detail, GATE, LARGE, press, pressed, RUN, runKey, SESSION, SMALL, shows, text } from './runFixtures.ts';

const task = (taskId: string, over: Partial<TaskView> = {}): TaskView => ({
  taskId,
  title: `The ${taskId}`,
  state: 'waiting',
  laneId: null,
  roleId: null,
  session: null,
  dependsOn: [],
  orderedAfter: [],
  writeSet: [`src/${taskId}/**`],
  size: 's',
  risk: 'low',
  layer: 0,
  work: null,
  ...over,
});
const lane = (laneId: string, over: Partial<LaneView> = {}): LaneView => ({
  laneId,
  roleId: 'implementer',
  state: 'open',
  branch: `devflow/r/${laneId}`,
  path: `/w/lanes/${laneId}`,
  tasks: [],
  base: 'ba5e',
  head: 'c0ffee',
  sessionIds: [],
  openGates: [],
  ejections: [],
  flakyChecks: [],
  ...over,
});
const PHASE: LanesPhaseView = {
  phaseKey: 'build',
  title: 'Build',
  planned: true,
  tasks: [
    task('api', {
      state: 'started',
      laneId: 'lane-1',
      session: { sessionId: SESSION, backend: 'codex', state: 'BUSY' },
    }),
    task('docs', { laneId: 'lane-2', state: 'completed' }),
    task('ui', { dependsOn: ['api'], layer: 1 }),
  ],
  lanes: [
    lane('lane-1', { tasks: ['api'], sessionIds: [SESSION] }),
    lane('lane-2', { tasks: ['docs'], openGates: [GATE] }),
  ],
  queue: [
    { laneId: 'lane-2', place: 'sent_back', reason: 'It conflicts with what landed, in README.md' },
    { laneId: 'lane-3', place: 'testing', reason: null },
  ],
  overlaps: [
    {
      tasks: ['api', 'ui'],
      reasons: [{ kind: 'pattern', globs: ['src/**', 'src/ui/**'] }],
      files: [],
      approvalId: 'overlap',
      state: 'approved',
    },
  ],
  drift: [{ laneId: 'lane-2', paths: ['README.md'], with: ['lane-1'], approvalId: GATE, state: 'pending' }],
  tests: [],
};
const [first] = detail().phases;
if (!first) throw new TypeError('the run has a phase');
const RUN_WITH_LANES = detail({
  phases: [...detail().phases, { ...first, key: 'build', kind: 'lanes', state: 'running', gates: [] }],
});
const screen = (size = SMALL, phases: readonly LanesPhaseView[] = [PHASE]) =>
  press(
    shows({ screen: 'run', id: RUN }, size, [
      [runKey, RUN_WITH_LANES],
      [query('run.lanes', { runId: RUN }).key, { runId: RUN, phases }],
    ]),
    'tab',
  );

test('shows layers, queue, overlaps and drift at 80x24', () => {
  expect(text(screen())).toMatchInlineSnapshot(`
    [
      " ? decision  11110000  Greet 世界 by name.  development@1               for 10m",
      " /home/ada/greeting  from main@01234567  on devflow/1111/main",
      " waiting for a decision at plan_approved (plan)",
      "  Overview  [Lanes 0]  Events 3   Artifacts 1   Commands 1   Changes   Report",
      " Layer 1",
      "▌  ● at work   api            lane-1    codex ● busy     The api",
      "   ◌ done      docs           lane-2 ?                   The docs",
      " Layer 2",
      "   · waiting   ui             –                          The ui  after api",
      "",
      " Merge queue",
      "   → sent back      lane-2                   It conflicts with what landed, in …",
      "   ● testing        lane-3",
      "",
      " Overlaps",
      "   ✓ approved       api, ui                  src/** and src/ui/** can mean the …",
      "",
      " Drift",
      "   ? decision       lane-2                   README.md, as may lane-1",
    ]
  `);
});

test('shows everything at 200x60', () => {
  expect(text(screen(LARGE))).toMatchInlineSnapshot(`
    [
      " ? decision  11110000  Greet 世界 by name.  development@1                                                                                                                                       for 10m",
      " /home/ada/greeting  from main@01234567  on devflow/1111/main",
      " waiting for a decision at plan_approved (plan)",
      "  Overview  [Lanes 0]  Events 3   Artifacts 1   Commands 1   Changes   Report",
      " Layer 1",
      "▌  ● at work   api            lane-1    codex ● busy       src/api/**                           The api",
      "   ◌ done      docs           lane-2 ?                     src/docs/**                          The docs",
      " Layer 2",
      "   · waiting   ui             –                            src/ui/**                            The ui  after api",
      "",
      " Merge queue",
      "   → sent back      lane-2                   It conflicts with what landed, in README.md",
      "   ● testing        lane-3",
      "",
      " Overlaps",
      "   ✓ approved       api, ui                  src/** and src/ui/** can mean the same file",
      "",
      " Drift",
      "   ? decision       lane-2                   README.md, as may lane-1",
    ]
  `);
});

test('a run without a lanes phase has no such section', () => {
  const plain = shows({ screen: 'run', id: RUN }, SMALL, [[runKey, detail()]]);
  expect(text(plain).join('\n')).not.toContain('Lanes');
  expect(text(press(plain, 'tab')).join('\n')).toContain('[Events');
});

test('a phase without a plan says when its tasks appear', () => {
  const shown = text(screen(SMALL, [{ ...PHASE, planned: false }]));
  expect(shown.join('\n')).toContain('The tasks appear here when their plan is approved.');
});

test('hostile text of an agent stays in its row, at every width', () => {
  const evil = 'x\n\u001b[2J\u202e日本 '.repeat(20);
  const hostile = {
    ...PHASE,
    tasks: [task('api', { title: evil, writeSet: [evil] })],
    queue: [{ laneId: 'lane-2', place: 'sent_back' as const, reason: evil }],
    drift: [],
  };
  for (const columns of [40, 60, 80, 120, 200]) {
    const size = { columns, rows: 24 };
    const model = screen(size, [hostile]);
    const lines = screenOf(model).view(model, { columns, rows: 22 });
    expect(lines.length).toBeLessThanOrEqual(22);
    for (const each of lines) expect(lineWidth(each)).toBeLessThanOrEqual(columns);
    const shown = text(model).join('\n');
    expect(shown).not.toContain('\u001b');
    expect(shown).not.toContain('\u202e');
  }
});

describe('the keys', () => {
  test('Enter opens the agent of a task', () => {
    expect(press(screen(), 'enter').place).toEqual({ screen: 'session', id: SESSION });
  });

  test('A goes to the pane of the agent', () => {
    expect(pressed(screen(), 'A').commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: false }]);
  });

  test('d and Enter open the gate of the lane', () => {
    const second = press(screen(), 'j');
    expect(press(second, 'd').place).toEqual({ screen: 'approval', id: GATE });
    expect(press(second, 'enter').place).toEqual({ screen: 'approval', id: GATE });
  });

  test('! opens a shell in the worktree of the lane', () => {
    expect(pressed(press(screen(), 'j'), '!').commands).toEqual([
      { type: 'shell', path: '/w/lanes/lane-2', label: 'run 11110000, lane-2' },
    ]);
  });

  test('a task that waits has no agent to open', () => {
    const third = press(screen(), 'j', 'j');
    expect(press(third, 'enter').place.screen).toBe('run');
  });
});
