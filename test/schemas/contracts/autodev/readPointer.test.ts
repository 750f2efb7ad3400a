import { describe, expect, it, test } from 'vitest';
import { showPointer } from '../../../../schemas/contracts/autodev/autodevPart.ts';
import { FIELDS } from '../../../../schemas/contracts/autodev/parsePointer.ts';
import { POINTER_FILE } from '../../../../schemas/contracts/autodev/pointer.ts';
import { renderPointer } from '../../../../schemas/contracts/autodev/renderPointer.ts';
import { changed, codesOf, givenPointer, givenTree, notStarted, show } from './given.ts';

const EXAMPLES = [
  `flow: greenfield
step: 3
name: Plan
status: in_progress
sub_step:
phase: 4
name: architecture-review-risk-assessment
detail: ""
retry_count: 0
cycle: 1`,
  `flow: existing-code
step: 3
name: Test Spec
status: failed
sub_step:
phase: 1
name: test-case-generation
detail: "variant 1b"
retry_count: 3
cycle: 1`,
  `flow: meta-repo
step: 2
name: Config Review
status: in_progress
sub_step:
phase: 0
name: awaiting-human-review
detail: "awaiting review of _docs/_repo-config.yaml"
retry_count: 0
cycle: 1`,
  `flow: existing-code
step: 10
name: Implement
status: in_progress
sub_step:
phase: 7
name: batch-loop
detail: "batch 2 of ~4"
retry_count: 0
cycle: 3`,
];
/** As upstream writes it. */
function indented(example: string): string {
  return example.replace(/sub_step:\n(.*)\n(.*)\n(.*)/, 'sub_step:\n  $1\n  $2\n  $3');
}

describe('AD-1: the four examples are valid', () => {
  it.each(EXAMPLES)('as they stand: %#', (example) => {
    for (const text of [example, `\`\`\`\n${example}\n\`\`\`\n`, `# Autodev State\n## Current Step\n${example}\n`]) {
      expect(show(text)).toMatchObject({ valid: true, errors: [], warnings: [{ code: 'AUTODEV_FLAT_SUBSTEP' }] });
    }
  });
  it.each(EXAMPLES)('indented: %#', (example) => {
    expect(show(indented(example))).toMatchObject({ valid: true, errors: [], warnings: [] });
  });
});

test('AD-1: an example is read field by field', () => {
  expect(show(EXAMPLES[3] as string).parsed?.pointer).toEqual({
    flow: 'existing-code',
    step: 10,
    name: 'Implement',
    status: 'in_progress',
    sub_step: { phase: 7, name: 'batch-loop', detail: 'batch 2 of ~4' },
    retry_count: 0,
    cycle: 3,
  });
});

test('AD-2: a pointer is written as in the template', () => {
  const pointer = givenPointer({ sub_step: { phase: 2, name: 'auto-fix-gate', detail: 'batch: 2' } });
  expect(renderPointer(pointer)).toBe(`# Autodev State
## Current Step
flow: greenfield
step: 3
name: Plan
status: in_progress
sub_step:
  phase: 2
  name: auto-fix-gate
  detail: "batch: 2"
retry_count: 0
cycle: 1
`);
});

describe('AD-2: a missing field', () => {
  it.each(FIELDS)('%s is named', (field) => {
    const without = changed(field === 'sub_step' ? /sub_step:\n.*\n.*\n.*\n/ : new RegExp(`^${field}:.*\n`, 'm'), '');
    expect(show(without)).toMatchObject({ valid: false, errors: [{ code: 'AUTODEV_MISSING_FIELD', field }] });
  });
  it('may have its name without a value', () => {
    expect(show(changed('flow: greenfield', 'flow:')).errors).toMatchObject([
      { code: 'AUTODEV_MISSING_FIELD', field: 'flow', line: 3 },
    ]);
  });
});

test('AD-2: fences, blank lines, comments and further sections do not matter', () => {
  const block = renderPointer(givenPointer()).split('\n').slice(2);
  const { pointer } = show(renderPointer(givenPointer())).parsed ?? {};
  for (const text of [
    `# Autodev State\n\n## Current Step\n\n\`\`\`yaml\n${block.join('\n')}\`\`\`\n\n## Notes\n\nstep: 7\n`,
    `\uFEFF# Autodev State\r\n\r\n## Current Step\r\n${block.join('\r\n')}\r\nPlain words.\r\nstep: 7, perhaps\r\n`,
    `\`\`\`markdown\n${renderPointer(givenPointer())}\`\`\`\nstep: 7\n`,
    `## Current Step\nThis is where we are.\n${block.join('\n\n')}`,
    `## Current Step\n~~~\n# a comment\n${block.join('\n')}~~~\n# Other\nflow: x\n`,
    `## Current Step\n  ${block.join('\n  ')}`,
    changed('step: 3', 'step: 3   # Plan'),
    changed('flow: greenfield', 'flow: "greenfield"  # new'),
    changed(/sub_step:\n.*\n.*\n.*/, 'sub_step: {phase: 4, name: architecture-review, detail: ""}'),
    changed('cycle: 1', 'cycle: 1\nlater_field: x'),
  ]) {
    expect([text, show(text)]).toMatchObject([text, { errors: [], warnings: [], parsed: { pointer } }]);
  }
});

