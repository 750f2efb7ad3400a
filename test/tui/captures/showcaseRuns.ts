import type { MessageView } from '../../../schemas/rpc/views/message.ts';
import type { EventView, RunDetail, RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';

export const NOW = Date.parse('2026-05-04T12:00:00.000Z');
export const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
export const RUN = '86d80000-0000-4000-8000-000000000001';
export const GATE = 'dddd0000-0000-4000-8000-000000000003';
export const SESSION = 'bbbb0000-0000-4000-8000-000000000001';
const HELPER = 'bbbb0000-0000-4000-8000-000000000002';

const run = (nth: number, given: Partial<RunSummary>): RunSummary => ({
  runId: `${['86d8', '3f9a', 'a41c', '7be2', '19d0', 'c2e8', '5d41'][nth]}0000-0000-4000-8000-000000000001`,
  title: 'Greet a person by name; without one as before.',
  state: 'executing',
  template: 'development@1',
  repoPath: '/home/ada/greeting',
  baseBranch: 'main',
  currentPhase: 'implement',
  waitingFor: null,
  waitsForPerson: false,
  alsoWaitsFor: [],
  progress: { done: 2, total: 4 },
  createdAt: ago(900),
  endedAt: null,
  ...given,
});

export const RUNS: readonly RunSummary[] = [
  run(0, {
    state: 'awaiting_approval',
    currentPhase: 'plan',
    progress: { done: 1, total: 4 },
    waitsForPerson: true,
    alsoWaitsFor: [],
    waitingFor: 'a decision at plan_approved (plan)',
  }),
  run(1, {
    title: 'Book refunds in the month of the sale',
    repoPath: '/home/ada/ledger',
    state: 'awaiting_approval',
    waitsForPerson: true,
    alsoWaitsFor: [],
    createdAt: ago(600),
    waitingFor: 'a decision at recovery (implement)',
  }),
  run(2, {
    title: 'Draw borders that are disputed as dashed lines',
    repoPath: '/home/ada/atlas',
    waitingFor: 'implementation.json of implementer',
    createdAt: ago(1_500),
  }),
  run(3, {
    title: 'Replace the photo on the front page',
    repoPath: '/home/ada/website',
    template: 'quick-change@1',
    currentPhase: 'change',
    createdAt: ago(120),
    progress: { done: 0, total: 2 },
    waitingFor: 'change.json of implementer',
  }),
  run(4, {
    title: 'Export a year as CSV',
    repoPath: '/home/ada/ledger',
    state: 'completed',
    currentPhase: null,
    progress: { done: 4, total: 4 },
    createdAt: ago(90_000),
    endedAt: ago(86_000),
  }),
  run(5, {
    title: 'Review login-form',
    repoPath: '/home/ada/website',
    template: 'review@1',
    state: 'completed',
    outcome: { word: 'blocked', blockers: 2 },
    onlyReviews: true,
    currentPhase: null,
    progress: { done: 1, total: 1 },
    createdAt: ago(96_000),
    endedAt: ago(95_000),
  }),
  run(6, {
    title: 'Round amounts to the cent',
    repoPath: '/home/ada/ledger',
    state: 'completed',
    appliedAt: ago(170_000),
    currentPhase: null,
    progress: { done: 4, total: 4 },
    createdAt: ago(180_000),
    endedAt: ago(175_000),
  }),
];

const phase = (
  key: string,
  title: string,
  given: Partial<RunDetail['phases'][number]>,
): RunDetail['phases'][number] => ({
  phaseId: `phase-${key}`,
  key,
  title,
  kind: 'agent',
  state: 'pending',
  attempts: 0,
  roles: ['planner'],
  gates: [],
  work: null,
  startedAt: null,
  endedAt: null,
  ...given,
});

const gate = (nth: number, given: Partial<RunDetail['approvals'][number]>): RunDetail['approvals'][number] => ({
  id: `dddd0000-0000-4000-8000-00000000000${nth}`,
  runId: RUN,
  runTitle: 'Greet a person by name; without one as before.',
  gateKey: 'plan_approved',
  kind: 'gate',
  phaseKey: 'plan',
  assignment: null,
  laneId: null,
  attempt: 1,
  state: 'pending',
  createdAt: ago(240),
  resolvedAt: null,
  ...given,
});

const session = (sessionId: string, given: Partial<SessionSummary>): SessionSummary => ({
  sessionId,
  runId: RUN,
  runTitle: 'Greet a person by name; without one as before.',
  roleId: 'planner',
  laneId: 'main',
  backend: 'claude',
  state: 'READY',
  paneId: '%1',
  cwd: '/home/ada/.local/share/devflow/workspaces/86d8/main',
  recoveryAttempts: 0,
  lastPromptAt: ago(420),
  stall: null,
  ...given,
});

export const SESSIONS: readonly SessionSummary[] = [
  session(SESSION, { messages: 1 }),
  session(HELPER, {
    runId: RUNS[2]?.runId ?? '',
    runTitle: 'Draw borders that are disputed as dashed lines',
    roleId: 'implementer',
    backend: 'codex',
    state: 'BUSY',
    paneId: '%4',
    lastPromptAt: ago(65),
  }),
];

/** What waits for the first of them. */
export const MESSAGES: readonly MessageView[] = [
  {
    messageId: '5a1d0000-0000-4000-8000-000000000001',
    runId: RUN,
    sessionId: SESSION,
    roleId: 'planner',
    laneId: 'main',
    text: 'Keep the old greeting when no name is given.',
    by: 'person',
    state: 'queued',
    position: 1,
    waitsFor: 'its agent to be free',
    at: ago(20),
    sentAt: null,
    proof: null,
    doubt: null,
  },
];

const binding = (role: string, backend: 'claude' | 'codex') => ({
  roleId: role,
  role,
  persona: `${role}-${backend}@1`,
  personaHash: 'a',
  backend,
  bindingHash: 'b',
  permissionMode: role === 'planner' ? ('read' as const) : ('execute' as const),
  override: null,
  reason: `${role}-${backend}@1 is the first match on the requested backend ${backend}.`,
});

export const DETAIL: RunDetail = {
  ...(RUNS[0] as RunSummary),
  templateHash: 'f'.repeat(64),
  pausedFrom: null,
  baseCommit: '5f0c2a9be1d34c6f8a7b9c0d1e2f3a4b5c6d7e8f',
  branch: 'devflow/86d8/main',
  worktreeRoot: '/home/ada/.local/share/devflow/workspaces/86d8',
  worktreeFiles: null,
  finalReportPath: null,
  requirements: '# Requirements\n\nGreet a person by name; without one as before.',
  objective: null,
  extra: null,
  reason: null,
  startedAt: ago(900),
  lastSeq: 14,
  phases: [
    phase('spec', 'Write the specification', {
      state: 'completed',
      attempts: 1,
      gates: ['spec_approved'],
      startedAt: ago(900),
      endedAt: ago(700),
    }),
    phase('plan', 'Plan the work', {
      state: 'awaiting_approval',
      attempts: 2,
      gates: ['plan_approved'],
      startedAt: ago(700),
    }),
    phase('implement', 'Implement the plan', { roles: ['implementer'] }),
    phase('verify', 'Verify the change', { kind: 'command', roles: [], gates: ['changes_approved'] }),
  ],
  bindings: [binding('planner', 'claude'), binding('implementer', 'codex')],
  assignments: [],
  lanes: [],
  findings: 0,
  approvals: [
    gate(1, {
      gateKey: 'spec_approved',
      phaseKey: 'spec',
      state: 'approved',
      createdAt: ago(750),
      resolvedAt: ago(700),
    }),
    gate(2, { state: 'changes_requested', createdAt: ago(460), resolvedAt: ago(430) }),
    gate(3, { attempt: 2 }),
  ],
  sessions: [SESSIONS[0] as SessionSummary],
  commands: [],
  artifacts: [],
};

const told: [type: string, phase: string | null, secondsAgo: number, payload: EventView['payload']][] = [
  ['run.created', null, 900, { repoPath: '/home/ada/greeting', baseBranch: 'main' }],
  ['run.started', null, 899, { branch: 'devflow/86d8/main', bindings: [1, 2] }],
  ['phase.started', 'spec', 899, { attempt: 1, cause: 'first' }],
  ['session.created', 'spec', 898, { roleId: 'planner', backend: 'claude', sessionId: SESSION }],
  ['prompt.sent', 'spec', 895, { roleId: 'planner', attempt: 1, expectedArtifact: '.devflow/spec.json' }],
  ['artifact.validated', 'spec', 751, { roleId: 'planner', path: '.devflow/spec.json', schema: 'dev/spec@1' }],
  ['approval.requested', 'spec', 750, { gateKey: 'spec_approved', phaseKey: 'spec', attempt: 1 }],
  ['approval.resolved', 'spec', 700, { action: 'approve' }],
  ['phase.started', 'plan', 700, { attempt: 1, cause: 'first' }],
  ['approval.requested', 'plan', 460, { gateKey: 'plan_approved', phaseKey: 'plan', attempt: 1 }],
  ['approval.resolved', 'plan', 430, { action: 'request_changes', comment: 'Add a test without a name.' }],
  ['phase.started', 'plan', 430, { attempt: 2, cause: 'request_changes', changeRequest: 'Add a test without a name.' }],
  ['artifact.validated', 'plan', 241, { roleId: 'planner', path: '.devflow/plan.json', schema: 'dev/phase-plan@1' }],
  ['approval.requested', 'plan', 240, { gateKey: 'plan_approved', phaseKey: 'plan', attempt: 2 }],
];

export const EVENTS: readonly EventView[] = told.map(([type, phaseKey, secondsAgo, payload], nth) => ({
  runId: RUN,
  seq: nth + 1,
  type: type as EventView['type'],
  phaseId: phaseKey === null ? null : `phase-${phaseKey}`,
  payload,
  idempotencyKey: `${RUN}:${nth + 1}`,
  ts: ago(secondsAgo),
}));
