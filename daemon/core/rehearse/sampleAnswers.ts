import type { EffectOf } from '../effect/effect.ts';

const task = (id: string, dependsOn: string[] = []) => ({
  id,
  title: id,
  description: id,
  requirements: [],
  dependsOn,
  writeSet: [`${id}/**`],
  checks: [{ argv: ['check', id] }],
  risk: 'low',
  size: 's',
});

/** Two tasks without an order, so that two lanes open. */
const PLAN = { summary: 'A plan.', tasks: [task('A'), task('B')] };

const finding = (severity: string) => ({ id: severity[0]?.repeat(40), severity, line: 1, text: 'It is wrong.' });

/** Valid artifacts that lead to different ways, by schema. Others are alike for the core. */
const BY_SCHEMA: Readonly<Record<string, readonly unknown[]>> = {
  'handover/brief@1': [{ frontmatter: { research_topics: 1 } }, { frontmatter: { research_topics: 0 } }],
  'handover/research@1': [{ frontmatter: {} }],
  'handover/plan@1': [{ planVersion: '1.7', sourceFindings: [], steps: [{ number: 1 }] }],
  'handover/review@1': [
    { frontmatter: { verdict: 'ALLOW' }, findings: [] },
    { frontmatter: { verdict: 'BLOCK' }, findings: [finding('BLOCKER')] },
  ],
  'cycle/requirements@1': [{ specification: 'Add numbers.' }],
  'cycle/plan@1': [
    { tasks: [{ id: 'TASK-001', description: 'Add.', effort: 'small' }], total_estimated_effort: 'small' },
  ],
  'cycle/changes@1': [{ changes: [{ file: 'add.ts', action: 'create', description: 'Adds.' }] }],
  'cycle/test-results@1': [
    { pass_rate: 100, coverage: 80, failed_tests: [], total_tests: 1 },
    { pass_rate: 0, coverage: 80, failed_tests: ['adds'], total_tests: 1 },
  ],
  'bt/hypothesis@1': [
    { hypothesis: 'It helps.', evidence: [], expect: { metric: 'score', direction: 'up', size: 1 }, paths: [] },
  ],
};

/** The valid answers to a prompt that differ for the run; the one that leads on comes first. */
export function answersTo({ schema, review }: EffectOf<'awaitArtifact'>): readonly unknown[] {
  if (!review) return BY_SCHEMA[schema] ?? [PLAN];
  switch (review.what) {
    case 'look': {
      const prior = (verdict: string) => review.prior.map((id) => ({ id, verdict, evidence: 'It was looked at.' }));
      return [
        { findings: [], prior: prior('fixed') },
        { findings: [defect()], prior: prior('present') },
      ];
    }
    case 'verdict':
      return ['confirmed', 'rejected'].map((verdict) => ({
        verdicts: review.asked.map((id) => ({
          id,
          verdict,
          duplicateOf: null,
          quote: null,
          reason: 'It was looked at.',
          isQuoted: true,
        })),
      }));
    case 'fix':
      return [{ answers: review.asked.map((id) => ({ id, action: 'fixed', note: '' })) }];
    default:
      return review satisfies never;
  }
}

/** Severe enough for every bar. */
function defect() {
  return {
    ref: 'F1',
    category: 'correctness',
    severity: 'critical',
    path: 'a',
    line: 1,
    endLine: 1,
    quote: 'line 1',
    symbol: null,
    claim: 'It is wrong.',
    failure: 'It fails.',
    evidence: [],
    reproduce: null,
    preExisting: false,
    anchor: { line: 1, text: 'line1', occurrence: 1 },
  };
}
