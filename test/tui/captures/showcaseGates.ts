import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Sheet } from '../../../schemas/rpc/views/sheet.ts';
import { ARTIFACTS } from './showcaseFiles.ts';
import { ago, DETAIL, GATE, RUN, SESSION } from './showcaseRuns.ts';

/** A gate about a reviewed change. */
export const WORK_GATE = 'dddd0000-0000-4000-8000-000000000030';

const plan = ARTIFACTS[1] as (typeof ARTIFACTS)[number];

const EMPTY: Omit<Sheet, 'decides' | 'leadsTo'> = {
  shown: 'cd'.repeat(32),
  runTitle: 'Greet a person by name',
  alarms: [],
  about: [],
  asked: { requirements: 'Greet a person by name; without one as before.', changes: null },
  comments: [],
  said: [],
  checks: [],
  review: null,
  measured: [],
  walk: [],
  change: null,
  documents: [],
};

const leadsTo = (approve: string, changes: string): Sheet['leadsTo'] => [
  { action: 'approve', sentence: approve },
  { action: 'request_changes', sentence: changes },
  { action: 'reject', sentence: 'The run ends as failed. Its branch and its worktree stay.' },
  { action: 'abort', sentence: 'The run is aborted. Its branch and its worktree stay.' },
];

const planSheet: Sheet = {
  ...EMPTY,
  decides: 'Accept the result of "Plan the work" (plan), attempt 2?',
  leadsTo: leadsTo('"Implement the plan" begins.', '"Plan the work" begins again with your comment, as attempt 3.'),
  asked: { ...EMPTY.asked, changes: 'Add a test without a name.' },
  documents: [
    {
      artifactId: plan.artifactId,
      schema: plan.schema,
      path: plan.path,
      hash: plan.hash,
      edited: false,
      isSaid: false,
    },
  ],
};

const common = {
  artifactHash: 'ab'.repeat(32),
  timeoutMs: null,
  subject: {},
  actions: ['approve', 'reject', 'request_changes', 'abort'],
  uncommittedFiles: 0,
  commands: [],
  sessionIds: [SESSION],
  decisions: [],
  takesComments: true,
} satisfies Partial<ApprovalDetail>;

const planGate = {
  ...DETAIL.approvals.find(({ id }) => id === GATE),
  ...common,
  question: planSheet.decides,
  diff: null,
  artifacts: [plan],
  sheet: planSheet,
};

const files = [
  { path: 'src/greet.ts', insertions: 4, deletions: 2 },
  { path: 'test/greet.test.ts', insertions: 5, deletions: 0 },
];

const workSheet: Sheet = {
  ...EMPTY,
  decides: 'Accept the reviewed change (review), attempt 1?',
  leadsTo: leadsTo(
    'The run completes. Its work stays on its branch until you apply it.',
    'The implementer fixes it as your comment says, and the review looks again. The phases after it run again.',
  ),
  alarms: [
    {
      code: 'one_backend',
      sentence: 'All reviewers run on one backend (claude), so their agreement proves little.',
    },
  ],
  said: [
    {
      roleId: 'implementer',
      laneId: null,
      artifactId: 'a',
      summary: '`greet` takes a name, and puts it into the greeting. Without one it is as before.',
      howToCheck: ['npm test: 14 tests pass.', 'Run node src/greet.ts Ada.'],
      left: ['The README does not name the parameter.'],
    },
  ],
  checks: [
    { argv: ['npm', 'test'], exitCode: 0, reason: null, tail: null, ms: 4_200, laneId: null },
    {
      argv: ['npm', 'run', 'lint'],
      exitCode: 1,
      reason: null,
      tail: 'src/greet.ts:3:7  error  Missing return type\n✖ 1 problem (1 error, 0 warnings)',
      ms: 1_900,
      laneId: null,
    },
  ],
  review: {
    lines: [
      'The review passed, at 4f1c9ad2e8b7, by claude.',
      '2 findings: 1 fixed, 1 rejected.',
      '1 check ran in the review, and none failed.',
    ],
    blockers: [],
  },
  change: {
    base: DETAIL.baseCommit,
    head: '4f1c9ad2e8b70123456789abcdef0123456789ab',
    files,
    more: 0,
    insertions: 9,
    deletions: 2,
  },
};

const workGate = (patch: string) => ({
  ...DETAIL.approvals.find(({ id }) => id === GATE),
  ...common,
  id: WORK_GATE,
  runId: RUN,
  gateKey: 'changes_approved',
  phaseKey: 'verify',
  attempt: 1,
  createdAt: ago(120),
  question: workSheet.decides,
  diff: { base: DETAIL.baseCommit, head: '4f1c9ad2e8b7', files, patch, truncated: false },
  artifacts: [],
  sheet: workSheet,
});

export function gateAnswers(patch: string): Record<string, unknown> {
  return { 'approval.get': planGate, [`approval.get ${WORK_GATE}`]: workGate(patch) };
}
