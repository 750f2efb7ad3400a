import { expect, test } from 'vitest';
import type { RunDetail } from '../../../../schemas/rpc/views/run.ts';
import { runHeader } from '../../../../tui/screens/run/runHeader.ts';
import { at, detail, NOW } from './runFixtures.ts';

/** Shown in a section of the run, among its targets, or not at all. */
type Elsewhere =
  | 'appliedAt'
  | 'approvals'
  | 'artifacts'
  | 'assignments'
  | 'bindings'
  | 'commands'
  | 'comments'
  | 'createdAt'
  | 'currentPhase'
  | 'extra'
  | 'finalReportPath'
  | 'findings'
  | 'handovers'
  | 'iterations'
  | 'lanes'
  | 'lastSeq'
  | 'objective'
  | 'pausedFrom'
  | 'onlyReviews'
  | 'outcome'
  | 'phases'
  | 'progress'
  | 'queue'
  | 'requirements'
  | 'sessions'
  | 'templateHash'
  | 'worktreeFiles'
  | 'worktreeRoot';

/** Another value of each fact. */
const OTHER: { [F in Exclude<keyof RunDetail, Elsewhere>]: RunDetail[F] } = {
  runId: '22220000-0000-4000-8000-000000000001',
  title: 'Another title',
  state: 'failed',
  template: 'review@2',
  templates: ['direct@1', 'review@2'],
  startedAt: at(60),
  endedAt: at(120),
  waitingFor: 'another decision',
  waitsForPerson: false,
  autoGates: [{ gate: 'plan_approved', if: ['no_open_questions', { diff_below: 200 }] }],
  alsoWaitsFor: ['a command'],
  reason: 'It failed',
  host: 'build-2',
  repoPath: '/home/ada/other',
  baseBranch: 'trunk',
  baseCommit: 'fedcba9876543210',
  branch: null,
  setups: [
    {
      laneId: 'main',
      state: 'running',
      nth: 1,
      isGuess: false,
      reason: null,
      ms: null,
      placed: [],
      refused: [],
      ports: {},
      changed: [],
      excluded: [],
    },
  ],
  sandbox: { level: 'all', by: 'bubblewrap 0.8.0', network: 'off' },
  wrap: ['nice'],
  here: true,
  after: '22220000-0000-4000-8000-000000000002',
  schedule: { id: '22220000-0000-4000-8000-000000000003', occurrence: at(30) },
  applied: [{ target: 'main', commit: 'fedcba9876543210', onto: null, head: 'fedcba98', way: 'merge', at: at(150) }],
  agentRights: { hash: '0', settings: { claude: { settings: true, mcp: ['db'] } }, files: [] },
};

test.each(Object.entries(OTHER))('shows the fact %s', (fact, value) => {
  const run = detail({ endedAt: at(90) });
  expect(runHeader({ ...run, [fact]: value }, NOW, 200)).not.toEqual(runHeader(run, NOW, 200));
});
