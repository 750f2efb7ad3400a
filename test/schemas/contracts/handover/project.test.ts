import { describe, expect, test } from 'vitest';
import { checkProject } from '../../../../schemas/contracts/handover/checkProject.ts';
import { HANDOVER_KINDS } from '../../../../schemas/contracts/handover/document/contract.ts';
import { handoverPart } from '../../../../schemas/contracts/handover/handoverPart.ts';
import {
  errorsOf,
  givenBrief,
  givenPlan,
  givenProgress,
  givenPrompt,
  givenResearch,
  givenReview,
  givenState,
  givenStep,
  IDS,
  PROJECT,
  tree,
  warningsOf,
} from './given.ts';

const WHOLE = {
  'brief.md': givenBrief(),
  'research/01-a.md': givenResearch(),
  'research/02-b.md': givenResearch(),
  'architecture/overview.md': '# X',
  'plan.md': givenPlan([givenStep(1), givenStep(2)], { source_findings: [IDS[0], IDS[1]] }),
  'progress.json': givenProgress(),
  'review.md': givenReview(),
  '.session-state.local.json': givenState(),
  'NEXT-SESSION-PROMPT.local.md': givenPrompt(),
};
const project = (files: Record<string, string>) =>
  tree(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${PROJECT}/${name}`, text])));
const check = (files: Record<string, string>, mode?: 'strict' | 'soft') =>
  checkProject(project(files), PROJECT, { mode });

describe('HC-0.7: a whole project', () => {
  test('HC-0.7: a whole project is valid without a warning, and every part is present', () => {
    for (const mode of ['strict', 'soft'] as const) {
      const report = check(WHOLE, mode);
      expect([report.valid, errorsOf(report), warningsOf(report)]).toEqual([true, [], []]);
      expect(Object.keys(report.parsed?.handovers ?? {})).toEqual([...HANDOVER_KINDS]);
      expect(Object.values(report.parsed?.handovers ?? {}).every(({ present }) => present)).toBe(true);
    }
  });

  test('HC-0.7: only the brief is required', () => {
    const one = check({ 'brief.md': givenBrief({ research_topics: 0 }) });
    expect([one.valid, warningsOf(one)]).toEqual([true, []]);
    expect(one.parsed?.handovers.plan).toEqual({ present: false, valid: true, errors: [], warnings: [] });
    const none = check({ 'plan.md': givenPlan() });
    expect([none.valid, errorsOf(none)]).toEqual([false, ['BRIEF_NOT_FOUND']]);
    expect(none.parsed?.handovers.brief).toMatchObject({ present: false, valid: false });
  });

  test('HC-0.7: reading is soft for brief, research and review, and strict for the others', () => {
    const files = {
      ...WHOLE,
      'brief.md': givenBrief({ task: undefined }),
      'research/01-a.md': givenResearch({ question: undefined }),
      'review.md': givenReview({ task: undefined }),
    };
    expect([check(files).valid, check(files, 'strict').valid]).toEqual([true, false]);
    expect(errorsOf(check(files, 'strict')).sort()).toEqual([
      'BRIEF_MISSING_FIELD',
      'RESEARCH_MISSING_FIELD',
      'REVIEW_MISSING_FIELD',
    ]);
    expect(errorsOf(check({ ...WHOLE, 'plan.md': givenPlan([]) }))).toEqual(['PLAN_NO_STEPS']);
  });

  test.each([
    ['RESEARCH_TOPICS_UNCOVERED', { 'brief.md': givenBrief({ research_topics: 3 }) }],
    ['PROGRESS_PLAN_MISMATCH', { 'plan.md': givenPlan([givenStep(1)], { source_findings: [IDS[0], IDS[1]] }) }],
    [
      'PLAN_UNKNOWN_SOURCE_FINDING',
      { 'plan.md': givenPlan(undefined, { source_findings: [IDS[0], IDS[1], 'e'.repeat(40)] }) },
    ],
    ['REMEDIATION_UNCOVERED_FINDING', { 'plan.md': givenPlan(undefined, { source_findings: [IDS[0]] }) }],
  ])('HC-0.7: %s is a warning across the files', (code, files) => {
    const report = check({ ...WHOLE, ...files });
    expect([report.valid, warningsOf(report)]).toEqual([true, [code]]);
  });

  test('HC-0.7: research that goes on covers not all topics yet', () => {
    const brief = givenBrief({ research_topics: 3, research_status: 'in_progress' });
    expect(warningsOf(check({ ...WHOLE, 'brief.md': brief }))).toEqual([]);
  });
});

describe('HC-0.1: the projects of a repository', () => {
  test('HC-0.1: a repository shows its projects, and documents at older places', () => {
    const found = tree({
      [`${PROJECT}/brief.md`]: givenBrief(),
      '.claude/projects/loose/plan.md': givenPlan(),
      '.claude/projects/-home-me-src/session.jsonl': '',
      '.claude/plans/trekplan-2026-01-22-login.md': givenPlan(),
      '.claude/plans/.trekexecute-progress-login.json': '{}',
      '.claude/plans/notes.md': '',
      '.claude/research/trekresearch-2026-01-22-login.md': givenResearch(),
    });
    const detected = handoverPart.detect(found);
    expect(detected).toEqual([
      { contract: 'handover', path: PROJECT },
      { contract: 'handover', path: '.claude/projects/loose' },
      { contract: 'handover/plan@1', path: '.claude/plans/trekplan-2026-01-22-login.md' },
      { contract: 'handover/research@1', path: '.claude/research/trekresearch-2026-01-22-login.md' },
      { contract: 'handover/progress@1', path: '.claude/plans/.trekexecute-progress-login.json' },
    ]);
    expect(
      detected.flatMap(({ path }) => handoverPart.check(found, path)).map(({ contract, valid }) => [contract, valid]),
    ).toEqual([
      ['handover/brief@1', true],
      ['handover/research@1', true],
      ['handover/brief@1', false],
      ['handover/plan@1', true],
      ['handover/plan@1', true],
      ['handover/research@1', true],
      ['handover/progress@1', false],
    ]);
  });

  test('HC-0.1: a directory with the name of a project is one, even if it is empty', () => {
    const empty = tree({ [PROJECT]: { kind: 'dir' } });
    expect(handoverPart.detect(empty)).toEqual([{ contract: 'handover', path: PROJECT }]);
    expect(handoverPart.check(empty, PROJECT).flatMap(errorsOf)).toEqual(['BRIEF_NOT_FOUND']);
    expect(handoverPart.detect(tree({ [PROJECT]: { kind: 'link' } }))).toEqual([]);
    expect(handoverPart.detect(tree({ 'README.md': '' }))).toEqual([]);
  });

  test('HC-0.1: it reads the texts of handovers only', () => {
    const [projects] = handoverPart.wanted;
    const isRead = (path: string) => projects?.text?.(`${PROJECT}/${path}`);
    expect(Object.keys(WHOLE).map(isRead)).toEqual(Object.keys(WHOLE).map(() => true));
    expect(['notes.md', 'architecture/other.md', 'research/image.png', 'a/brief.md', 'x/y'].some(isRead)).toBe(false);
  });
});
