import type { Effect, EffectOf, EffectType, PublishedFile } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { lastCommit } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { boundWorktree } from '../../../../daemon/core/run/worktreeState.ts';
import { CATALOGUE, type ErrorCode, type ErrorRecord } from '../../../../schemas/errors.ts';
import { sha256hex } from '../../../../schemas/hash.ts';
import type { Measurement } from '../../../../schemas/objective/measured.ts';
import type { WorktreeState } from '../../../../schemas/worktreeState.ts';
import { bindingsFor } from './run.ts';

export function errorRecord(code: ErrorCode): ErrorRecord {
  return { code, class: CATALOGUE[code].class, message: `it was ${code}`, hint: CATALOGUE[code].hint };
}

const task = (id: string, dependsOn: string[] = [], checks: { argv: string[] }[] = []) => ({
  id,
  title: `Title of ${id}`,
  description: `Do ${id}.`,
  requirements: [],
  dependsOn,
  writeSet: [`${id}/**`],
  checks,
  risk: 'low',
  size: 's',
});

/** The plan of every template with lanes: two tasks that build on a third, and one of its own. */
const DAG = {
  summary: 'A plan.',
  tasks: [task('A'), task('B', ['A'], [{ argv: ['npm', 'test'] }]), task('C', ['A']), task('D')],
};

const finding = (severity: string) => ({ id: severity[0]?.repeat(40), severity, line: 9, text: 'It is wrong.' });

/** The valid artifacts of contracts, as far as the core reads them. */
const ANSWERS: Readonly<Record<string, unknown[]>> = {
  'bt/hypothesis@1': [
    { hypothesis: 'It helps.', evidence: [], expect: { metric: 'sharpe', direction: 'up', size: 1 }, paths: [] },
  ],
  'handover/brief@1': [{ frontmatter: { research_topics: 1 } }, { frontmatter: { research_topics: 0 } }],
  'handover/review@1': [
    { frontmatter: { verdict: 'ALLOW' }, findings: [finding('MINOR')] },
    { frontmatter: { verdict: 'BLOCK' }, findings: [finding('BLOCKER'), finding('MINOR')] },
    { frontmatter: { verdict: 'ALLOW' }, findings: [finding('BLOCKER')] },
  ],
  'handover/research@1': [{ frontmatter: {} }],
  'handover/plan@1': [{ planVersion: '1.7', sourceFindings: [], steps: [1, 2, 3].map((number) => ({ number })) }],
  'cycle/requirements@1': [{ specification: 'Add numbers.' }],
  'cycle/plan@1': [
    { tasks: [{ id: 'TASK-001', description: 'Add.', effort: 'small' }], total_estimated_effort: 'small' },
  ],
  'cycle/changes@1': [{ changes: [{ file: 'add.ts', action: 'create', description: 'Adds.' }] }],
  'cycle/test-results@1': [
    { pass_rate: 100, coverage: 80, failed_tests: [], total_tests: 3 },
    { pass_rate: 50, coverage: 80, failed_tests: ['adds', 'subtracts'], total_tests: 4 },
  ],
};

/** The valid answers to a prompt. In a review they differ in what they say. */
function answersOf({ review, path, schema }: EffectOf<'awaitArtifact'>): unknown[] {
  if (!review) return ANSWERS[schema] ?? [DAG];
  switch (review.what) {
    case 'look': {
      const prior = review.prior.map((id) => ({ id, verdict: 'fixed', evidence: 'It is gone.' }));
      const present = prior.map((each) => ({ ...each, verdict: 'present' }));
      return [
        { findings: [], prior },
        { findings: [defect('high', 10)], prior: present },
        {
          findings: [
            defect('critical', 40),
            { ...defect('medium', 10), ref: 'F2', reproduce: { argv: ['npm', 'test'] } },
          ],
          prior,
        },
      ];
    }
    case 'verdict': {
      const said = (verdict: string, isQuoted: boolean) => ({
        verdicts: review.asked.map((id) => ({ id, verdict, duplicateOf: null, quote: null, reason: path, isQuoted })),
      });
      return [said('confirmed', true), said('rejected', false), said('rejected', true), said('cannot_tell', false)];
    }
    case 'fix':
      return [{ answers: review.asked.map((id) => ({ id, action: 'fixed', note: '' })) }];
    default:
      return review satisfies never;
  }
}

