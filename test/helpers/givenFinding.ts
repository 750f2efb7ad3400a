import type { FindingView } from '../../schemas/rpc/views/findings.ts';

/** A confirmed blocker that two backends reported; `given` replaces parts of it. */
export function givenFinding(given: Partial<FindingView> = {}): FindingView {
  return {
    findingId: 'f1',
    fingerprint: given.findingId ?? 'f1',
    phaseKey: 'review',
    severity: 'high',
    category: 'correctness',
    state: 'confirmed',
    verifierStatus: 'confirmed',
    isBlocker: true,
    isPreExisting: false,
    isLate: false,
    isAnchored: true,
    path: 'src/greet.ts',
    line: 12,
    endLine: 13,
    quote: "return 'Hello, ' + name;",
    symbol: 'greet',
    summary: 'An empty name gives a greeting without a name',
    failure: "greet('') returns 'Hello, '.",
    evidence: ['test/greet.test.ts has no case for it.'],
    reproduce: ['npm', 'test'],
    duplicateOf: null,
    reporters: [reporter('claude'), reporter('codex', { severity: 'medium' })],
    resolution: {
      by: 'verifier',
      roleId: 'verifier',
      backend: 'codex',
      reason: 'Nothing checks the name before line 12.',
      quote: { path: 'src/greet.ts', line: 12, text: "return 'Hello, ' + name;" },
    },
    history: [
      { round: 1, what: 'reported', by: 'reviewer#0', note: '' },
      { round: 1, what: 'confirmed', by: 'verifier', note: 'Nothing checks the name before line 12.' },
    ],
    ...given,
  };
}

export function reporter(
  backend: FindingView['reporters'][number]['backend'],
  given: Partial<FindingView['reporters'][number]> = {},
): FindingView['reporters'][number] {
  return {
    roleId: backend === 'claude' ? 'reviewer#0' : 'reviewer#1',
    backend,
    round: 1,
    severity: 'high',
    summary: 'An empty name gives a greeting without a name',
    ...given,
  };
}

const claude = [reporter('claude')];

/** One finding of each kind, in the order in which they were reported. */
export const FINDINGS: readonly FindingView[] = [
  givenFinding({
    findingId: 'duplicate',
    state: 'duplicate',
    verifierStatus: 'duplicate',
    isBlocker: false,
    duplicateOf: 'blocker',
    line: 14,
    summary: 'The name is not checked',
    reporters: claude,
  }),
  givenFinding({
    findingId: 'fixed',
    state: 'fixed',
    isBlocker: false,
    path: 'src/parse.ts',
    line: 3,
    summary: 'A file that is not JSON ends the program',
    history: [
      { round: 1, what: 'reported', by: 'reviewer#0', note: '' },
      { round: 1, what: 'confirmed', by: 'votes', note: '' },
      { round: 1, what: 'answered', by: 'implementer', note: 'Reads the file in a try block.' },
      { round: 2, what: 'fixed', by: 'reviewer#0', note: '' },
    ],
  }),
  givenFinding({
    findingId: 'reported',
    severity: 'low',
    state: 'unverified',
    verifierStatus: 'unverified',
    isBlocker: false,
    isLate: true,
    path: 'README.md',
    line: 4,
    summary: 'The example lacks the option --name',
    reporters: claude,
    resolution: null,
    evidence: [],
  }),
  givenFinding({
    findingId: 'disputed',
    state: 'disputed',
    verifierStatus: 'disputed',
    category: 'security',
    path: 'src/shell.ts',
    line: 40,
    summary: 'The name reaches a shell',
    reporters: claude,
  }),
  givenFinding({ findingId: 'medium', severity: 'medium', path: 'src/late.ts', line: 9, summary: 'It never ends' }),
  givenFinding({ findingId: 'blocker', severity: 'critical' }),
  givenFinding({
    findingId: 'rejected',
    state: 'rejected',
    verifierStatus: 'rejected',
    isBlocker: false,
    path: 'src/a.ts',
    line: 1,
    summary: 'The import is unused',
    reporters: claude,
  }),
];
