import { describe, expect, it, test } from 'vitest';
import { FLOWS, stepName } from '../../../../schemas/contracts/autodev/flows.ts';
import { awaitingInvocation, FLOW_NAMES, type Pointer } from '../../../../schemas/contracts/autodev/pointer.ts';
import { type Recorded, recordEvent } from '../../../../schemas/contracts/autodev/record.ts';
import { type GivenEvent, toRecordEvent } from '../../../../schemas/contracts/autodev/recordEvent.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { givenPointer, notStarted } from './given.ts';

function record(pointer: Pointer, event: string, given: Omit<GivenEvent, 'event'> = {}): Recorded {
  return recordEvent(pointer, toRecordEvent({ event, ...given }));
}

/** The code of what is refused. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof DevflowError) return error.code;
    throw error;
  }
  return 'nothing was refused';
}

/** A step of a flow that is in progress. */
function at(flow: Pointer['flow'], step: number, changes: Partial<Pointer> = {}): Pointer {
  return givenPointer({ flow, step, name: stepName(flow, step), ...changes });
}

const PLAN = givenPointer();

describe('AD-24: only what can happen', () => {
  const statuses = ['not_started', 'completed', 'skipped', 'failed'] as const;
  it.each(statuses)('a step that is %s is not completed, and has no save point', (status) => {
    const pointer = givenPointer({ status });
    expect(refusal(() => record(pointer, 'completed'))).toBe('autodev_transition');
    expect(refusal(() => record(pointer, 'sub-step', { phase: 5, name: 'a' }))).toBe('autodev_transition');
  });
  it.each(['started', 'completed', 'skipped', 'retry-failed', 'sub-step'])('nothing is %s after done', (event) => {
    const done = givenPointer({ step: 'done', name: 'Done', status: 'completed' });
    const given = event === 'sub-step' ? { phase: 1, name: 'a' } : {};
    expect(refusal(() => record(done, event, given))).toBe('autodev_done');
  });
  it('a step that runs is not started again', () => {
    expect(refusal(() => record(PLAN, 'started'))).toBe('autodev_transition');
  });
  it('a step that has not begun has no retry', () => {
    expect(refusal(() => record(givenPointer({ status: 'not_started' }), 'retry-failed'))).toBe('autodev_transition');
  });
  it('a step is started from its first phase, and after a failure from where it was', () => {
    const begun = { status: 'in_progress', sub_step: awaitingInvocation(), retry_count: 0 };
    for (const status of ['not_started', 'completed', 'skipped'] as const) {
      expect(record(givenPointer({ status }), 'started').pointer).toMatchObject(begun);
    }
    const { pointer, left, boundary, autoChain } = record(
      givenPointer({ status: 'failed', retry_count: 2 }),
      'started',
    );
    expect(pointer).toEqual(givenPointer({ retry_count: 2 }));
    expect({ left, boundary, autoChain }).toEqual({ left: null, boundary: null, autoChain: false });
  });
  it.each<GivenEvent>([
    { event: 'finished' },
    { event: '__proto__' },
    { event: 'completed', decided: true },
    { event: 'started', phase: 1 },
    { event: 'skipped', detail: '' },
    { event: 'sub-step' },
    { event: 'sub-step', phase: 1 },
    { event: 'sub-step', name: 'a' },
    { event: 'sub-step', phase: 1, name: 'a', decided: true },
    { event: 'sub-step', phase: 1.5, name: 'a' },
    { event: 'sub-step', phase: -1, name: 'a' },
    { event: 'sub-step', phase: 1, name: 'a', detail: 'x'.repeat(10_001) },
  ])('%j is wrong use', (given) => {
    expect(refusal(() => toRecordEvent(given))).toBe('usage');
  });
});

