import { describe, expect, test } from 'vitest';
import { remediationGoals } from '../../../../../schemas/contracts/handover/review/findings.ts';
import { checkReview } from '../../../../../schemas/contracts/handover/review/review.ts';
import type { Mode } from '../../../../../schemas/contracts/report/report.ts';
import {
  about,
  errorsOf,
  file,
  givenReview,
  IDS,
  LINK,
  MISSING,
  REVIEW,
  REVIEW_BODY,
  REVIEW_SECTIONS,
  sections,
  warningsOf,
} from '../given.ts';

const check = (text: string, mode: Mode = 'strict') => checkReview(file(text), 'review.md', mode);
const checkWith = (fields: Record<string, unknown>, mode: Mode = 'strict') => check(givenReview(fields), mode);

test('HC-6.1: a review is valid without a warning', () => {
  const report = check(givenReview());
  expect([report.contract, report.valid, about(report)]).toEqual(['handover/review@1', true, []]);
});

test.each(Object.keys(REVIEW).filter((name) => name !== 'type'))('HC-6.2, HC-6.9: %s is required', (name) => {
  const body = sections(REVIEW_SECTIONS);
  expect(about(check(givenReview({ findings: [], [name]: undefined }, body)))).toEqual([
    ['REVIEW_MISSING_FIELD', name],
  ]);
  const soft = check(givenReview({ findings: [], [name]: undefined }, body), 'soft');
  expect([soft.valid, warningsOf(soft)]).toEqual([true, ['REVIEW_MISSING_FIELD']]);
});

test.each([
  ['created', 'today'],
  ['verdict', 'MAYBE'],
  ['reviewed_files_count', '-1'],
  ['slug', 'A b'],
  ['project_dir', '/tmp'],
])('HC-6.3: %s may not be %s, in both modes', (name, value) => {
  for (const mode of ['strict', 'soft'] as const) {
    expect(errorsOf(checkWith({ [name]: value }, mode))).toEqual(['REVIEW_INVALID_FIELD']);
  }
});

test.each(['HEAD', 'main~1', 'abc'])('HC-6.2: the reviewed commits are ids, and not %s', (value) => {
  for (const field of ['scope_sha_start', 'scope_sha_end']) {
    expect(about(checkWith({ [field]: value }, 'soft'))).toEqual([['REVIEW_INVALID_FIELD', field]]);
  }
});

test('HC-6.3: the optional fields may be given', () => {
  expect(about(checkWith({ created: '2026-01-22', scope_sha_start: 'null', verdict: 'BLOCK' }))).toEqual([]);
});

test('HC-6.4: the list and the sections of the findings agree', () => {
  const report = checkWith({ findings: [IDS[0], IDS[1], IDS[2], 'e'.repeat(40)] });
  expect([report.valid, warningsOf(report)]).toEqual([
    true,
    ['REVIEW_FINDING_BODY_MISSING', 'REVIEW_FINDING_UNLISTED'],
  ]);
  expect(report.warnings.map(({ message }) => message).join()).toContain('e'.repeat(40));
  const elsewhere = REVIEW_BODY.replace('## Findings (BLOCKER)', '## Findings');
  expect(warningsOf(check(givenReview({}, elsewhere)))).toEqual(['REVIEW_FINDING_BODY_MISSING']);
});

test('HC-6.5: its sections are required by the writer', () => {
  const body = REVIEW_BODY.replace('## Coverage', '## Covered');
  expect(about(check(givenReview({}, body)))).toEqual([['REVIEW_MISSING_SECTION', 'Coverage']]);
  expect(check(givenReview({}, body), 'soft').valid).toBe(true);
});

test.each([`[${IDS[0]}, ${IDS[1]}]`, IDS[0], '3', ''])(
  'HC-6.6: findings: %s is no block list, in both modes',
  (value) => {
    for (const mode of ['strict', 'soft'] as const) {
      expect(about(checkWith({ findings: value }, mode))).toEqual([['REVIEW_BAD_FINDINGS_TYPE', 'findings']]);
    }
  },
);

test('HC-6.6: an empty list is a list', () => {
  expect(about(check(givenReview({ findings: [] }, sections(REVIEW_SECTIONS))))).toEqual([]);
});

test.each(['abc', 'A'.repeat(40), 'a'.repeat(41), 'g'.repeat(40)])('HC-6.7: %s is no id, in both modes', (id) => {
  for (const mode of ['strict', 'soft'] as const) {
    expect(errorsOf(checkWith({ findings: [...IDS, id] }, mode))).toEqual(['REVIEW_BAD_FINDING_ID']);
  }
  expect(errorsOf(checkWith({ findings: [...IDS, 'id: abc'] }))).toEqual(['REVIEW_BAD_FINDING_ID']);
});

test('HC-6.8: another form of the version only warns', () => {
  expect(warningsOf(checkWith({ review_version: 'one' }))).toEqual(['REVIEW_VERSION_FORMAT']);
  expect(about(checkWith({ review_version: '1.1' }))).toEqual([]);
});

test('HC-6.10: what is no review halts in both modes', () => {
  for (const mode of ['strict', 'soft'] as const) {
    expect(errorsOf(checkReview(MISSING, 'r', mode))).toEqual(['REVIEW_NOT_FOUND']);
    expect(errorsOf(checkReview(LINK, 'r', mode))).toEqual(['REVIEW_READ_ERROR']);
    expect(errorsOf(check('# Review', mode))).toEqual(['FM_MISSING']);
    expect(errorsOf(checkWith({ type: 'trekbrief' }, mode))).toEqual(['REVIEW_WRONG_TYPE']);
  }
});

describe('HC-6.11: the goals of a remediation', () => {
  test('HC-6.11: BLOCKER and MAJOR are goals in this order, the others are skipped', () => {
    const { parsed, valid } = remediationGoals(file(givenReview()), 'review.md');
    expect(valid).toBe(true);
    expect(parsed?.goals.map(({ id, severity, text }) => [id, severity, text])).toEqual([
      [IDS[0], 'BLOCKER', 'It does not start.'],
      [IDS[1], 'MAJOR', 'A large thing.'],
    ]);
    expect(parsed?.skipped.map(({ severity }) => severity)).toEqual(['MINOR', 'SUGGESTION']);
    expect(parsed?.sourceFindings).toEqual([IDS[0], IDS[1]]);
  });
  test('HC-6.11: a partly valid review seeds a plan', () => {
    const report = remediationGoals(file(givenReview({ task: undefined })), 'review.md');
    expect([report.valid, warningsOf(report)]).toEqual([true, ['REVIEW_MISSING_FIELD']]);
    expect(remediationGoals(MISSING, 'review.md')).toMatchObject({ valid: false, parsed: null });
  });
  test('HC-6.11: a finding that stands twice has its higher severity', () => {
    const body = `## Findings (MINOR)\n### ${IDS[0]}\n## Findings (BLOCKER)\n### ${IDS[0]}\nbad\n#### Why\nso\n`;
    const { parsed } = remediationGoals(file(givenReview({ findings: [IDS[0]] }, body)), 'review.md');
    expect(parsed?.goals).toMatchObject([{ id: IDS[0], severity: 'BLOCKER', text: 'bad\n#### Why\nso' }]);
    expect(parsed?.skipped).toEqual([]);
  });
});