function defect(severity: string, line: number) {
  const place = { path: 'a.ts', line, endLine: line, quote: `line ${line}`, symbol: null };
  const anchor = { line, text: `line${line}`, occurrence: 1 };
  const words = { claim: `It is wrong at ${line}.`, failure: 'It fails.', evidence: [] };
  return {
    ref: 'F1',
    category: 'correctness',
    severity,
    ...place,
    ...words,
    reproduce: null,
    preExisting: false,
    anchor,
  };
}

const PASSED_REVIEW = { verdict: 'pass', elsewhere: false };
const NO_LINES = { lines: 0, binaries: 0 };

/** One error of each class. */
const FAILURES: ErrorCode[] = ['prompt_send_transient', 'disk_full', 'internal_state_corruption'];

const lost = ({ session }: { session: { sessionId: string; recoveryAttempts: number } }): Outcome => ({
  type: 'sessionLost',
  sessionId: session.sessionId,
  recoveryAttempts: session.recoveryAttempts,
  error: errorRecord('pane_briefly_unresponsive'),
});

const found = (
  { phaseId, roleId, path, schema, storedPath, wantsData, answers }: EffectOf<'awaitArtifact'>,
  valid: boolean,
  data: unknown = DAG,
): Outcome => ({
  type: 'artifactFound',
  phaseId,
  roleId,
  path,
  schema,
  hash: sha256hex(`${path} ${valid} ${data === DAG ? '' : JSON.stringify(data)}`.trimEnd()),
  verdict: valid
    ? {
        valid,
        storedPath,
        ...(wantsData ? { data } : {}),
        ...(answers ? { answers: answers.comments.map(fixed) } : {}),
      }
    : { valid, errors: [{ path: '/title', message: 'is missing' }] },
});

const fixed = (id: string) => ({ id, action: 'fixed' as const, note: `Did ${id}.` });

const ended = ({ commandId }: EffectOf<'runCommand'>, exitCode: number): Outcome => ({
  type: 'commandEnded',
  commandId,
  exitCode,
  ok: exitCode === 0,
  reason: `exit ${exitCode}`,
});

/** The worktree is not as it was set up. */
function outdated({ setup }: Pick<EffectOf<'runCommand'>, 'setup'>): Outcome[] {
  if (!setup || setup.again.length === 0) return [];
  return [{ type: 'setupOutdated', laneId: setup.laneId, nth: setup.nth, reason: 'package-lock.json changed' }];
}

const NOTHING = { commit: null, files: 0, insertions: 0, deletions: 0 };

const headOf = (run: Run) => lastCommit(run) ?? run.baseCommit;

export const worktreeAt = (head: string, files: string[] = []): WorktreeState => {
  return { head, tree: `tree of ${head}`, files, uncommitted: files.length > 0 ? `hash of ${files}` : null };
};

const PASSED = { exitCode: 0, reason: 'exit 0', stdoutPath: '/o', stderrPath: '/e' };

/** What may be in the place of a published file: a valid file, one that is not, or none. */
export function driftsAt({ contract, path, sha256, storedPath }: PublishedFile) {
  const file = { contract, path, published: sha256, storedPath: null };
  const errors = [{ path: 'slug', message: 'is missing', code: 'BRIEF_MISSING_FIELD' }];
  return [
    { ...file, found: 'theirs', errors: [], storedPath, data: { frontmatter: {} } },
    { ...file, found: 'not valid', errors },
    { ...file, found: null, errors: [{ path: '', message: 'is gone' }] },
  ];
}

/** The commit of an assignment in a lane: as planned, outside of what it may write, and without changes. */
function laneCommits(phaseId: string, attempt: number, assignment: string): Outcome[] {
  const work = { commit: `commit-${assignment}-${attempt}`, files: 1, insertions: 2, deletions: 3 };
  const part = { assignment, head: work.commit, outside: [] };
  const committed: Outcome = { type: 'workCommitted', phaseId, attempt, work, part };
  return [committed, { ...committed, part: { ...part, outside: ['elsewhere.ts'] } }];
}