describe('AD-25: a save point', () => {
  const phases = (phase: number, name: string, from = PLAN.sub_step) =>
    record({ ...PLAN, sub_step: from }, 'sub-step', { phase, name, detail: 'batch 2: “a”' }).pointer.sub_step;
  it.each([
    ['the same phase', 4, 'architecture-review'],
    ['the next phase', 5, 'cross-task-consistency'],
  ])('is %s', (_, phase, name) => {
    expect(phases(phase, name)).toEqual({ phase, name, detail: 'batch 2: “a”' });
  });
  it('is another name at phase 0', () => {
    expect(phases(0, 'awaiting-human-review', awaitingInvocation())).toMatchObject({ name: 'awaiting-human-review' });
    expect(phases(1, 'a', awaitingInvocation())).toMatchObject({ phase: 1 });
  });
  it.each([
    [4, 'another-name'],
    [3, 'architecture-review'],
    [6, 'a'],
    [0, 'awaiting-invocation'],
    [0, 'a'],
  ])('is not phase %i (%s): phases go forward by one', (phase, name) => {
    expect(refusal(() => phases(phase, name))).toBe('autodev_substep_not_monotonic');
  });
  it('does not give the reserved name to another phase', () => {
    expect(refusal(() => phases(5, 'awaiting-invocation'))).toBe('autodev_substep_reserved');
  });
  it.each(['Batch Loop', 'batch_loop', '', '-', 'a-', `${'a-'.repeat(50_000)}!`])('has no name %.20j', (name) => {
    expect(refusal(() => phases(5, name))).toBe('usage');
  });
  it('has no detail unless one is given', () => {
    const before = givenPointer({ sub_step: { phase: 4, name: 'a', detail: 'old' } });
    expect(record(before, 'sub-step', { phase: 4, name: 'a' }).pointer.sub_step.detail).toBe('');
  });
});

test('AD-26: a completed step is left for the next one', () => {
  expect(record(givenPointer({ retry_count: 2 }), 'completed')).toEqual({
    pointer: notStarted('greenfield', 4, 'UI Design'),
    left: { step: 3, name: 'Plan', status: 'completed' },
    boundary: null,
    autoChain: true,
  });
});

describe('AD-27: failed retries', () => {
  it('are counted, and the third one fails the step', () => {
    let pointer = PLAN;
    const seen = [1, 2, 3].map(() => {
      pointer = record(pointer, 'retry-failed').pointer;
      return [pointer.retry_count, pointer.status];
    });
    expect(seen).toEqual([
      [1, 'in_progress'],
      [2, 'in_progress'],
      [3, 'failed'],
    ]);
    expect(pointer.sub_step).toEqual(PLAN.sub_step);
    expect(refusal(() => record(pointer, 'retry-failed'))).toBe('autodev_needs_user');
  });
  it('go on from a step that failed with fewer', () => {
    const failed = givenPointer({ status: 'failed', retry_count: 1 });
    expect(record(failed, 'retry-failed').pointer).toMatchObject({ status: 'failed', retry_count: 2 });
  });
  it('are forgotten at each success', () => {
    const tried = givenPointer({ retry_count: 2 });
    expect(record(tried, 'sub-step', { phase: 4, name: 'architecture-review' }).pointer.retry_count).toBe(0);
    expect(record(tried, 'completed').pointer.retry_count).toBe(0);
  });
});

describe('AD-23: after three failed retries a person decides', () => {
  const failed = at('greenfield', 4, { status: 'failed', retry_count: 3 });
  it.each(['started', 'skipped', 'retry-failed'])('%s is refused', (event) => {
    expect(refusal(() => record(failed, event))).toBe('autodev_needs_user');
  });
  it('a decision begins a new count', () => {
    const { pointer } = record(failed, 'started', { decided: true });
    expect(pointer).toEqual({ ...failed, status: 'in_progress', retry_count: 0 });
  });
});