test('AD-3: without a file the verdict is that there is no pointer', () => {
  expect(showPointer(givenTree({}))).toMatchObject({
    valid: false,
    errors: [{ code: 'AUTODEV_NOT_FOUND', path: POINTER_FILE, line: null }],
    parsed: null,
  });
});

test('AD-4: a sub-step whose fields are not indented warns with its line', () => {
  const flat = `# Autodev State\n## Current Step\n${EXAMPLES[0]}\n`;
  expect(show(flat).warnings).toMatchObject([{ code: 'AUTODEV_FLAT_SUBSTEP', field: 'sub_step', line: 7 }]);
  // The name after an indented sub-step is that of the step.
  const late = changed('name: Plan\n', '').replace('cycle:', 'name: Plan\ncycle:').replace('  name: a', '  other: a');
  expect(show(late)).toMatchObject({
    errors: [{ code: 'AUTODEV_SUBSTEP_INVALID', field: 'sub_step.name' }],
    parsed: { pointer: { name: 'Plan' } },
  });
});

test('AD-5: a flow that is not known', () => {
  expect(show(changed('flow: greenfield', 'flow: brownfield'))).toMatchObject({
    valid: false,
    errors: [{ code: 'AUTODEV_INVALID_FLOW', line: 3, field: 'flow' }],
    parsed: { pointer: { flow: 'brownfield' }, summary: [] },
  });
  expect(codesOf(changed('flow: greenfield', 'flow: __proto__'))).toEqual(['AUTODEV_INVALID_FLOW']);
});

describe('AD-6: a step', () => {
  it.each(['0', '12', '16.5', '3.0', '-1', '03', '"3"', 'three', '1e1', '99999999999999999999'])(
    '%s is none of greenfield',
    (step) => {
      expect(codesOf(changed('step: 3', `step: ${step}`))).toEqual(['AUTODEV_INVALID_STEP']);
    },
  );
  it.each([
    ['existing-code', 17, 'Retrospective', []],
    ['meta-repo', 6, 'Loop', []],
    ['greenfield', 11, 'Retrospective', []],
    ['existing-code', 18, 'Retrospective', ['AUTODEV_INVALID_STEP']],
    ['meta-repo', 7, 'Loop', ['AUTODEV_INVALID_STEP']],
    ['greenfield', 3, 'plan', ['AUTODEV_NAME_MISMATCH']],
    ['greenfield', 3, 'Decompose', ['AUTODEV_NAME_MISMATCH']],
    ['greenfield', 'done', 'Done', []],
    ['greenfield', 'done', 'Retrospective', ['AUTODEV_NAME_MISMATCH']],
    ['existing-code', 'done', 'Done', ['AUTODEV_DONE_LOOPS']],
    ['meta-repo', 'done', 'Done', ['AUTODEV_DONE_LOOPS']],
  ] as const)('of %s may be %s with the name %s: %j', (flow, step, name, codes) => {
    expect(codesOf(renderPointer(givenPointer({ flow, step, name })))).toEqual(codes);
  });
  it('is done, also in quotes', () => {
    const done = renderPointer(givenPointer({ step: 'done', name: 'Done', status: 'completed' }));
    expect(codesOf(done.replace('step: done', 'step: "done"'))).toEqual([]);
  });
});

test('AD-7: a status that is not known', () => {
  expect(codesOf(changed('status: in_progress', 'status: running'))).toEqual(['AUTODEV_INVALID_STATUS']);
  for (const status of ['not_started', 'completed', 'skipped', 'failed'] as const) {
    const sub_step = { phase: 0, name: 'awaiting-invocation', detail: '' };
    expect(codesOf(renderPointer(givenPointer({ status, sub_step })))).toEqual([]);
  }
});

