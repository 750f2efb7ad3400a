import { expect, test } from 'vitest';
import { widthOf } from '../../../../cli/client/textWidth.ts';
import { printLanesPhase } from '../../../../cli/print/run/lanes.ts';
import type { LanesPhaseView, TaskView } from '../../../../schemas/rpc/views/lanes.ts';
import { fakeIo } from '../../fakeIo.ts';

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
const PHASE: LanesPhaseView = {
  phaseKey: 'build',
  title: 'Build',
  planned: true,
  tasks: [
    task('api', {
      state: 'landed',
      laneId: 'lane-1',
      session: { sessionId: '1a2b3c4d-0000-4000-8000-000000000000', backend: 'codex', state: 'READY' },
    }),
    task('ui', { title: 'Evil\n\u001b[2Jtitle', dependsOn: ['api'], layer: 1 }),
  ],
  lanes: [
    {
      laneId: 'lane-1',
      roleId: 'implementer',
      state: 'landed',
      branch: 'devflow/r/lane-1',
      path: '/w/lane-1',
      tasks: ['api'],
      base: 'ba5e',
      head: null,
      sessionIds: [],
      openGates: [],
      ejections: [],
      flakyChecks: [['npm', 'test']],
    },
  ],
  queue: [
    { laneId: 'lane-2', place: 'sent_back', reason: 'A check fails on this lane alone: npm test' },
    { laneId: 'lane-1', place: 'landed', reason: null },
  ],
  overlaps: [
    {
      tasks: ['api', 'ui'],
      reasons: [{ kind: 'forbidden', glob: 'package-lock.json' }],
      files: [],
      approvalId: 'aaaabbbb-0000-4000-8000-000000000000',
      state: 'approved',
    },
  ],
  drift: [
    {
      laneId: 'lane-1',
      paths: ['README.md'],
      with: ['lane-2'],
      approvalId: 'ccccdddd-0000-4000-8000-000000000000',
      state: 'pending',
    },
  ],
  tests: [{ base: 'ba5eba5eba5e', lanes: [], commit: 'c', green: true, nth: 1, flaky: false, failedChecks: [] }],
};

test('shows tasks, queue, tests, overlaps and drift', () => {
  const io = fakeIo();
  printLanesPhase(io, PHASE);
  expect(io.written.out).toMatchInlineSnapshot(`
    "TASK  STATE    LANE    AGENT           SIZE  RISK  AFTER  FILES       TITLE
    api   landed   lane-1  codex 1a2b3c4d  s     low   –      src/api/**  The api
    ui    waiting  –       –               s     low   api    src/ui/**   Evil␊␛[2Jtitle

    Merge queue
    LANE    STATE      TASKS  REASON
    lane-2  sent back  –      A check fails on this lane alone: npm test
    lane-1  landed     api    –

    Merge tests
    LANES              RESULT  ON        FAILED
    the branch itself  green   ba5eba5e  –

    Flaky checks
    LANE    CHECK
    lane-1  npm test

    Overlaps
    TASKS    STATE     APPROVAL  WHY
    api, ui  approved  aaaabbbb  both may write package-lock.json, which parallel tasks must not share

    Drift
    LANE    STATE     APPROVAL  MAY ALSO CHANGE  FILES
    lane-1  decision  ccccdddd  lane-2           README.md
    "
  `);
});

test('fits a narrow terminal', () => {
  const io = fakeIo({ columns: 50 });
  printLanesPhase(io, PHASE);
  for (const line of io.written.out.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(50);
});

test('shows the lanes of an older daemon, which knows no flaky checks', () => {
  const io = fakeIo();
  const lanes = PHASE.lanes.map(({ flakyChecks: _, ...lane }) => lane);
  printLanesPhase(io, { ...PHASE, lanes });
  expect(io.written.out).toContain('Merge queue');
  expect(io.written.out).not.toContain('Flaky');
});

test('parts without rows are left out', () => {
  const io = fakeIo();
  printLanesPhase(io, { ...PHASE, queue: [], overlaps: [], drift: [], tests: [] });
  expect(io.written.out).not.toMatch(/Merge|Overlaps|Drift/);
});
