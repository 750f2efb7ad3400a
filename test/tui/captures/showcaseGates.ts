import type { CommentAnswer } from '../../../schemas/comments/comment.ts';
import type { CommentView } from '../../../schemas/comments/commentView.ts';
import type { Review } from '../../../schemas/comments/draft.ts';
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

/** The same gate after a request for changes with comments. */
export const ANSWERED_GATE = 'dddd0000-0000-4000-8000-000000000031';

const asked = {
  ...({ path: 'src/greet.ts', side: 'new', line: 3, endLine: null, artifact: null, pointer: null } as const),
  ...({ quote: '', anchor: null, approvalId: WORK_GATE, gateKey: 'changes_approved', at: ago(900) } as const),
  ...({ phaseKey: 'implement', state: 'answered', reason: null, patch: null } as const),
};
const answer = (action: CommentAnswer['action'], note: string): CommentView['answers'] => [
  { phaseKey: 'implement', assignment: 'implementer', action, note, at: ago(300) },
];
const now = { path: 'src/greet.ts', line: 5, endLine: null, as: 'moved' } as const;

const comments = (patch: string): CommentView[] => [
  {
    ...{ ...asked, id: 'c1', kind: 'change', text: 'A name of blanks must be refused.', now, patch },
    answers: answer('fixed', 'greet throws if the name has blanks alone, and a test says so.'),
  },
  {
    ...{ ...asked, id: 'c2', kind: 'question', text: 'Why not a default value?', now },
    answers: answer('answered', 'A default would greet nobody by the name of nobody.'),
  },
  {
    ...{ ...asked, id: 'c3', kind: 'change', text: 'Drop this helper.', line: 9 },
    now: { ...now, line: null, as: 'outdated' },
    answers: answer('fixed', 'It is gone.'),
  },
];

/** What a person has written at the gate and not sent. */
export const WORK_REVIEW: Review = {
  ...{ read: [], sending: undefined, inFlight: [], strange: 0 },
  drafts: [
    { line: 2, kind: 'change' as const, text: 'Refuse a name of blanks.' },
    { line: null, kind: 'question' as const, text: 'Is this the right file?' },
  ].map((each, nth) => ({
    ...{ id: `draft-${nth}`, approvalId: WORK_GATE, shown: EMPTY.shown.slice(0, 12), at: ago(60) },
    comment: { path: 'src/greet.ts', side: 'new', endLine: null, artifact: null, pointer: null, quote: '', ...each },
  })),
};

export function gateAnswers(patch: string): Record<string, unknown> {
  const work = workGate(patch);
  return {
    'approval.get': planGate,
    [`approval.get ${WORK_GATE}`]: work,
    [`approval.get ${ANSWERED_GATE}`]: { ...work, id: ANSWERED_GATE, attempt: 2, comments: comments(patch) },
  };
}