describe('AD-8: a sub-step', () => {
  it.each([
    ['sub_step: 4 — Architecture Review', 'sub_step'],
    ['sub_step:', 'sub_step'],
    ['sub_step: {}', 'sub_step'],
    ['sub_step: {phase: 4, name: ', 'sub_step'],
    [`sub_step: ${'{a: '.repeat(4000)}`, 'sub_step'],
    ['sub_step:\n  phase: -1\n  name: a', 'sub_step.phase'],
    ['sub_step:\n  name: a', 'sub_step.phase'],
    ['sub_step:\n  phase: 1', 'sub_step.name'],
    ['sub_step:\n  phase: 1\n  name: Batch Loop', 'sub_step.name'],
    ['sub_step:\n  phase: 1\n  name: batch_loop', 'sub_step.name'],
    ['sub_step:\n  phase: 1\n  name: -a', 'sub_step.name'],
    ['sub_step:\n  phase: 1\n  name: a--b', 'sub_step.name'],
  ])('%j is not structured', (text, field) => {
    expect(show(changed(/sub_step:\n.*\n.*\n.*/, text)).errors).toMatchObject([
      { code: 'AUTODEV_SUBSTEP_INVALID', field },
    ]);
  });
  it.each([
    ['  detail: ""   # none', ''],
    ['  detail:', ''],
    ['  detail: null', ''],
    ['  other: x', ''],
    ['  detail: issue #7: it is open', 'issue #7: it is open'],
    ["  detail: 'it''s'", "it's"],
  ])('may have the detail %j', (line, detail) => {
    expect(show(changed(/^ {2}detail: .*$/m, line))).toMatchObject({
      errors: [],
      parsed: { pointer: { sub_step: { detail } } },
    });
  });
});

test('AD-9: no fraction of a phase is accepted', () => {
  for (const phase of ['4.5', '4.0', '1.5']) {
    expect(codesOf(changed('phase: 4', `phase: ${phase}`))).toEqual(['AUTODEV_SUBSTEP_INVALID']);
    const inline = `sub_step: {phase: ${phase}, name: a}`;
    expect(codesOf(changed(/sub_step:\n.*\n.*\n.*/, inline))).toEqual(['AUTODEV_SUBSTEP_INVALID']);
  }
});

test('AD-10: awaiting-invocation belongs to phase 0, and phase 0 may have another name', () => {
  expect(codesOf(changed('name: architecture-review', 'name: awaiting-invocation'))).toEqual([
    'AUTODEV_SUBSTEP_RESERVED',
  ]);
  const waiting = givenPointer({ sub_step: { phase: 0, name: 'awaiting-human-review', detail: '' } });
  expect(codesOf(renderPointer(waiting))).toEqual([]);
});

test('AD-10: a step that has not begun has no other sub-step', () => {
  expect(codesOf(renderPointer(notStarted('greenfield', 3, 'Plan')))).toEqual([]);
  expect(show(renderPointer(givenPointer({ status: 'not_started' })))).toMatchObject({
    valid: true,
    warnings: [{ code: 'AUTODEV_SUBSTEP_STALE' }],
  });
});

test('AD-11: retry_count is a whole number from 0 to 3', () => {
  for (const retries of ['4', '-1', '1.5', 'two', '"1"']) {
    expect(codesOf(changed('retry_count: 0', `retry_count: ${retries}`))).toEqual(['AUTODEV_RETRY_RANGE']);
  }
  for (const retry_count of [0, 1, 2]) expect(codesOf(renderPointer(givenPointer({ retry_count })))).toEqual([]);
});

test('AD-12: three failed retries mean failed; failed may have fewer', () => {
  for (const status of ['not_started', 'in_progress', 'completed', 'skipped'] as const) {
    const codes = codesOf(renderPointer(givenPointer({ retry_count: 3, status })));
    expect(codes).toContain('AUTODEV_RETRY_STATUS');
  }
  for (const retry_count of [0, 1, 2, 3]) {
    expect(codesOf(renderPointer(givenPointer({ retry_count, status: 'failed' })))).toEqual([]);
  }
});

test('AD-13: cycle is at least 1, and 1 for a flow that counts none', () => {
  for (const cycle of ['0', '-1', '1.5', 'two']) {
    expect(codesOf(changed('cycle: 1', `cycle: ${cycle}`))).toEqual(['AUTODEV_CYCLE']);
  }
  expect(codesOf(renderPointer(givenPointer({ cycle: 2 })))).toEqual(['AUTODEV_CYCLE']);
  expect(codesOf(renderPointer(notStarted('meta-repo', 3, 'Status', 2)))).toEqual(['AUTODEV_CYCLE']);
  expect(codesOf(renderPointer(notStarted('existing-code', 9, 'New Task', 7)))).toEqual([]);
});
