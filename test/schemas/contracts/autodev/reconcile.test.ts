import { describe, expect, it, test } from 'vitest';
import { showPointer } from '../../../../schemas/contracts/autodev/autodevPart.ts';
import { awaitingInvocation, POINTER_FILE, type Pointer } from '../../../../schemas/contracts/autodev/pointer.ts';
import { reconcile } from '../../../../schemas/contracts/autodev/reconcile.ts';
import { renderPointer } from '../../../../schemas/contracts/autodev/renderPointer.ts';
import { summarize } from '../../../../schemas/contracts/autodev/summary.ts';
import { files, givenPointer, givenTree, givenWorkspace, notStarted, PROBLEM } from './given.ts';

/** Greenfield at step 3: there is a solution and no architecture. */
const AT_PLAN = { ...PROBLEM, ...files('_docs/01_solution/solution.md') };
const AT_TASKS = { ...AT_PLAN, ...files('_docs/02_document/architecture.md') };

function reconciled(given: Record<string, string>, pointer?: Pointer | string, source: string | null = null) {
  return reconcile(givenWorkspace(given, { pointer, source }));
}

describe('AD-20: the list of steps', () => {
  const states = (changes: Partial<Pointer>) => summarize(givenPointer(changes)).map(({ state }) => state);
  it('has all steps of the flow', () => {
    expect(summarize(givenPointer()).slice(0, 4)).toEqual([
      { step: 1, name: 'Problem', state: 'DONE' },
      { step: 2, name: 'Research', state: 'DONE' },
      { step: 3, name: 'Plan', state: 'IN PROGRESS (4 architecture-review)' },
      { step: 4, name: 'UI Design', state: 'NOT STARTED' },
    ]);
    expect(summarize(givenPointer({ flow: 'existing-code', name: 'Test Spec' }))).toHaveLength(17);
    expect(summarize(givenPointer({ flow: 'meta-repo', name: 'Status' }))).toHaveLength(6);
  });
  it.each([
    [{ status: 'not_started' }, 'NOT STARTED'],
    [{ status: 'completed' }, 'DONE'],
    [{ status: 'skipped' }, 'SKIPPED'],
    [{ status: 'failed', retry_count: 2 }, 'FAILED (retry 2/3)'],
  ] as [Partial<Pointer>, string][])('says of %j: %s', (changes, state) => {
    expect(states(changes)[2]).toBe(state);
  });
  it('is all done at the end, and empty for a step that is none', () => {
    expect(new Set(states({ step: 'done', name: 'Done' }))).toEqual(new Set(['DONE']));
    expect(states({ step: 12 })).toEqual([]);
    expect(summarize(null)).toEqual([]);
  });
});

describe('AD-21: a pointer that the folders do not contradict drives', () => {
  it.each([
    [givenPointer(), AT_PLAN],
    [givenPointer({ step: 4, name: 'UI Design' }), AT_TASKS],
    [givenPointer({ step: 2, name: 'Research' }), { ...PROBLEM, ...files('_docs/01_solution/solution_draft1.md') }],
    [
      givenPointer({ step: 11, name: 'Retrospective' }),
      { ...AT_TASKS, ...files('_docs/02_tasks/done/1.md', '_docs/03_implementation/implementation_report_a.md') },
    ],
  ])('%#', (pointer, given) => {
    expect(reconciled(given, pointer)).toMatchObject({
      valid: true,
      warnings: [],
      parsed: { source: 'state-file', reason: null, before: pointer, pointer, written: false },
    });
  });
  it('even if another flow would be chosen without it', () => {
    const pointer = notStarted('existing-code', 1, 'Document');
    const { parsed } = reconciled(PROBLEM, pointer);
    expect(parsed).toMatchObject({ source: 'state-file', pointer });
    expect(parsed.detected).toMatchObject({ flow: 'existing-code', flowRule: 'pointer' });
  });
  it('with its own cycle, not that of the newest report', () => {
    const given = files(
      ...['_docs/02_document/architecture.md', '_docs/02_document/architecture_compliance_baseline.md'],
      ...['_docs/02_document/tests/a.md', '_docs/02_tasks/done/1.md'],
      ...['implementation_report_tests.md', 'implementation_report_a_cycle1.md'].map(
        (n) => `_docs/03_implementation/${n}`,
      ),
    );
    const pointer = notStarted('existing-code', 9, 'New Task', 2);
    expect(reconciled(given, pointer).parsed).toMatchObject({ source: 'state-file', detected: { cycle: 2 } });
    expect(reconciled(given, { ...pointer, cycle: 1 }).parsed).toMatchObject({
      reason: 'folder',
      pointer: { step: 11, cycle: 1 },
    });
  });
});

