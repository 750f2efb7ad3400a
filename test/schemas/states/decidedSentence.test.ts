import { expect, test } from 'vitest';
import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import { GATE_KINDS } from '../../../schemas/names.ts';
import { decidedSentence } from '../../../schemas/states/decidedSentence.ts';
import { movedSentence } from '../../../schemas/states/movedSentence.ts';

const RUN = '11111111-2222-4333-8444-555555555555';
const gate = (given: object = {}) => ({
  ...{ runId: RUN, gateKey: 'spec_approved', kind: 'gate', phaseKey: 'spec', assignment: null, laneId: null },
  ...{ attempt: 1, ...given },
});
const say = (action: ApprovalDecisionAction, given: object = {}, created = true) =>
  decidedSentence(gate(given) as never, { action, created });

test('a decision says what follows from it', () => {
  expect(say('approve')).toBe('Approved: spec_approved (spec) of run 11111111. The run continues.');
  expect(say('approve', { kind: 'recovery', gateKey: 'recovery' })).toContain('. Attempt 2 starts.');
  expect(say('request_changes')).toContain('Changes requested: spec_approved (spec) of run 11111111. The work starts');
  expect(say('reject')).toContain('. The run fails.');
  expect(say('abort')).toBe(
    'Aborted: run 11111111. Its agents are ended. Worktrees, branches and everything written stay.',
  );
});

test('a decision that was recorded before says nothing of what follows', () => {
  for (const [action, word] of [
    ['approve', 'Approved'],
    ['request_changes', 'Changes requested'],
    ['reject', 'Rejected'],
    ['abort', 'Aborted'],
  ] as const) {
    const leadsTo = [{ action, sentence: 'The run completes.' }];
    const said = say(action, { kind: 'recovery', gateKey: 'recovery', sheet: { leadsTo } }, false);
    expect(said).toBe(`${word} already: recovery (spec) of run 11111111. Nothing new follows.`);
  }
});

test('a gate that says itself what follows is believed', () => {
  expect(say('approve', { consequences: { approve: 'The run goes on with the best iteration.' } })).toContain(
    '. The run goes on with the best iteration.',
  );
});

test.each(GATE_KINDS)('each decision at a gate of the kind %s has a whole sentence', (kind) => {
  for (const action of ['approve', 'request_changes', 'reject', 'abort'] as const) {
    expect(say(action, { kind })).toMatch(/^[A-Z].*: .*\. (?:[A-Z]|devflow ).*\.$/);
  }
});

test('a run that a person moved says what follows', () => {
  const moved = (state: string, changed = true) => movedSentence({ runId: RUN, state, changed } as never);
  expect(moved('paused')).toBe(
    'Run 11111111 is paused. Nothing new starts, agents finish their turn, and its gates stay open.',
  );
  expect(moved('executing')).toBe('Run 11111111 continues, and is executing.');
  expect(moved('awaiting_approval')).toBe('Run 11111111 continues, and waits for your decision.');
  expect(moved('aborted')).toContain('Its agents are ended.');
  expect(moved('paused', false)).toBe('Run 11111111 was already paused.');
  expect(moved('executing', false)).toBe('Run 11111111 was not paused. Its state is executing.');
});
