import { describe, expect, test } from 'vitest';
import { findingsOf, judge } from '../../../../daemon/core/iterate/judge.ts';
import type { Artifact, Assignment, Run } from '../../../../daemon/core/run/state.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { newRun, type Shape, second } from '../support/run.ts';

const ITERATION = { nth: 1, extension: null, startedAt: second(10), endedAt: null, isResolved: null, issues: [] };

/** The phase ended in the first iteration with an artifact of its schema. */
function written(shape: Shape, key: string, data: unknown, createdAt = second(10)): Run {
  const { run } = newRun(shape);
  const { schema } = run.template.phases.find((phase) => phase.key === key)?.expectedArtifact ?? {};
  const assignments = [{ artifact: { schema, data, createdAt } as Artifact } as Assignment];
  const phases = run.phases.map((phase) =>
    phase.key === key ? { ...phase, state: 'completed' as const, assignments } : phase,
  );
  return { ...run, phases, iterations: [ITERATION] };
}

const reviewed = (data: unknown) => written({ template: 'pipeline' }, 'review', data);
const tested = (data: unknown, createdAt?: string) => written({ template: 'cycle' }, 'test', data, createdAt);
const finding = (severity: string, id: string, text = `about ${id}`) => ({ severity, id, text });
const names = (count: number) => Array.from({ length: count }, (_, nth) => `test ${nth}`);

describe('a review', () => {
  test('that allows the change has no open points, though it found something small', () => {
    const run = reviewed({ frontmatter: { verdict: 'SHIP' }, findings: [finding('MINOR', 'F-1')] });
    expect(judge(run)).toEqual({ isResolved: true, issues: [] });
    expect(findingsOf(run, 'review')).toBe('(none)');
  });

  test('has open points where one of its findings blocks, whatever its verdict is', () => {
    const findings = [finding('MINOR', 'F-1'), finding('BLOCKER', 'F-2')];
    const run = reviewed({ frontmatter: { verdict: 'SHIP' }, findings });
    expect(judge(run)).toMatchObject({ isResolved: false });
    expect(findingsOf(run, 'review')).toContain('- BLOCKER F-2: about F-2');
  });

  test.each([{ findings: [] }, {}])('that blocks without findings says so: %j', (found) => {
    const run = reviewed({ frontmatter: { verdict: 'BLOCK' }, ...found });
    expect(judge(run)).toEqual({ isResolved: false, issues: ['the verdict is BLOCK'] });
    expect(findingsOf(run, 'review')).toBe('- the verdict is BLOCK');
  });

  test('is found behind commands that are repeated with it', () => {
    const phases = [
      { key: 'check', title: 'Check', kind: 'command', risk: 'low', commands: [{ kind: 'test', argv: ['make'] }] },
      {
        key: 'review',
        title: 'Review',
        risk: 'low',
        roles: ['reader'],
        expectedArtifact: { path: 'review.json', schema: 'handover/review@1' },
        instructions: 'Review it.',
      },
    ];
    const template = Template.parse({
      name: 'checked',
      version: 1,
      roles: [{ id: 'reader', requiredCapabilities: ['code_edit'], count: 1 }],
      phases,
      iterate: { phases: ['check', 'review'], max: 2, until: 'review-allows' },
    });
    const run = written({ template }, 'review', { frontmatter: { verdict: 'BLOCK' } });
    expect(judge(run)?.issues).toEqual(['the verdict is BLOCK']);
  });
});

describe('the result of tests', () => {
  test('names 100 failed tests at most', () => {
    const run = tested({ failed_tests: names(101) });
    expect(judge(run)).toEqual({ isResolved: false, issues: names(100) });
    expect(findingsOf(run, 'test').split('\n')).toEqual(names(100).map((name) => `- ${name}`));
  });

  test('without a list of failed tests is resolved', () => {
    expect(judge(tested({}))).toEqual({ isResolved: true, issues: [] });
  });

  test.each([
    ['a text on one line', ' adds\n\n  numbers ', 'adds numbers'],
    ['a fact as JSON', { name: 'adds' }, '{"name":"adds"}'],
    ['a long text cut', 'a'.repeat(301), `${'a'.repeat(299)}…`],
  ])('shows %s', (_, failed, shown) => {
    expect(judge(tested({ failed_tests: [failed] }))?.issues).toEqual([shown]);
  });
});

describe('nothing is judged', () => {
  const run = tested({ failed_tests: [] });
  const changed = (over: object): Run => ({
    ...run,
    phases: run.phases.map((phase) => (phase.key === 'test' ? { ...phase, ...over } : phase)),
  });

  test.each<[string, Run]>([
    ['in a run that repeats nothing', newRun().run],
    ['before the first iteration', { ...run, iterations: [] }],
    ['while the phase goes on', changed({ state: 'validating' })],
    ['without an artifact', changed({ assignments: [] })],
    ['by an artifact of an earlier iteration', tested({ failed_tests: [] }, second(9))],
  ])('%s', (_, given) => {
    expect(judge(given)).toBeUndefined();
  });

  test('but an artifact of the second in which the iteration began', () => {
    expect(judge(run)).toEqual({ isResolved: true, issues: [] });
  });
});

test('a phase that the run does not have found nothing', () => {
  expect(findingsOf(tested({ failed_tests: ['adds'] }), 'audit')).toBe('(none)');
});