describe('AD-31: after greenfield is done, the repository goes on with existing code', () => {
  const done = givenPointer({ step: 'done', name: 'Done', status: 'completed' });
  const implemented = files('_docs/02_tasks/done/1.md', '_docs/03_implementation/implementation_report_a_cycle4.md');
  it('at the step that the folders say, in its first cycle', () => {
    const { warnings, parsed } = reconciled({ ...AT_TASKS, ...implemented }, done, 'src/a.ts');
    expect(warnings).toEqual([]);
    expect(parsed).toMatchObject({
      source: 'folder-scan',
      reason: 'flow',
      before: done,
      detected: { rule: 'no-baseline' },
    });
    expect(parsed.pointer).toEqual(notStarted('existing-code', 2, 'Architecture Baseline Scan'));
  });
  it('but not before the folders agree', () => {
    const { warnings, parsed } = reconciled(AT_TASKS, done);
    expect(parsed).toMatchObject({ reason: 'folder', pointer: { flow: 'greenfield', step: 5 } });
    expect(warnings.map(({ code }) => code)).toEqual(['AUTODEV_DISAGREES']);
  });
});

describe('AD-22: what the folders say against a pointer', () => {
  const shown = (given: Record<string, string>, pointer: Pointer) =>
    showPointer(givenTree({ ...given, [POINTER_FILE]: renderPointer(pointer) }));
  it('is said by show and check as well', () => {
    const before = givenPointer({ step: 6, name: 'Implement' });
    const { valid, warnings } = shown(AT_PLAN, before);
    expect(valid).toBe(true);
    expect(warnings).toEqual(reconciled(AT_PLAN, before).warnings);
    expect(warnings).toMatchObject([{ code: 'AUTODEV_DISAGREES' }]);
  });
  it('is nothing if they agree', () => {
    expect(shown(AT_PLAN, givenPointer()).warnings).toEqual([]);
  });
});

describe('AD-22: otherwise the folders are trusted', () => {
  it('without a pointer', () => {
    const report = reconciled(AT_PLAN);
    expect(report).toMatchObject({ valid: true, errors: [], warnings: [] });
    expect(report.parsed).toMatchObject({
      source: 'folder-scan',
      reason: 'missing',
      before: null,
      pointer: notStarted('greenfield', 3, 'Plan'),
      written: false,
    });
  });
  it('if the pointer is outside of the interval', () => {
    const before = givenPointer({ step: 6, name: 'Implement', retry_count: 2 });
    const { warnings, parsed } = reconciled(AT_PLAN, before);
    expect(parsed).toMatchObject({ source: 'folder-scan', reason: 'folder', before });
    expect(parsed.pointer).toEqual(notStarted('greenfield', 3, 'Plan'));
    expect(warnings).toMatchObject([{ code: 'AUTODEV_DISAGREES', path: POINTER_FILE }]);
    for (const said of ['step 6 (Implement)', 'step 3 (Plan)']) expect(warnings[0]?.message).toContain(said);
  });
  it('and a gate leaves its step completed', () => {
    const given = { ...PROBLEM, ...files('_docs/01_solution/solution_draft1.md') };
    expect(reconciled(given).parsed.pointer).toEqual({
      ...notStarted('greenfield', 2, 'Research'),
      status: 'completed',
    });
  });
  it('and a configuration of repositories that appeared moves the flow', () => {
    const given = { ...AT_PLAN, '_docs/_repo-config.yaml': 'confirmed_by_user: false\n' };
    const before = notStarted('existing-code', 9, 'New Task', 4);
    const { warnings, parsed } = reconciled(given, before);
    expect(parsed).toMatchObject({ source: 'folder-scan', reason: 'flow', before });
    expect(parsed.pointer).toEqual(notStarted('meta-repo', 2, 'Config Review'));
    expect(warnings.map(({ code }) => code)).toEqual(['AUTODEV_DISAGREES']);
  });
  it('but not submodules: the flow of a pointer stays', () => {
    const given = { ...AT_PLAN, '.gitmodules': 'path = a\npath = b\n' };
    expect(reconciled(given, givenPointer()).parsed.source).toBe('state-file');
    expect(reconciled(given).parsed.pointer.flow).toBe('meta-repo');
  });
});

