import { describe, expect, test } from 'vitest';
import { evolve, stamp } from '../../../../daemon/core/evolve/evolve.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import { onSignal } from '../../../../daemon/core/transition.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import {
  approve,
  bound,
  committed,
  decision,
  done,
  expired,
  failed,
  given,
  pause,
  recovered,
  resume,
  sent,
  started,
  valid,
} from '../support/given.ts';
import { second } from '../support/run.ts';
import { at, both, bothLost, lost, oneLost, open, prompts, statuses } from '../support/writers.ts';

describe('a pause', () => {
  test('keeps recovery gates open; a decision there takes effect after the resume', () => {
    const paused = bothLost.on(pause).to({ run: 'paused' });
    expect(open(paused)).toEqual(['writer#0', 'writer#1']);
    expect(waitsFor(paused.run).map(({ sentence }) => sentence)).toEqual([
      'devflow run resume',
      'a decision at recovery (write, writer#0)',
      'a decision at recovery (write, writer#1)',
    ]);
    const decided = paused.on(at('writer#0', 'approve')).to({ run: 'paused' }).decides();
    expect(statuses(decided)).toEqual(['to_prompt 3', 'failed 2']);
    decided.on(resume).to({ run: 'executing' }).decides('recoverSession');
    paused.on(at('writer#0', 'reject')).to({ run: 'failed' });
    paused.on(resume).to({ run: 'paused' }).refuses(resume, 'gate_pending');
  });

  test('asks about a failure of the pause after the resume', () => {
    const paused = both.on(pause, ...lost('writer#0')).to({ run: 'paused' });
    expect(open(paused)).toEqual([]);
    expect(open(paused.on(resume))).toEqual(['writer#0']);
  });
});

describe('the gate of the phase', () => {
  const atGate = oneLost.on(valid, approve, recovered, sent, valid, committed);

  test('asks all agents again for changes', () => {
    const again = atGate
      .on(decision('request_changes', 'Agree with each other.'))
      .records('approval.resolved', 'phase.started');
    expect(statuses(again)).toEqual(['to_prompt 4', 'to_prompt 2']);
    expect(prompts(again).map(({ text }) => text)).toEqual(Array(2).fill(expect.stringContaining('Agree with each')));
  });

  test('times out and opens again beside nothing else', () => {
    const timed = given(
      { template: 'twoInstances', behaviour: 3, approvalTimeoutMs: 1_000 },
      bound,
      started,
      started,
      sent,
      sent,
    )
      .on(...lost('writer#0'), valid, approve, recovered, sent, valid, committed)
      .on(expired)
      .to({ run: 'paused', approvals: { spec_approved: 'paused' } });
    timed.on(resume).to({ run: 'awaiting_approval', approvals: { spec_approved: 'pending' } });
  });
});

describe('the recovery gate of the phase', () => {
  const uncommitted = both.on(valid, valid, failed('commitWork', 'disk_full'));

  test('keeps the artifacts for another try', () => {
    uncommitted.to({ run: 'paused', phases: { write: 'failed' } });
    const again = uncommitted.on(approve).records('approval.resolved', 'phase.started').decides('commitWork');
    expect(statuses(again)).toEqual(['validated 1', 'validated 1']);
    expect(open(again.on(done('commitWork')))).toEqual(['spec_approved']);
  });

  test('asks all agents again for changes, also for the same changes once more', () => {
    const asked = uncommitted.on(decision('request_changes', 'Shorter.', 'one'));
    expect(statuses(asked)).toEqual(['to_prompt 2', 'to_prompt 2']);
    const twice = asked.on(sent, sent, valid, valid, failed('commitWork', 'disk_full'));
    expect(statuses(twice.on(decision('request_changes', 'Shorter.', 'two')))).toEqual(['to_prompt 3', 'to_prompt 3']);
    expect(statuses(twice.on(decision('request_changes', null, 'two')))).toEqual(['validated 2', 'validated 2']);
  });
});

test('a gate about an assignment closes when the phase begins again', () => {
  const { run } = bothLost;
  const phaseId = run.phases[0]?.id ?? '';
  const payload = { attempt: 2, cause: 'retry' as const };
  const begun = evolve(run, stamp(run.id, run.lastSeq, { type: 'phase.started', phaseId, payload }, second(99)));
  expect(openGates(begun)).toEqual([]);
  expect(begun.approvals.map(({ state, resolvedAt, decision }) => [state, resolvedAt, decision])).toEqual([
    ['aborted', second(99), null],
    ['aborted', second(99), null],
  ]);
  const signal = { type: 'decide', action: 'approve', comment: null, clientToken: 'late' } as const;
  const late = onSignal(begun, { ...signal, approvalRequestId: run.approvals[0]?.id ?? '' }, second(100));
  expect('refused' in late && late.refused.message).toContain('its phase began again');
});
