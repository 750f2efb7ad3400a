import type { LanesPhaseView, LaneView, RunLanes, TaskView } from '../../../schemas/rpc/views/lanes.ts';
import type { RunDetail, RunSummary } from '../../../schemas/rpc/views/run.ts';
import { ago, DETAIL, RUNS, SESSIONS } from './showcaseRuns.ts';

const base = RUNS[2] as RunSummary;
export const LANES_RUN = base.runId;
const DRIFT_GATE = 'dddd0000-0000-4000-8000-000000000021';

const task = (taskId: string, title: string, given: Partial<TaskView>): TaskView => ({
  taskId,
  title,
  state: 'waiting',
  laneId: null,
  roleId: null,
  session: null,
  dependsOn: [],
  orderedAfter: [],
  writeSet: [],
  size: 's',
  risk: 'low',
  layer: 0,
  work: null,
  ...given,
});

const lane = (nth: number, tasks: string[], given: Partial<LaneView>): LaneView => ({
  laneId: `lane-${nth}`,
  roleId: 'implementer',
  state: 'open',
  branch: `devflow/a41c/lane-${nth}`,
  path: `/home/ada/.local/share/devflow/workspaces/a41c/lanes/lane-${nth}`,
  tasks,
  base: DETAIL.baseCommit,
  head: null,
  sessionIds: [SESSIONS[1]?.sessionId ?? ''],
  openGates: [],
  ejections: [],
  flakyChecks: [],
  ...given,
});

const agent = (state: 'BUSY' | 'READY') => ({
  sessionId: SESSIONS[1]?.sessionId ?? '',
  backend: 'codex' as const,
  state,
});

const build: LanesPhaseView = {
  phaseKey: 'build',
  title: 'Build the tasks',
  planned: true,
  tasks: [
    task('tiles', 'Read map tiles from disk', {
      state: 'landed',
      laneId: 'lane-1',
      writeSet: ['src/tiles/**'],
      session: agent('READY'),
    }),
    task('search', 'Search places by name', {
      state: 'completed',
      laneId: 'lane-2',
      writeSet: ['src/search/**'],
      session: agent('READY'),
    }),
    task('routes', 'Find the shortest route', {
      state: 'started',
      laneId: 'lane-3',
      writeSet: ['src/routes/**'],
      session: agent('BUSY'),
    }),
    task('legend', 'Draw a legend', {
      state: 'completed',
      laneId: 'lane-4',
      writeSet: ['src/view/legend.ts'],
      session: agent('READY'),
    }),
    task('view', 'Show route and places', {
      layer: 1,
      dependsOn: ['search', 'routes'],
      orderedAfter: ['legend'],
      writeSet: ['src/view/**'],
    }),
  ],
  lanes: [
    lane(1, ['tiles'], { state: 'landed' }),
    lane(2, ['search'], { state: 'queued' }),
    lane(3, ['routes'], { openGates: [DRIFT_GATE] }),
    lane(4, ['legend'], {}),
  ],
  queue: [
    { laneId: 'lane-2', place: 'testing', reason: null },
    { laneId: 'lane-4', place: 'sent_back', reason: 'A check fails only together with lane-1: npm test' },
    { laneId: 'lane-1', place: 'landed', reason: null },
  ],
  overlaps: [
    {
      tasks: ['legend', 'view'],
      reasons: [{ kind: 'pattern', globs: ['src/view/legend.ts', 'src/view/**'] }],
      files: [],
      approvalId: 'dddd0000-0000-4000-8000-000000000020',
      state: 'approved',
    },
  ],
  drift: [
    { laneId: 'lane-3', paths: ['src/tiles/index.ts'], with: ['lane-1'], approvalId: DRIFT_GATE, state: 'pending' },
  ],
  tests: [],
};

export const LANES: RunLanes = { runId: LANES_RUN, phases: [build] };

const [plan] = DETAIL.phases;
if (!plan) throw new TypeError('the showcase has phases');

export const LANES_DETAIL: RunDetail = {
  ...DETAIL,
  ...base,
  phases: [
    { ...plan, phaseId: 'phase-dag', key: 'dag', title: 'Plan the tasks', gates: ['dag_approved'] },
    {
      ...plan,
      phaseId: 'phase-build',
      key: 'build',
      title: 'Build the tasks',
      kind: 'lanes',
      state: 'running',
      roles: ['implementer'],
      gates: [],
      startedAt: ago(700),
      endedAt: null,
    },
  ],
  approvals: [],
  sessions: SESSIONS.filter(({ runId }) => runId === LANES_RUN),
  lanes: build.lanes.map(({ laneId, roleId, state, branch, path, tasks }) => {
    return { laneId, phaseKey: 'build', roleId, state, branch, path, tasks };
  }),
};
