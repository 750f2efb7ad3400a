import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  changesOfInit,
  changesOfUpdate,
  healHistory,
  readPairs,
  requireWorkflowType,
} from '../../../../schemas/contracts/stateDirectory/updateWorkflow.ts';
import { validateState } from '../../../../schemas/contracts/stateDirectory/validate.ts';
import {
  parseWorkflow,
  renderWorkflow,
  workflowObject,
} from '../../../../schemas/contracts/stateDirectory/workflowFile.ts';
import { codes, givenState, NOW } from './given.ts';

const AT = '2026-06-09T12:30:00.123Z';

function read(text: string) {
  const found = parseWorkflow(text);
  if (!found.ok) throw new Error(found.message);
  return found.workflow;
}

/** The text after `state update`. */
function update(text: string, words: string[], newId = 'n1', now = NOW): string {
  const workflow = read(text);
  return renderWorkflow(workflow, changesOfUpdate(workflow.values, readPairs(words), { now, newId }));
}

const valuesOf = (text: string) => workflowObject(read(text));

test('SD-39: the first activation stamps the session', () => {
  expect(valuesOf(update('', ['active=true', 'workflow_type=dev']))).toEqual({
    active: true,
    workflow_type: 'dev',
    created_at: AT,
    workflow_id: 'n1',
    first_created_at: AT,
    original_workflow_id: 'n1',
    workflow_id_history: ['n1'],
  });
  expect(valuesOf(update('', ['phase=plan']))).toEqual({ phase: 'plan' });
});

test('SD-40: another type on an active workflow gets a new id, and the anchors stay', () => {
  const first = update('', ['active=true', 'workflow_type=dev']);
  const text = update(first, ['workflow_type=plan'], 'n2', NOW + 1000);
  expect(valuesOf(text)).toMatchObject({
    created_at: '2026-06-09T12:30:01.123Z',
    workflow_id: 'n2',
    first_created_at: AT,
    original_workflow_id: 'n1',
    workflow_id_history: ['n1', 'n2'],
  });
  expect(update(text, ['workflow_type=plan'], 'n3')).toBe(text);
  const paused = update(text, ['active=false']);
  expect(valuesOf(update(paused, ['workflow_type=dev'], 'n3'))).toMatchObject({ workflow_id: 'n2' });
});

describe('SD-41: the history', () => {
  it('heals itself, and twice changes nothing', () => {
    const id = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.constantFrom('a', 'b', 'x', 'y')), fc.jsonValue()),
        id,
        id,
        (history, original, current) => {
          const once = healHistory(history, original, current);
          expect(healHistory(once, original, current)).toEqual(once);
          if (original !== undefined) expect(once).toContain(original);
          if (current !== undefined) expect(once).toContain(current);
          if (Array.isArray(history)) expect(JSON.stringify(once)).toContain(JSON.stringify(history).slice(1, -1));
        },
      ),
    );
    expect(healHistory(['m', 'k'], 'o', 'c')).toEqual(['o', 'm', 'k', 'c']);
  });
  const ids = 'original_workflow_id: o\nworkflow_id: c\n';
  it.each([
    ['workflow_id_history: "[\\"o\\",\\"m\\",\\"c\\"]"\n'],
    [`workflow_id_history: '["o","m","c"]'\n`],
    ['workflow_id_history: [o, m, c]\n'],
    ['workflow_id_history:\n  - o\n  # between\n  - m\n  - c\n'],
    ['workflow_id_history:\n- o\n- m\n- c\n'],
    ['workflow_id_history: "[\\"m\\"]"\n'],
  ])('is read from %j and written as quoted JSON', (line) => {
    const text = update(ids + line, ['phase=x']);
    expect(text).toContain('workflow_id_history: "[\\"o\\",\\"m\\",\\"c\\"]"\n');
    expect(update(text, ['phase=x'])).toBe(text);
  });
});

test.each(['first_created_at', 'original_workflow_id', 'workflow_id_history'])(
  'SD-42: %s is not set by hand',
  (key) => {
    expect(() => update('', [`${key}=x`])).toThrow(
      expect.objectContaining({ code: 'state_anchor_immutable', exitCode: 5 }),
    );
  },
);

