import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DryRun } from '../../../schemas/rpc/methods/runStart.ts';
import type { ArtifactContent } from '../../../schemas/rpc/views/artifact.ts';
import type { Query } from '../../../tui/model/query.ts';
import { AUDIT, CONVENTIONS } from './showcaseContracts.ts';
import { definitionAnswers } from './showcaseDefinitions.ts';
import { ARTIFACTS } from './showcaseFiles.ts';
import { FOUND, REVIEW_DETAIL, REVIEW_RUN } from './showcaseFindings.ts';
import { gateAnswers } from './showcaseGates.ts';
import { LANES, LANES_DETAIL, LANES_RUN } from './showcaseLanes.ts';
import { COMPARED, LOOPS, SHOWN } from './showcaseLoop.ts';
import { ago, DETAIL, EVENTS, MESSAGES, RUN, RUNS, SESSIONS } from './showcaseRuns.ts';
import { SETTINGS } from './showcaseSettings.ts';

/** One and the same day of a person with devflow: what the daemon answers, for captures that never change by themselves. */
const gates = [
  ...DETAIL.approvals,
  {
    id: 'dddd0000-0000-4000-8000-000000000009',
    runId: RUNS[1]?.runId,
    runTitle: 'Book refunds in the month of the sale',
    gateKey: 'recovery',
    kind: 'recovery',
    phaseKey: 'implement',
    attempt: 1,
    state: 'pending',
    createdAt: ago(180),
    resolvedAt: null,
  },
];

const plan: DryRun = {
  uncommitted: { count: 0, files: [] },
  submodules: [],
  warnings: [],
  dryRun: true,
  template: 'quick-change@1',
  templateHash: 'f'.repeat(64),
  repoPath: '/home/ada/greeting',
  baseBranch: 'main',
  baseCommit: '5f0c2a9be1d34c6f8a7b9c0d1e2f3a4b5c6d7e8f',
  reviewHead: null,
  bindings: ['planner', 'implementer'].map((role) => ({
    roleId: role,
    role,
    persona: `${role}-claude@1`,
    personaHash: 'a',
    backend: 'claude' as const,
    bindingHash: 'b',
    override: null,
    permissionMode: role === 'planner' ? ('read' as const) : ('execute' as const),
    reason: `${role}-claude@1 is the first match on the requested backend claude.`,
  })),
  phases: ['change', 'verify'].map((key) => ({
    key,
    title: key,
    kind: 'agent' as const,
    roles: ['implementer'],
    artifact: null,
    gates: [`${key}_approved`],
    commands: [],
  })),
};

const check = (name: string, status: string, detail: string, remediation: string | null = null) => ({
  name,
  status,
  detail,
  remediation,
});

const byParameter: Record<string, unknown> = {
  'approval.list pending': gates.filter(({ state }) => state === 'pending'),
  'approval.list paused': [],
  [`approval.list ${RUN}`]: DETAIL.approvals,
  [`run.get ${LANES_RUN}`]: LANES_DETAIL,
  [`run.lanes ${LANES_RUN}`]: LANES,
  [`run.get ${REVIEW_RUN}`]: REVIEW_DETAIL,
  [`run.findings ${REVIEW_RUN}`]: { runId: REVIEW_RUN, findings: FOUND, reviews: [], notes: [] },
};
for (const artifact of ARTIFACTS as readonly ArtifactContent[])
  byParameter[`artifact.get ${artifact.artifactId}`] = artifact;

const PATCH = `diff --git a/src/greet.ts b/src/greet.ts
index 2f1a9c0..8b1d5e2 100644
--- a/src/greet.ts
+++ b/src/greet.ts
@@ -1,4 +1,6 @@
 /** Says hello. */
-export function greet(): string {
-  return 'Hello';
+export function greet(name?: string): string {
+  // Without a name as before.
+  if (name === undefined) return 'Hello';
+  return \`Hello, \${name}\`;
 }
diff --git a/test/greet.test.ts b/test/greet.test.ts
index 77ab1d0..0c2e4f1 100644
--- a/test/greet.test.ts
+++ b/test/greet.test.ts
@@ -4,3 +4,7 @@
 it('greets', () => {
   expect(greet()).toBe('Hello');
 });
+
+it('greets by name', () => {
+  expect(greet('Ada')).toBe('Hello, Ada');
+});
`;

