import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import type { RunDetail, RunSummary } from '../../../schemas/rpc/views/run.ts';
import { FINDINGS, givenFinding, reporter } from '../../helpers/givenFinding.ts';
import { ago, DETAIL, RUNS } from './showcaseRuns.ts';

const base = RUNS[1] as RunSummary;
export const REVIEW_RUN = base.runId;

const LONG = 'Two requests at once read the same counter, add one and write it back, so that one of them is lost';

/** A finding with all that one can have. */
const lost = givenFinding({
  findingId: 'lost',
  severity: 'critical',
  category: 'correctness',
  path: 'src/server/visits/countVisits.ts',
  line: 41,
  endLine: 42,
  symbol: 'countVisits',
  summary: LONG,
  quote: 'const visits = await read(id);\nawait write(id, visits + 1);',
  failure: 'Under load the counter shows fewer visits than there were. No error is logged.',
  evidence: ['read() takes no lock.', 'test/visits.test.ts sends one request at a time.'],
  reproduce: ['npm', 'test', '--', '-t', 'two visits at once'],
  reporters: [
    reporter('claude', { severity: 'critical', summary: LONG }),
    reporter('codex', { summary: 'A visit is lost if two come at once' }),
  ],
  history: [
    { round: 1, what: 'reported', by: 'reviewer#0', note: '' },
    { round: 1, what: 'reported', by: 'reviewer#1', note: '' },
    { round: 1, what: 'confirmed', by: 'verifier', note: 'Nothing makes the two calls one.' },
    { round: 1, what: 'answered', by: 'implementer', note: 'fixed: The calls are one statement now.' },
    { round: 2, what: 'present', by: 'reviewer#0', note: 'The statement still reads before it writes.' },
  ],
  resolution: {
    by: 'verifier',
    roleId: 'verifier',
    backend: 'codex',
    reason: 'Nothing makes the two calls one.',
    quote: { path: 'src/server/visits/countVisits.ts', line: 41, text: 'const visits = await read(id);' },
  },
});

export const FOUND: readonly FindingView[] = [...FINDINGS, lost];

const [plan] = DETAIL.phases;
if (!plan) throw new TypeError('the showcase has phases');

export const REVIEW_DETAIL: RunDetail = {
  ...DETAIL,
  ...base,
  state: 'executing',
  currentPhase: 'review',
  waitsForPerson: false,
  waitingFor: 'fix.json of implementer',
  phases: [
    { ...plan, phaseId: 'phase-implement', key: 'implement', title: 'Implement the plan' },
    {
      ...plan,
      phaseId: 'phase-review',
      key: 'review',
      title: 'Review the change',
      state: 'running',
      roles: ['reviewer', 'verifier'],
      gates: [],
      startedAt: ago(700),
      endedAt: null,
    },
  ],
  approvals: [],
  sessions: [],
  findings: FOUND.length,
};