describe('AD-28: only steps that are optional are skipped', () => {
  it.each(FLOW_NAMES)('of %s', (flow) => {
    const steps = FLOWS[flow].steps.map((_, index) => index + 1);
    const skipped = steps.filter(
      (step) => refusal(() => record(at(flow, step), 'skipped')) !== 'autodev_step_not_optional',
    );
    expect(skipped).toEqual(FLOWS[flow].optional);
  });
  it('before they begin, while they run, and after a failure', () => {
    for (const status of ['not_started', 'in_progress', 'failed'] as const) {
      expect(record(at('greenfield', 4, { status }), 'skipped')).toMatchObject({
        pointer: notStarted('greenfield', 5, 'Decompose'),
        left: { step: 4, name: 'UI Design', status: 'skipped' },
        autoChain: true,
      });
    }
    for (const status of ['completed', 'skipped'] as const) {
      expect(refusal(() => record(at('greenfield', 4, { status }), 'skipped'))).toBe('autodev_transition');
    }
  });
});

test.each(FLOW_NAMES)('AD-29: in %s a step without a boundary chains', (flow) => {
  const { steps, boundaries, afterLast } = FLOWS[flow];
  for (const [index] of steps.entries()) {
    const step = index + 1;
    const { boundary, autoChain } = record(at(flow, step), 'completed');
    const isEnd = step === steps.length && afterLast === 'done';
    expect([step, boundary === null]).toEqual([step, boundaries[step] === undefined]);
    expect([step, autoChain]).toEqual([step, boundary === null && !isEnd]);
  }
});

describe('AD-30: at a boundary', () => {
  it('the pointer moves, and the shared question is asked word for word', () => {
    const { pointer, left, boundary, autoChain } = record(at('existing-code', 9, { cycle: 3 }), 'completed');
    expect(pointer).toEqual(notStarted('existing-code', 10, 'Implement', 3));
    expect({ left, autoChain }).toEqual({ left: { step: 9, name: 'New Task', status: 'completed' }, autoChain: false });
    expect(boundary).toMatchObject({ completed: 'New Task complete', next: 'Implement', override: null });
    expect(boundary?.choose?.split('\n')).toEqual([
      '══════════════════════════════════════',
      'DECISION REQUIRED: New Task complete — start Implement?',
      '══════════════════════════════════════',
      'A) Start a new conversation for Implement (recommended for context freshness)',
      'B) Continue in this conversation (NOT recommended — context may degrade)',
      'Warning: if context fills mid-Implement, state will be saved and you will',
      'still be asked to resume in a new conversation — option B only delays that.',
      '══════════════════════════════════════',
      'Recommendation: A — Implement is long; fresh context helps',
      '══════════════════════════════════════',
    ]);
  });
  it('both placeholders are filled', () => {
    for (const [flow, step, completed, next] of [
      ['greenfield', 5, 'Decompose complete', 'Implement'],
      ['existing-code', 5, 'Decompose Tests complete', 'Implement Tests'],
    ] as const) {
      const { boundary } = record(at(flow, step), 'completed');
      expect(boundary?.choose).toContain(`DECISION REQUIRED: ${completed} — start ${next}?\n`);
      expect(boundary?.choose).not.toMatch(/[<>]/);
    }
  });
  it('a flow may ask something else', () => {
    expect(record(at('meta-repo', 2), 'completed')).toMatchObject({
      pointer: notStarted('meta-repo', 3, 'Status'),
      boundary: { completed: 'Config Review', next: 'Status', override: 'human-review', choose: null },
      autoChain: false,
    });
  });
});

describe('AD-31: after the last step', () => {
  it('greenfield is done', () => {
    const { pointer } = record(at('greenfield', 11), 'completed');
    expect(pointer).toEqual({ ...notStarted('greenfield', 11, 'Done'), step: 'done', status: 'completed' });
  });
  it('existing-code begins its next cycle with a new task', () => {
    const { pointer } = record(at('existing-code', 17, { cycle: 3 }), 'completed');
    expect(pointer).toEqual(notStarted('existing-code', 9, 'New Task', 4));
  });
  it('meta-repo goes back to its status', () => {
    expect(record(at('meta-repo', 6), 'completed').pointer).toEqual(notStarted('meta-repo', 3, 'Status'));
  });
});
