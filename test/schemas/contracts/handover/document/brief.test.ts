import { describe, expect, test } from 'vitest';
import { checkBrief } from '../../../../../schemas/contracts/handover/document/brief.ts';
import type { Mode } from '../../../../../schemas/contracts/report/report.ts';
import { about, BRIEF, errorsOf, file, givenBrief, LINK, MISSING, sections, warningsOf } from '../given.ts';

const check = (text: string, mode: Mode = 'strict') => checkBrief(file(text), 'brief.md', mode);
const checkWith = (fields: Record<string, unknown>, mode: Mode = 'strict') => check(givenBrief(fields), mode);

test('HC-1.1: a brief is valid in both modes, without a warning', () => {
  for (const mode of ['strict', 'soft'] as const) {
    const report = check(givenBrief(), mode);
    expect([report.contract, report.valid, about(report)]).toEqual(['handover/brief@1', true, []]);
  }
  expect(check(givenBrief()).parsed?.frontmatter).toMatchObject({ task: 'Add a login page', research_topics: 2 });
});

describe('HC-1.2: the fields of a brief', () => {
  test.each(Object.keys(BRIEF).filter((name) => name !== 'type'))('HC-1.2, HC-1.13: %s is required', (name) => {
    expect(about(checkWith({ [name]: undefined }))).toEqual([['BRIEF_MISSING_FIELD', name]]);
    const soft = checkWith({ [name]: undefined }, 'soft');
    expect([soft.valid, warningsOf(soft)]).toEqual([true, ['BRIEF_MISSING_FIELD']]);
    expect(errorsOf(checkWith({ [name]: '' }))).toEqual(['BRIEF_MISSING_FIELD']);
  });

  test.each([
    ['created', '2026-02-30'],
    ['created', 'yesterday'],
    ['slug', 'Login_Page'],
    ['slug', '-login'],
    ['project_dir', 'projects/login'],
    ['project_dir', '.claude/projects/../../2026-01-22-login/'],
    ['research_topics', '-1'],
    ['research_topics', '1.5'],
    ['research_topics', 'two'],
    ['research_topics', '"2"'],
    ['task', ['one', 'two']],
  ])('HC-1.2: %s may not be %s, in both modes', (name, value) => {
    for (const mode of ['strict', 'soft'] as const) {
      const report = checkWith({ [name]: value }, mode);
      expect([errorsOf(report), report.errors[0]?.field]).toEqual([['BRIEF_INVALID_FIELD'], name]);
      expect(report.errors[0]?.line).toBeGreaterThan(1);
    }
  });
});

test.each([
  ['auto_research', 'maybe'],
  ['interview_turns', '-1'],
  ['source', 'rumour'],
  ['brief_quality', 'good'],
])('HC-1.3: the optional field %s has no value %s', (name, value) => {
  expect(errorsOf(checkWith({ [name]: value }))).toEqual(['BRIEF_INVALID_FIELD']);
  expect(errorsOf(checkWith({ [name]: value }, 'soft'))).toEqual(['BRIEF_INVALID_FIELD']);
});

test('HC-1.3: the optional fields may be given', () => {
  const fields = { auto_research: true, interview_turns: 4, source: 'interview', brief_quality: 'partial' };
  expect(about(checkWith(fields))).toEqual([]);
});

test('HC-1.4: another research_status is an error of its own in both modes', () => {
  for (const mode of ['strict', 'soft'] as const) {
    expect(errorsOf(checkWith({ research_status: 'done' }, mode))).toEqual(['BRIEF_INVALID_STATUS']);
  }
  for (const status of ['pending', 'in_progress', 'complete']) {
    expect(about(checkWith({ research_status: status }))).toEqual([]);
  }
});

test('HC-1.5: unknown fields are tolerated', () => {
  expect(about(checkWith({ phase_signals: 'x', __proto__x: 'y' }))).toEqual([]);
});

test('HC-1.6, HC-1.9, HC-1.15: only the required sections must be there', () => {
  expect(about(check(givenBrief({}, sections(['Intent', 'goal']))))).toEqual([
    ['BRIEF_MISSING_SECTION', 'Goal'],
    ['BRIEF_MISSING_SECTION', 'Success Criteria'],
  ]);
  const soft = check(givenBrief({}, ''), 'soft');
  expect([soft.valid, warningsOf(soft)]).toEqual([true, Array(3).fill('BRIEF_MISSING_SECTION')]);
});

test('HC-1.7: what soft forgives stands among the warnings with the same codes', () => {
  const text = givenBrief({ task: undefined, research_status: 'skipped' }, sections(['Intent']));
  const [strict, soft] = [check(text), check(text, 'soft')];
  expect([...soft.errors, ...soft.warnings].map(({ code }) => code).sort()).toEqual(
    [...strict.errors, ...strict.warnings].map(({ code }) => code).sort(),
  );
  expect([strict.valid, soft.valid]).toEqual([false, true]);
});

test('HC-1.8: another version only warns', () => {
  expect(about(checkWith({ brief_version: '"2.0"' }))).toEqual([]);
  expect(about(checkWith({ brief_version: '2.1' }))).toEqual([['BRIEF_VERSION_MISMATCH', 'brief_version']]);
  expect(about(checkWith({ brief_version: 'two' }))).toEqual([['BRIEF_VERSION_FORMAT', 'brief_version']]);
  expect(checkWith({ brief_version: '2' }).valid).toBe(true);
});

test('HC-1.10: a missing file halts', () => {
  for (const mode of ['strict', 'soft'] as const) {
    const report = checkBrief(MISSING, 'brief.md', mode);
    expect([errorsOf(report), report.parsed]).toEqual([['BRIEF_NOT_FOUND'], null]);
  }
  expect(errorsOf(checkBrief(LINK, 'brief.md', 'soft'))).toEqual(['BRIEF_READ_ERROR']);
});

test('HC-1.11: without frontmatter nothing else is reported, in both modes', () => {
  for (const mode of ['strict', 'soft'] as const) {
    expect(errorsOf(check('# A brief\n', mode))).toEqual(['FM_MISSING']);
    expect(errorsOf(check('---\ntype: trekbrief\n', mode))).toEqual(['FM_UNTERMINATED']);
  }
});

test('HC-1.12: another type halts in both modes, and nothing else is reported', () => {
  for (const mode of ['strict', 'soft'] as const) {
    const report = check('---\ntype: trekreview\n---\n', mode);
    expect([about(report), report.parsed]).toEqual([[['BRIEF_WRONG_TYPE', 'type']], null]);
  }
  const missing = checkWith({ type: undefined });
  expect(errorsOf(missing)).toEqual(['BRIEF_WRONG_TYPE', 'BRIEF_MISSING_FIELD']);
  expect(errorsOf(checkWith({ type: undefined }, 'soft'))).toEqual(['BRIEF_WRONG_TYPE']);
});

test('HC-1.14: skipped research must be admitted', () => {
  const skipped = { research_topics: 2, research_status: 'skipped' };
  expect(errorsOf(checkWith(skipped))).toEqual(['BRIEF_STATE_INCOHERENT']);
  expect(errorsOf(checkWith({ ...skipped, brief_quality: 'complete' }))).toEqual(['BRIEF_STATE_INCOHERENT']);
  expect(warningsOf(checkWith(skipped, 'soft'))).toEqual(['BRIEF_STATE_INCOHERENT']);
  expect(about(checkWith({ ...skipped, brief_quality: 'partial' }))).toEqual([]);
  expect(about(checkWith({ ...skipped, research_topics: 0 }))).toEqual([]);
});