const byMethod: Record<string, unknown> = {
  'daemon.status': {
    daemon: { pid: 4711, version: '0.1.0', socket: '/run/user/1000/devflow/devflow.sock', startedAt: ago(90_000) },
    database: { mode: 'embedded', ok: true },
    runs: { awaiting_approval: 2, executing: 2 },
    approvals: { pending: 2 },
    sessions: {},
    stalls: {},
    agents: {},
    agentSlots: { atWork: 2, waiting: 0, limit: 4 },
    problems: [],
  },
  'run.list': RUNS,
  'run.get': DETAIL,
  'run.events': EVENTS,
  'run.report': {
    runId: RUN,
    markdown: readFileSync(join(import.meta.dirname, 'report.md'), 'utf8'),
    json: {},
    paths: null,
  },
  'run.diff': {
    runId: RUN,
    branch: DETAIL.branch,
    base: DETAIL.baseCommit,
    head: '4f1c9ad2e8b7',
    moved: null,
    truncated: false,
    totals: { files: 2, insertions: 9, deletions: 2 },
    uncommittedFiles: 0,
    stat: '',
    files: [
      { path: 'src/greet.ts', insertions: 4, deletions: 2 },
      { path: 'test/greet.test.ts', insertions: 5, deletions: 0 },
    ],
    patch: PATCH,
  },
  ...gateAnswers(PATCH),
  'artifact.list': ARTIFACTS,
  'session.list': SESSIONS,
  'session.get': {
    ...SESSIONS[0],
    phaseKey: 'plan',
    expectedArtifactPath: '/home/ada/.local/share/devflow/workspaces/86d8/main/.devflow/plan.json',
    expectedSchema: 'dev/phase-plan@1',
    panePid: 5120,
    tmuxSession: 'devflow-86d8',
    tmuxWindow: 'planner',
    lastTranscriptSeq: 12,
    recoveryHint: null,
    lastWords: {
      text: 'The plan has two tasks: the greeting takes a name, and two tests hold it.',
      at: ago(40),
      by: 'record',
    },
  },
  'message.list': MESSAGES,
  'run.start': plan,
  'repository.show': SETTINGS,
  'repository.check': { files: [{ file: 'devflow.yaml', where: 'base', faults: [] }] },
  'backtest.list': LOOPS,
  'backtest.show': SHOWN,
  'backtest.compare': COMPARED,
  'contract.status': CONVENTIONS,
  'state.audit': AUDIT,
  'run.lastBackends': { remembered: [], unusable: [] },
  'daemon.doctor': [
    check('node', 'pass', 'v22.23.2'),
    check('git', 'pass', '2.39.5'),
    check('tmux', 'warn', '3.3a; an agent that dies can end the server', 'Install tmux 3.5 or newer.'),
    check('database', 'pass', 'embedded PostgreSQL 16, 12 migrations'),
    check('claude', 'pass', '/home/ada/.local/bin/claude, 2.0.44'),
    check('codex', 'warn', 'not found on PATH', 'Install it, or bind every role to another backend.'),
    check('disk', 'pass', '212 GB free in /home/ada/.local/share/devflow'),
    check('socket', 'pass', '/run/user/1000/devflow, mode 0700'),
  ],
  ...definitionAnswers(RUN),
};

/** What the daemon answers to that. */
export function answerTo({ method, params }: Query): unknown {
  const given = params as Record<string, string>;
  for (const name of ['state', 'approvalId', 'artifactId', 'template', 'persona', 'runId']) {
    const found = byParameter[`${method} ${given[name]}`] ?? byMethod[`${method} ${given[name]}`];
    if (given[name] !== undefined && found !== undefined) return found;
  }
  return byMethod[method] ?? (method === 'approval.list' ? gates : undefined);
}
