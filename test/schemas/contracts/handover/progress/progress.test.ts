import { describe, expect, test } from 'vitest';
import { checkProgress } from '../../../../../schemas/contracts/handover/progress/progress.ts';
import { about, errorsOf, file, givenProgress, LINK, MISSING, PROGRESS, warningsOf, without } from '../given.ts';

const check = (text: string) => checkProgress(file(text), 'progress.json');
const checkWith = (values: Record<string, unknown>) => check(givenProgress(values));
const withStep = (values: Record<string, unknown>) =>
  checkWith({ steps: { ...PROGRESS.steps, 1: { ...PROGRESS.steps[1], ...values } } });

test('HC-5.1: a progress is valid without a warning', () => {
  const report = check(givenProgress());
  expect([report.contract, report.valid, about(report)]).toEqual(['handover/progress@1', true, []]);
});

test.each(Object.keys(PROGRESS))('HC-5.1, HC-5.7: %s is required', (key) => {
  expect(about(check(JSON.stringify(without(PROGRESS, key))))).toEqual([['PROGRESS_MISSING_FIELD', key]]);
});

describe('HC-5.2: the values of a progress', () => {
  test.each([
    ['plan', 1],
    ['plan', ''],
    ['plan', '  '],
    ['plan_type', 'story'],
    ['plan_version', 1.7],
    ['mode', 'play'],
    ['total_steps', '2'],
    ['total_steps', -1],
    ['current_step', 0.5],
    ['status', 'done'],
    ['session_start_sha', 5],
    ['steps', []],
  ])('HC-5.2: %s may not be %j', (key, value) => {
    const { errors } = checkWith({ [key]: value });
    expect(errors.map(({ code, field }) => [code, field])).toEqual([['PROGRESS_INVALID_FIELD', key]]);
  });
  test.each(['started_at', 'updated_at', 'completed_at'])('HC-5.2: %s is an ISO time', (key) => {
    for (const value of ['yesterday', '2026-02-30T00:00:00Z', 5, '2026-01-22T25:00:00Z']) {
      expect(about(checkWith({ [key]: value }))).toEqual([['PROGRESS_INVALID_TIMESTAMP', key]]);
    }
    for (const value of ['2026-01-22T10:00:00.123Z', '2026-01-22T10:00:00+02:00', '2026-01-22']) {
      expect(about(checkWith({ [key]: value }))).toEqual([]);
    }
  });
  test('HC-5.2: unknown keys are tolerated', () => {
    expect(about(check(givenProgress({ extra: { deep: [1] } }).replace('{', '{"__proto__": {"status": 1},')))).toEqual(
      [],
    );
  });
});

describe('HC-5.3: the records of steps', () => {
  test.each([
    ['status', 'done'],
    ['attempts', -1],
    ['attempts', 'two'],
    ['error', 5],
    ['commit', 5],
    ['completed_at', 'yesterday'],
    ['manifest_audit', 'ok'],
    ['manifest_audit', null],
    ['note', 5],
  ])('HC-5.3: %s of a step may not be %j', (key, value) => {
    const report = withStep({ [key]: value });
    expect(about(report)).toEqual([['PROGRESS_STEP_INVALID', key]]);
    expect(report.errors[0]?.step).toBe(1);
  });
  test.each(['0', 'one', '01', '__proto__', 'a\nb'])('HC-5.3: %j is no step number', (key) => {
    const text = givenProgress().replace('"2": {', `${JSON.stringify(key)}: {`);
    expect(errorsOf(check(text))).toEqual(['PROGRESS_STEP_INVALID']);
  });
  test('HC-5.3: a record is an object with a status', () => {
    expect(errorsOf(checkWith({ steps: { 1: 'completed', 2: {} } }))).toEqual(Array(2).fill('PROGRESS_STEP_INVALID'));
  });
});

test('HC-5.5: what is no JSON object is refused', () => {
  expect(errorsOf(check('{'))).toEqual(['PROGRESS_PARSE_ERROR']);
  expect(errorsOf(check(''))).toEqual(['PROGRESS_PARSE_ERROR']);
  expect(errorsOf(check('['.repeat(1_000_000)))).toEqual(['PROGRESS_PARSE_ERROR']);
  const messages = ['[]', 'null', '"x"', '1'].map((text) => {
    const report = check(text);
    expect(errorsOf(report)).toEqual(['PROGRESS_NOT_OBJECT']);
    return report.errors[0]?.message;
  });
  expect(messages).toEqual([
    'The JSON is a list, not an object.',
    'The JSON is null, not an object.',
    'The JSON is a text, not an object.',
    'The JSON is a number, not an object.',
  ]);
});

test.each([1, '2', null])('HC-5.6: schema_version %j is not the text 1', (version) => {
  expect(about(checkWith({ schema_version: version }))).toEqual([['PROGRESS_SCHEMA_MISMATCH', 'schema_version']]);
});

test.each([-1, 3, 1_000_000])('HC-5.8: current_step %d is outside of the plan', (step) => {
  expect(about(checkWith({ current_step: step }))).toEqual([['PROGRESS_STEP_RANGE', 'current_step']]);
});

test('HC-5.8: the ends of the range are valid', () => {
  expect(about(checkWith({ current_step: 0 }))).toEqual([]);
  expect(about(checkWith({ current_step: 2 }))).toEqual([]);
});

test('HC-5.9: a completed plan is valid, and there is nothing to resume', () => {
  const done = givenProgress({ status: 'completed', completed_at: '2026-01-22T12:00:00Z' });
  expect(about(check(done))).toEqual([]);
  expect(errorsOf(checkProgress(file(done), 'p', { isResume: true }))).toEqual(['PROGRESS_ALREADY_DONE']);
  expect(about(checkProgress(file(givenProgress()), 'p', { isResume: true }))).toEqual([]);
  for (const values of [{ status: 'completed' }, { status: 'completed', completed_at: null }]) {
    const report = checkWith(values);
    expect([report.valid, warningsOf(report)]).toEqual([true, ['PROGRESS_MISSING_COMPLETED_AT']]);
  }
});

test('HC-5.10: another number of records only warns', () => {
  const report = checkWith({ total_steps: 3 });
  expect([report.valid, warningsOf(report)]).toEqual([true, ['PROGRESS_STEP_COUNT_MISMATCH']]);
});

test('HC-0.8: a missing file and a link have codes of their own', () => {
  expect(errorsOf(checkProgress(MISSING, 'p'))).toEqual(['PROGRESS_NOT_FOUND']);
  expect(errorsOf(checkProgress(LINK, 'p'))).toEqual(['PROGRESS_READ_ERROR']);
});
