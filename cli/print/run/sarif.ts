import type { CommentView } from '../../../schemas/comments/commentView.ts';
import { sortedFindings } from '../../../schemas/findings/findingGroups.ts';
import { placeOf, reasonOf } from '../../../schemas/findings/findingWords.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import { FINDING_STATES } from '../../../schemas/states/findings.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { COMMENT_RULE, commentResult, uriOf } from './sarifComments.ts';

/** The findings that are not fixed, and the comments of people, as a SARIF 2.1.0 log for code scanning tools. Paths are relative to the repository. */
export function sarifLog(findings: readonly FindingView[], comments: readonly CommentView[] = []): SarifLog {
  const shown = sortedFindings(findings).filter(({ state }) => state !== 'fixed');
  const rules = [...new Set(shown.map(({ category }) => category))].sort();
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'devflow',
            rules: [
              ...rules.map((id) => ({ id, shortDescription: { text: RULES[id] } })),
              ...(comments.length > 0 ? [COMMENT_RULE] : []),
            ],
          },
        },
        columnKind: 'unicodeCodePoints',
        results: [
          ...shown.map((finding) => ({ ruleIndex: rules.indexOf(finding.category), ...resultOf(finding) })),
          ...comments.map((comment) => ({ ruleIndex: rules.length, ...commentResult(comment) })),
        ],
      },
    ],
  };
}

export interface SarifLog {
  $schema: string;
  version: '2.1.0';
  runs: {
    tool: { driver: { name: string; rules: { id: string; shortDescription: { text: string } }[] } };
    columnKind: string;
    results: SarifResult[];
  }[];
}
type SarifResult = (ReturnType<typeof resultOf> | ReturnType<typeof commentResult>) & { ruleIndex: number };

const RULES: Readonly<Record<FindingView['category'], string>> = {
  correctness: 'The code does something else than it should.',
  security: 'The code can be abused.',
  data_loss: 'The code loses or damages data.',
  concurrency: 'The code depends on the order in which things happen.',
  error_handling: 'The code hides an error, or leaves something behind after one.',
  tests: 'A test proves nothing, or a case has no test.',
  interface: 'The change breaks those who use it, or says what is not so.',
  evidence: 'A claim about the change is not proven.',
  style: 'The code is harder to read or to change than it must be.',
  performance: 'The code is slower or larger than it must be.',
  other: 'Another defect.',
};

const LEVELS = { critical: 'error', high: 'error', medium: 'warning', low: 'note', info: 'note' } as const;

function resultOf(finding: FindingView) {
  const { fingerprint, category, severity, summary, failure, symbol, state, reporters } = finding;
  return {
    ruleId: category,
    level: LEVELS[severity],
    message: { text: failure === '' ? summary : `${summary}\n\n${failure}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(finding.path) },
          // A removed line has no place in the file.
          ...(finding.removed ? {} : { region: regionOf(finding) }),
        },
        ...(symbol === null ? {} : { logicalLocations: [{ name: symbol }] }),
      },
    ],
    // Version 1 differed from run to run.
    partialFingerprints: fingerprint === undefined ? {} : { 'devflow/v2': fingerprint },
    suppressions: suppressionsOf(finding),
    properties: {
      severity,
      state,
      blocksTheChange: finding.isBlocker,
      ...(finding.removed && { removed: { ...finding.removed, text: finding.quote } }),
      evidence: finding.evidence,
      reporters: reporters.map(({ roleId, backend, round }) => ({ roleId, backend, round })),
    },
  };
}

function regionOf({ line, endLine, quote }: FindingView) {
  return { startLine: line, endLine, snippet: { text: quote } };
}

/** Scanning tools show a suppressed result as closed. */
function suppressionsOf({ state, resolution, duplicateOf, history, ...finding }: FindingView) {
  if (state !== 'rejected' && state !== 'duplicate' && state !== 'accepted') return [];
  const { means } = stateOf(FINDING_STATES, state);
  const reason = reasonOf({ state, resolution, history }) || `${placeOf(finding)}: ${means}`;
  const justification = duplicateOf === null ? reason : `Duplicate of ${duplicateOf}. ${reason}`;
  return [{ kind: 'external' as const, status: 'accepted' as const, justification }];
}