/** What a command measured; with a fault, nothing. */
export function measurementOf(metrics: Record<string, number>, fault: string | null = null): Measurement {
  const nothing = { rounded: {}, absent: {}, seed: null, data: {}, mined: null, equity: null };
  return { ...nothing, metrics, fault, failure: fault };
}

/** The possible outcomes of an effect besides its failure. The expected one comes first. */
const RESULTS: { [T in EffectType]: (effect: EffectOf<T>, run: Run) => Outcome[] } = {
  lockBindings: (_, run) => [
    { type: 'bindingsLocked', bindings: bindingsFor(run.template), branch: `devflow/${run.id}` },
  ],
  startSession: (effect) => [{ type: 'sessionReady', sessionId: effect.session.sessionId }, lost(effect)],
  sendPrompt: (effect) => {
    const { session, envelope, repair } = effect;
    const { sessionId, recoveryAttempts } = session;
    const facts = { sessionId, recoveryAttempts, envelope, promptId: envelope.uuid, repair };
    const delivered: Outcome = { type: 'promptDelivered', ...facts };
    return [delivered, lost(effect), { ...delivered, takerEnded: true }, ...outdated(effect)];
  },
  sendMessage: (effect) => {
    const { session, message } = effect;
    const { sessionId, recoveryAttempts } = session;
    const facts = { messageId: message.messageId, sessionId, recoveryAttempts, promptId: message.uuid };
    return [{ type: 'messageDelivered', ...facts, proof: 'hook' }, lost(effect)];
  },
  awaitArtifact: (effect) => {
    const { key, phaseId, roleId, path, session } = effect;
    const timedOut: Outcome = { type: 'artifactTimedOut', key, phaseId, roleId, sessionId: session.sessionId, path };
    const late = effect.timeoutMs === null ? [] : [timedOut];
    const valid = answersOf(effect).map((data) => found(effect, true, data));
    return [...valid, found(effect, false), ...late, lost(effect)];
  },
  recoverSession: (effect) => [
    { type: 'sessionRecovered', sessionId: effect.session.sessionId, how: effect.how },
    { type: 'sessionRecovered', sessionId: effect.session.sessionId, how: 'rebootstrap', hint: 'started afresh' },
    lost(effect),
  ],
  publishArtifact: ({ phaseId, assignment, contract, path, bytes, restores }) => {
    const refused: Outcome = { type: 'publishingRefused', phaseId, path };
    const drifts = restores ? driftsAt(restores) : [];
    return [
      { type: 'artifactPublished', phaseId, assignment, contract, path, sha256: bytes.hash },
      refused,
      ...drifts.map((drift): Outcome => ({ ...refused, drift })),
    ];
  },
  commitWork: ({ phaseId, phaseKey, attempt, bindsWorktree, part }, run) => {
    if (part) return laneCommits(phaseId, attempt, part.assignment);
    const commit = `commit-${phaseKey}-${attempt}`;
    const at = (head: string | null) => (bindsWorktree ? { worktree: worktreeAt(head ?? headOf(run)) } : {});
    return [
      {
        type: 'workCommitted',
        phaseId,
        attempt,
        work: { commit, files: 1, insertions: 2, deletions: 3 },
        ...at(commit),
      },
      { type: 'workCommitted', phaseId, attempt, work: NOTHING, ...at(null) },
      {
        type: 'workCommitted',
        phaseId,
        attempt,
        work: { ...NOTHING, nestedRepositories: ['vendor/lib'] },
        ...at(null),
      },
    ];
  },
  inspectWorktree: ({ key, published }, run) => {
    const read: Outcome = { type: 'worktreeRead', key, worktree: run.decided ?? worktreeAt(headOf(run)) };
    const drifts = published.slice(0, 1).flatMap(driftsAt);
    return [
      read,
      { type: 'worktreeRead', key, worktree: worktreeAt('head that moved') },
      ...drifts.map((drift): Outcome => ({ ...read, drifts: [drift] })),
    ];
  },
  inspectEvaluation: ({ phaseId, attempt }, run) => {
    const commit = headOf(run);
    const seen = { commit, tree: `tree of ${commit}`, protectedHash: 'protected' };
    const inspected: Outcome = { type: 'evaluationInspected', phaseId, attempt, ...seen, touched: [] };
    return [inspected, { ...inspected, touched: ['settings.json is protected'] }];
  },
  readMeasurement: ({ phaseId, commandId, ended }) => {
    const facts = { type: 'measured' as const, phaseId, commandId, protectedHash: 'protected' };
    const failed: Outcome = { ...facts, measurement: measurementOf({}, 'the command failed: exit 1') };
    if (!ended.ok) return [failed];
    return [1, 2].map((sharpe): Outcome => ({ ...facts, measurement: measurementOf({ sharpe, trades: 40 }) }));
  },
  restoreBest: ({ phaseId, attempt, since, best }) => {
    const work = since === best ? NOTHING : { commit: `back to ${best}`, files: 1, insertions: 1, deletions: 1 };
    return [{ type: 'workCommitted', phaseId, attempt, work }];
  },
  performStep: ({ phaseId, attempt, path, storedPath, schema }) => [
    {
      type: 'stepPerformed',
      phaseId,
      attempt,
      result: { ok: true, path, storedPath, schema, hash: `hash of ${path}` },
    },
    { type: 'stepPerformed', phaseId, attempt, result: { ok: false, reason: 'it cannot be done' } },
  ],
  findOverlaps: ({ phaseId, attempt, tasks }) => {
    const [a, b] = [tasks[0], tasks.at(-1)];
    const none: Outcome = { type: 'overlapsFound', phaseId, attempt, ignoreCase: false, shared: [] };
    if (!a || !b || a === b) return [none];
    return [none, { ...none, shared: [{ a: a.id, b: b.id, files: ['package.json'], count: 1 }] }];
  },
  prepareLane: ({ phaseId, laneId, onto, lane }) => [
    { type: 'lanePrepared', phaseId, laneId, onto, head: lane.startCommit, conflicts: ['a.ts'] },
    { type: 'lanePrepared', phaseId, laneId, onto, head: `${lane.startCommit} with ${onto}`, conflicts: [] },
  ],
  prepareReview: ({ phaseId, round, nth, from, assignments }) => {
    const hunks: [number, number, number, number][] = [[9, 2, 9, 3]];
    const fixed = from === null ? [] : [{ path: 'a.ts', from: null, isDeleted: false, hunks }];
    const witnesses = Object.fromEntries(assignments.map((key) => [key, [{ path: 'a.ts', lines: [9, 10] }]]));
    const small: Outcome = { type: 'reviewPrepared', phaseId, round, nth, changedLines: 12, fixed, witnesses };
    return [small, { ...small, changedLines: 500 }];
  },
  commitResolution: ({ phaseId, laneId, assignment, onto, acceptsDroppedTests }) => {
    const facts = { type: 'resolutionChecked' as const, phaseId, laneId, assignment, onto };
    const work = { commit: `resolved-${assignment}`, files: 1, insertions: 1, deletions: 0 };
    const done: Outcome = {
      ...facts,
      faults: [],
      droppedTests: [],
      committed: { work, head: work.commit, outside: [] },
    };
    const dropped: Outcome[] = acceptsDroppedTests ? [] : [{ ...facts, faults: [], droppedTests: ['it works'] }];
    return [done, { ...facts, faults: ['a.ts has conflict markers'], droppedTests: [] }, ...dropped];
  },
  testMerge: ({ phaseId, base, lanes, checks, nth }) => {
    const commits = lanes.map(({ head }, index) => `merge ${index} of ${base} and ${head}`);
    const commit = commits.at(-1) ?? base;
    const test = {
      base,
      lanes,
      commits,
      commit,
      tree: `tree of ${commit}`,
      checks: checks.hash,
      nth,
      failed: [],
      results: checks.commands.map(({ argv }) => ({ ...PASSED, argv })),
    };
    const green: Outcome = { type: 'mergeTested', phaseId, test };
    const result = { argv: ['npm', 'test'], exitCode: 1, reason: 'exit 1', stdoutPath: '/o', stderrPath: '/e' };
    const red: Outcome = { type: 'mergeTested', phaseId, test: { ...test, failed: [0], results: [result] } };
    const conflicts = lanes
      .slice(0, 1)
      .map(({ laneId, head }): Outcome => ({ type: 'mergeConflicted', phaseId, laneId, head, base, paths: ['a.ts'] }));
    return [green, ...(checks.hash === '' ? [] : [red]), ...conflicts];
  },
  landMerge: ({ phaseId, from, to, lanes, flaky }) => [
    {
      type: 'mergeLanded',
      phaseId,
      from,
      to,
      lanes,
      flaky,
      work: { commit: to, files: 1, insertions: 1, deletions: 0 },
    },
    { type: 'mergeRaced', phaseId, from, now: `somebody after ${from}`, lanes },
  ],
  runCommand: (effect) => {
    const moved: Outcome = { type: 'worktreeMoved', key: effect.key, worktree: worktreeAt('head that moved') };
    return [ended(effect, 0), ended(effect, 1), ...(effect.from ? [moved] : []), ...outdated(effect)];
  },
  placeWorktree: ({ laneId, nth, setup }) => {
    const { copy, ports } = setup;
    const placed = copy.map((path) => ({ path, how: 'copied' as const, files: 1, bytes: 10 }));
    const numbers = Object.fromEntries(ports.map((name, index) => [name, 4000 + index]));
    const facts = { laneId, nth, inputs: `inputs ${nth}`, placed, refused: [], ports: numbers, ms: 1_000 };
    const all: Outcome = { type: 'worktreePlaced', ...facts, commands: setup.commands.map(({ argv }) => argv) };
    // What was cloned needs no command.
    return [all, { ...all, commands: [] }];
  },
  finishSetup: ({ laneId, nth, failure }) => {
    const facts = { laneId, nth, changed: [], excluded: [], ms: 500 };
    if (failure !== null) return [{ type: 'setupFinished', ...facts, ok: false, reason: failure }];
    const done: Outcome = { type: 'setupFinished', ...facts, ok: true, inputs: `inputs ${nth}` };
    return [done, { ...done, changed: ['package-lock.json'], excluded: ['.venv/'] }];
  },
  checkRule: ({ key, approvalRequestId }, run) => {
    const facts = {
      alarms: [],
      questions: 0,
      checks: { green: 1, red: 0, elsewhere: 0 },
      review: PASSED_REVIEW,
      change: NO_LINES,
    };
    const bound = boundWorktree(run.approvals.find(({ id }) => id === approvalRequestId)?.subject ?? {});
    const observed = { commits: [], lostArtifacts: [], ...(bound ? { worktree: bound } : {}) };
    const checked = (more: object): Outcome => ({
      type: 'ruleChecked',
      key,
      approvalRequestId,
      facts: { ...facts, ...more },
      observed,
    });
    return [checked({}), checked({ alarms: ['A fake agent took part.'] }), checked({ questions: 1, review: null })];
  },
  expireApproval: ({ approvalRequestId, since }) => [{ type: 'approvalExpired', approvalRequestId, since }],
  deliverFiles: ({ since }) => [
    { type: 'filesDelivered', commit: `end of ${since}`, onto: since, ignored: [] },
    { type: 'filesDelivered', commit: null, onto: since, ignored: [] },
  ],
  disposeSessions: () => [],
  composeReport: () => [],
};

/** The possible outcomes of an effect. */
export function resultsOf(effect: Effect, run: Run): Outcome[] {
  const results = RESULTS[effect.type] as (effect: Effect, run: Run) => Outcome[];
  return results(effect, run);
}

/** Every possible outcome of an effect, including failures of every error class. */
export function outcomesOf(effect: Effect, run: Run): Outcome[] {
  const failures = FAILURES.map(
    (code): Outcome => ({ type: 'effectFailed', key: effect.key, error: errorRecord(code) }),
  );
  return [...resultsOf(effect, run), ...failures];
}