describe('SD-43: key=value', () => {
  it('is typed', () => {
    const pairs = readPairs([
      'a=true',
      'b=false',
      'c=null',
      'd=12',
      'e=-3',
      'f=1.5',
      'g=a=b=c',
      'h=',
      'i=007',
      'j=99999999999999999999',
    ]);
    expect([...pairs.values()]).toEqual([true, false, null, 12, -3, '1.5', 'a=b=c', '', '007', '99999999999999999999']);
  });
  it.each(['x', '=x', '', 'a b=c', 'a\nb=c', '__proto__=x'])('%j is no pair', (word) => {
    expect(() => readPairs(['a=1', word])).toThrow(expect.objectContaining({ code: 'usage' }));
  });
  it('keeps every text, and every kind', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.integer(), fc.constant(null)), (value) => {
        // A text that is itself JSON of a list or an object is read as that, as upstream does.
        fc.pre(typeof value !== 'string' || !/^[[{]/.test(value));
        const text = renderWorkflow({ fields: [] }, new Map([['task', value]]));
        expect(text.split('\n')).toHaveLength(2);
        expect(read(text).values.get('task')).toEqual(value);
      }),
    );
  });
});

test('SD-44: fields that are not named stay letter by letter', () => {
  const text =
    '# a comment\nactive: true\n\nlanes:\n  - id: "api"\n    files: 3\nmine:   \'x\'  # note\ntask: fix: it\n';
  expect(update(text, ['phase=plan', 'task=other'])).toBe(
    `${text.replace('task: fix: it', 'task: other')}phase: plan\n`,
  );
  expect(valuesOf(text)).toEqual({ active: true, lanes: [{ id: 'api', files: 3 }], mine: 'x', task: 'fix: it' });
});

test('SD-44: the line ends of workflow.yaml stay as they are', () => {
  expect(update('active: true\r\ntask: a\r\n', ['task=b', 'phase=plan'])).toMatch(/^(?:[^\n]*\r\n)+$/);
});

test('SD-38: an init stamps a new workflow of the same session', () => {
  const before = read(update('kept: 1\n', ['active=true', 'workflow_type=dev', 'verdict=PASS']));
  const stamp = { now: NOW + 1000, newId: 'n2' };
  const text = renderWorkflow(before, changesOfInit(before.values, { type: 'plan', task: 'a: b' }, stamp));
  expect(valuesOf(text)).toEqual({
    kept: 1,
    active: true,
    workflow_type: 'plan',
    task: 'a: b',
    phase: 'context_init',
    status: 'in_progress',
    verdict: null,
    created_at: '2026-06-09T12:30:01.123Z',
    workflow_id: 'n2',
    first_created_at: AT,
    original_workflow_id: 'n1',
    workflow_id_history: ['n1', 'n2'],
  });
  expect(() => requireWorkflowType('soon')).toThrow(expect.objectContaining({ code: 'usage' }));
});

describe('SD-51: the verdict about workflow.yaml', () => {
  it.each([
    ': : :',
    '{{{',
    '- a\n- b',
    'a: [',
    'a: "b',
    '\u0000',
    'x'.repeat(300_000),
    `a: ${'['.repeat(30_000)}`,
    'a: *b\n',
    `a:\n ${'- '.repeat(9000)}`,
    `a:\n ${'? '.repeat(9000)}`,
    `a:\n ${'{a: '.repeat(4000)}`,
    `a:\n${Array.from({ length: 190 }, (_, at) => `${' '.repeat(at + 1)}-`).join('\n')}`,
  ])('is WORKFLOW_UNREADABLE for broken text %#', (text) => {
    expect(codes(validateState(givenState({ 'workflow.yaml': text })))).toEqual(['WORKFLOW_UNREADABLE']);
  });
  it('is WORKFLOW_UNREADABLE for a link, and for a file that is too large', () => {
    expect(codes(validateState(givenState({ 'workflow.yaml': { kind: 'link' } })))).toContain('WORKFLOW_UNREADABLE');
  });
  it.each([
    'original_workflow_id: a\nworkflow_id: b\n',
    'original_workflow_id: a\nworkflow_id: b\nworkflow_id_history: "[\\"a\\"]"\n',
    'original_workflow_id: a\nworkflow_id: b\nworkflow_id_history: "[\\"b\\"]"\n',
    'workflow_id: b\nworkflow_id_history: nothing\n',
  ])('is WORKFLOW_HISTORY_BROKEN for %j', (text) => {
    expect(codes(validateState(givenState({ 'workflow.yaml': text })))).toEqual(['WORKFLOW_HISTORY_BROKEN']);
  });
  it('warns of a type that is not known', () => {
    const report = validateState(givenState({ 'workflow.yaml': 'workflow_type: soon\n' }));
    expect(report).toMatchObject({
      valid: true,
      warnings: [{ code: 'WORKFLOW_TYPE_UNKNOWN', field: 'workflow_type' }],
    });
  });
  it('does not change the prototype of anything', () => {
    const report = validateState(givenState({ 'workflow.yaml': '__proto__: {polluted: true}\nconstructor: x\n' }));
    expect(report.valid).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
