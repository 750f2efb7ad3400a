import { describe, expect, test } from 'vitest';
import { autodevFiles } from '../../../../daemon/core/exchange/autodev.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Pointer } from '../../../../schemas/contracts/autodev/pointer.ts';
import { renderPointer } from '../../../../schemas/contracts/autodev/renderPointer.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { HOST_GATE } from '../../../../schemas/gates/ownGates.ts';
import { newRun } from '../support/run.ts';

const { run } = newRun({ template: 'autodev' });
const older: Run = { ...run, behaviour: 5 };
const [discover, review, status] = run.phases.map(({ id }) => id);
/** A phase more than the flow has steps. */
const long: Run = {
  ...run,
  phases: Array.from({ length: 7 }, (_, seq) => ({ ...(run.phases[0] as Run['phases'][0]), id: `phase-${seq}`, seq })),
};

const NAMES = ['Discover', 'Config Review', 'Status', 'Document Sync', 'CICD Sync', 'Loop'];
const AWAITING = { phase: 0, name: 'awaiting-invocation', detail: '' };
const BEGUN = { phase: 2, name: 'read-repo', detail: 'src' };

function pointer(step: number, over: Partial<Pointer> = {}): Pointer {
  const at = { flow: 'meta-repo' as const, step, name: NAMES[step - 1] ?? '', sub_step: AWAITING, cycle: 1 };
  return { ...at, status: 'not_started', retry_count: 0, ...over };
}
const working = pointer(1, { status: 'in_progress', sub_step: BEGUN, retry_count: 1 });
const failed = (retries: number) => pointer(1, { status: 'failed', sub_step: BEGUN, retry_count: retries });

const event = (type: string, phaseId: string | null | undefined, payload: object = {}) =>
  ({ type, phaseId, payload }) as unknown as RunEvent;
const begins = (phaseId: string | undefined) => event('phase.started', phaseId);
const completes = (phaseId: string | undefined) => event('phase.completed', phaseId);
const skips = (phaseId: string | undefined) => event('phase.skipped', phaseId);
const asks = (kind: string, gateKey: string) => event('approval.requested', discover, { kind, gateKey });
const decides = (action: string) => event('approval.resolved', discover, { action });

const after = (before: Pointer, of: Run, next: RunEvent) =>
  autodevFiles({ pointer: before, files: {} }, of, next).pointer;

describe('AD-34 the pointer after an event', () => {
  test.each<[string, Pointer, RunEvent, Pointer]>([
    ['is at the phase that begins', working, begins(review), pointer(2, { status: 'in_progress' })],
    ['is in progress', pointer(1, { sub_step: BEGUN }), begins(discover), pointer(1, { status: 'in_progress' })],
    [
      'resumes a failed step at its sub-step',
      failed(2),
      begins(discover),
      pointer(1, { status: 'in_progress', sub_step: BEGUN, retry_count: 2 }),
    ],
    [
      'counts no retries of a step that begins after a decision',
      failed(3),
      begins(discover),
      pointer(1, { status: 'in_progress', sub_step: BEGUN }),
    ],
    ['is at the step after a completed one', working, completes(discover), pointer(2)],
    ['is at the step after a completed one that it was not at', pointer(3), completes(discover), pointer(2)],
    ['is at the step after a skipped one', working, skips(review), pointer(3)],
    ['keeps its cycle', { ...working, cycle: 4 }, completes(discover), pointer(2, { cycle: 4 })],
    ['has a retry after an invalid artifact', working, event('artifact.invalid', discover), retried()],
    ['has a retry after a time-out', working, event('artifact.timeout', discover), retried()],
    ['has a retry after a crash', working, event('session.crashed', discover), retried()],
    ['says that a person decides', working, asks('recovery', 'recovery'), { ...working, status: 'failed' }],
    [
      'is in progress without retries once a person wants another attempt',
      failed(3),
      decides('request_changes'),
      pointer(1, { status: 'in_progress', sub_step: BEGUN }),
    ],
  ])('%s', (_, before, next, expected) => {
    expect(after(before, run, next)).toEqual(expected);
  });

  test.each<[string, Pointer, RunEvent]>([
    ['the step that it is at begins once more', working, begins(discover)],
    ['a planned gate opens', working, asks('gate', 'changes_approved')],
    ['a host is not reachable', working, asks('recovery', HOST_GATE)],
    ['a person approves work', working, decides('approve')],
    ['a person aborts a failed step', failed(2), decides('abort')],
    ['a person rejects a failed step', failed(2), decides('reject')],
    ['a session is ready', working, event('session.ready', discover)],
    ['a step that waits cannot have failed', pointer(1), event('artifact.invalid', discover)],
  ])('stays, with its file, when %s', (_, at, next) => {
    const before = { pointer: at, files: {} };
    expect(autodevFiles(before, run, next)).toBe(before);
  });

  function retried(): Pointer {
    return { ...working, retry_count: 2 };
  }
});

test('AD-34 the pointer of an older run counts all retries at a recovery gate, and forgets them after it', () => {
  expect(after(working, older, asks('recovery', 'recovery'))).toEqual(failed(3));
  expect(after(failed(3), older, decides('approve'))).toEqual({ ...working, retry_count: 0 });
  expect(after(failed(2), older, decides('approve'))).toEqual({ ...working, retry_count: 2 });
});

test('AD-34 the first event writes the pointer at the first step', () => {
  const written = autodevFiles({ files: {} }, run, event('run.started', null));
  expect(written.pointer).toEqual(pointer(1));
  expect(written.files).toEqual({ '_docs/_autodev_state.md': renderPointer(pointer(1)) });
});

test('AD-34 a run without a flow has no pointer', () => {
  const { flow: _, ...template } = run.template;
  const before = { files: {} };
  expect(autodevFiles(before, { ...run, template }, begins(discover))).toBe(before);
});

test('AD-34 a phase beyond the steps of its flow leaves the pointer at the last step that began', () => {
  const last = pointer(6, { status: 'in_progress' });
  expect(after(last, long, begins('phase-6'))).toEqual(last);
  // The flow has no end: after its loop the third step follows.
  expect(after(last, long, completes('phase-6'))).toEqual(pointer(3));
});

test('AD-34 a fault of devflow is not taken for a step that the rules refuse', () => {
  const broken = { ...working, sub_step: undefined } as unknown as Pointer;
  const progress = event('phase.progressed', status, { number: 1, name: 'read-repo', detail: '' });
  expect(() => after(broken, run, progress)).toThrow(TypeError);
});
