import { describe, expect, test } from 'vitest';
import { checkPlan } from '../../../../../schemas/contracts/handover/plan/plan.ts';
import {
  type CommitFact,
  deriveStep,
  driftReport,
  reconciledText,
} from '../../../../../schemas/contracts/handover/progress/drift.ts';
import { checkProgress } from '../../../../../schemas/contracts/handover/progress/progress.ts';
import { file, givenPlanOf, givenProgress, warningsOf } from '../given.ts';

const AT = Date.parse('2026-01-22T11:30:00Z');
const find = (pattern: string, texts: readonly string[], from: number) =>
  texts.findIndex((text, index) => index >= from && new RegExp(pattern).test(text));
const commits = (...subjects: string[]): CommitFact[] =>
  subjects.map((subject, index) => ({ sha: (index + 10).toString(16).repeat(40), subject, at: AT }));
const stepsOf = (...patterns: string[]) => checkPlan(file(givenPlanOf(patterns)), 'plan.md').parsed?.steps ?? [];

function progressAt(current: number, total: number, commit: (step: number) => string | null = () => null) {
  const steps = Object.fromEntries(
    Array.from({ length: current }, (_, index) => [index + 1, { status: 'completed', commit: commit(index + 1) }]),
  );
  return { current_step: current, total_steps: total, steps };
}

describe('HC-5.4: the drift of a progress', () => {
  test('HC-5.4: commits are matched in order, step after step without a gap', () => {
    const steps = stepsOf('^one', '^two', '^three', '^four');
    const derive = (...subjects: string[]) =>
      deriveStep(progressAt(1, 4), steps, commits(...subjects), find).derivedStep;
    expect(derive('one', 'two', 'other', 'three')).toBe(3);
    expect(derive('one', 'three')).toBe(1);
    expect(derive('one', 'three', 'two')).toBe(2);
    expect(derive()).toBe(1);
    expect(derive('one', 'two', 'three', 'four')).toBe(4);
  });

  test('HC-5.4: recorded commits are not counted twice, so steps with the same pattern do not run ahead', () => {
    const steps = stepsOf('^feat', '^feat', '^feat');
    const log = commits('feat: a', 'feat: b');
    const recorded = progressAt(2, 3, (step) => log[step - 1]?.sha.slice(0, 7) ?? null);
    expect(deriveStep(recorded, steps, log, find).derivedStep).toBe(2);
    expect(deriveStep(progressAt(2, 3), steps, log, find).derivedStep).toBe(2);
    expect(deriveStep(progressAt(1, 3), steps, log, find).derivedStep).toBe(2);
    const elsewhere = progressAt(1, 3, () => 'f'.repeat(40));
    expect(deriveStep(elsewhere, steps, log, find).derivedStep).toBe(2);
  });

  test('HC-5.4: a pattern that devflow cannot match ends the search', () => {
    const unchecked = (pattern: string, texts: readonly string[], from: number) =>
      pattern === '^slow' ? ('unchecked' as const) : find(pattern, texts, from);
    const derived = deriveStep(
      progressAt(0, 3),
      stepsOf('^one', '^slow', '^three'),
      commits('one', 'three'),
      unchecked,
    );
    expect(derived).toMatchObject({
      derivedStep: 1,
      unchecked: 'devflow cannot match the pattern of step 2 (lookaround, a backreference, or too large)',
    });
  });

  test('HC-5.4: the step never exceeds total_steps', () => {
    expect(deriveStep(progressAt(1, 1), stepsOf('^one', '^two'), commits('one', 'two'), find).derivedStep).toBe(1);
  });

  test('HC-5.4: the new text goes forward with commit, time and note, and keeps the rest', () => {
    const text = givenProgress({ extra: [1], current_step: 1 });
    const progress = checkProgress(file(text), 'p').parsed ?? {};
    const derived = deriveStep(progress, stepsOf('^one', '^two'), commits('one', 'two'), find);
    const after = JSON.parse(reconciledText(progress, derived, AT + 1000));
    expect(after).toEqual({
      ...JSON.parse(text),
      current_step: 2,
      updated_at: '2026-01-22T11:30:01.000Z',
      steps: {
        ...JSON.parse(text).steps,
        2: {
          status: 'completed',
          attempts: 1,
          error: null,
          completed_at: '2026-01-22T11:30:00.000Z',
          commit: 'b'.repeat(40),
          manifest_audit: 'n/a',
          note: 'reconciled from git',
        },
      },
    });
    expect(checkProgress(file(JSON.stringify(after)), 'p').valid).toBe(true);
  });

  test('HC-5.4: the report is always valid', () => {
    const rest = { written: false, sessionState: 'absent' as const };
    const found = driftReport(
      { subject: 'p', path: 'p' },
      { currentStep: 1, derivedStep: 2, unchecked: undefined },
      rest,
    );
    expect([found.valid, warningsOf(found), found.parsed?.drift]).toEqual([true, ['PROGRESS_DRIFT'], true]);
    const unchecked = driftReport(
      { subject: 'p', path: 'p' },
      { currentStep: null, unchecked: 'there is no git' },
      rest,
    );
    expect([unchecked.valid, warningsOf(unchecked), unchecked.parsed?.drift]).toEqual([
      true,
      ['PROGRESS_DRIFT_UNCHECKED'],
      false,
    ]);
  });
});