describe('AD-15: a pointer that cannot be read', () => {
  it.each([
    ['prose', 'Step 3, phase 4 of the plan.\n', 'AUTODEV_PARSE_ERROR'],
    ['torn', renderPointer(givenPointer()).slice(0, 60), 'AUTODEV_MISSING_FIELD'],
    [
      'of the predecessor',
      renderPointer(givenPointer()).replace(/sub_step:\n.*\n.*\n.*/, 'sub_step: 4 — Architecture Review'),
      'AUTODEV_SUBSTEP_INVALID',
    ],
    ['empty', '', 'AUTODEV_PARSE_ERROR'],
  ])('%s: the folders give the step, and no phase is guessed', (_, text, code) => {
    const { valid, errors, warnings, parsed } = reconciled(AT_PLAN, text);
    expect({ valid, errors }).toEqual({ valid: true, errors: [] });
    expect(warnings.map((each) => each.code)).toContain(code);
    expect(parsed).toMatchObject({ source: 'folder-scan', reason: 'unreadable' });
    expect(parsed.pointer).toEqual(notStarted('greenfield', 3, 'Plan'));
    expect(parsed.pointer.sub_step).toEqual(awaitingInvocation());
  });
});

test('AD-23: a step that failed is retried, up to three times', () => {
  const failed = (retry_count: number) => reconciled(AT_PLAN, givenPointer({ status: 'failed', retry_count })).parsed;
  for (const retries of [0, 1, 2]) expect(failed(retries)).toMatchObject({ autoRetry: true, needsUser: false });
  expect(failed(3)).toMatchObject({ source: 'state-file', autoRetry: false, needsUser: true });
  expect(reconciled(AT_PLAN, givenPointer()).parsed).toMatchObject({ autoRetry: false, needsUser: false });
});

describe('AD-33: a skill with a state file of its own', () => {
  const path = '_docs/02_document/state.json';
  const pointer: Pointer = {
    ...notStarted('existing-code', 1, 'Document'),
    status: 'in_progress',
    sub_step: { phase: 3, name: 'module-analysis', detail: '' },
  };
  const both = (text: string, given: Pointer = pointer) => {
    const tree = givenTree({ [path]: text, [POINTER_FILE]: renderPointer(given) });
    const { warnings, parsed, valid } = showPointer(tree);
    const again = reconcile({ tree, source: null });
    expect(again.warnings).toEqual(warnings);
    expect(again.parsed.internal).toEqual(parsed?.internal);
    expect({ valid, source: again.parsed.source }).toEqual({ valid: true, source: 'state-file' });
    return { codes: warnings.map(({ code }) => code), internal: parsed?.internal };
  };
  it('agrees by name', () => {
    expect(both('{"current_step":"module-analysis"}')).toEqual({
      codes: [],
      internal: { path, name: 'module-analysis', agrees: true },
    });
  });
  it('is elsewhere', () => {
    expect(both('{"current_step":"discovery"}')).toEqual({
      codes: ['AUTODEV_INTERNAL_STATE_DISAGREES'],
      internal: { path, name: 'discovery', agrees: false },
    });
  });
  it.each(['{', '[]', 'null', '{"current_step":3}', '{}', '{"__proto__":{"current_step":"module-analysis"}}'])(
    'cannot be read: %s',
    (text) => {
      expect(both(text)).toEqual({
        codes: ['AUTODEV_INTERNAL_STATE_UNREADABLE'],
        internal: { path, name: null, agrees: false },
      });
    },
  );
  it('is compared only while its step is in progress', () => {
    expect(both('{', { ...pointer, status: 'failed' })).toEqual({ codes: [], internal: null });
    expect(showPointer(givenTree({ [POINTER_FILE]: renderPointer(pointer) })).parsed?.internal).toBeNull();
  });
});
