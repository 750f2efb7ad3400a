import { describe, expect, test } from 'vitest';
import { openGates } from '../../../../daemon/core/run/query.ts';
import { onSignal } from '../../../../daemon/core/transition.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import {
  abort,
  approve,
  bound,
  committed,
  failed,
  given,
  invalid,
  recovered,
  resume,
  type Story,
  sent,
  started,
  valid,
} from '../support/given.ts';
import { assignments, at, both, bothLost, lost, oneLost, open, prompts, statuses } from '../support/writers.ts';

describe('an assignment that fails', () => {
  test('opens a gate of its own, and the other assignment continues', () => {
    oneLost
      .records('session.crashed', 'session.failed', 'approval.requested')
      .to({ run: 'executing', phases: { write: 'awaiting_artifact' }, sessions: { 'writer#0': 'FAILED_NEEDS_HUMAN' } })
      .decides('awaitArtifact');
    expect(statuses(oneLost)).toEqual(['failed 2', 'prompted 1']);
    expect(openGates(oneLost.run)).toMatchObject([{ kind: 'recovery', assignment: 'writer#0', attempt: 2 }]);
    expect(waitsFor(oneLost.run)).toMatchObject([
      { party: 'person', sentence: 'a decision at recovery (write, writer#0)' },
      { party: 'agent' },
    ]);
  });

  test('pauses the run once the others are done, and keeps their work', () => {
    const left = oneLost
      .on(valid)
      .to({ run: 'paused', phases: { write: 'failed' } })
      .decides();
    const again = left.on(approve).to({ run: 'executing' }).decides('recoverSession');
    expect(statuses(again)).toEqual(['to_prompt 3', 'validated 1']);
    const asked = again.on(recovered, sent, valid, committed).to({ approvals: { spec_approved: 'pending' } });
    expect(openGates(asked.run)[0]?.subject.artifacts).toMatchObject([{ roleId: 'writer#0' }, { roleId: 'writer#1' }]);
    expect(asked.run.phases[0]?.attempts).toBe(1);
  });

  test('is tried again while the others work', () => {
    const again = oneLost.on(approve).records('approval.resolved').decides('recoverSession', 'awaitArtifact');
    again.on(recovered, sent, valid, valid, committed).to({ run: 'awaiting_approval' });
    expect(again.events.map(({ type }) => type)).not.toContain('run.paused');
  });

  test('has its full budget of repairs again', () => {
    const spoiled = both.on(invalid, sent, invalid).to({ run: 'executing' });
    expect(statuses(spoiled)).toEqual(['failed 2', 'prompted 1']);
    const repaired = spoiled.on(approve, sent, invalid);
    expect(statuses(repaired)).toEqual(['to_prompt 4', 'prompted 1']);
    expect(open(repaired.on(sent, invalid))).toEqual(['writer#0']);
  });

  test('fails alone with an effect on its agent', () => {
    const story = given({ template: 'threeReaders', behaviour: 3 }, bound, failed('startSession', 'disk_full'));
    expect(statuses(story)).toEqual(['failed 1', 'to_prompt 1', 'to_prompt 1']);
    story.to({ run: 'executing' }).decides('startSession', 'startSession');
  });
});

describe('several recovery gates', () => {
  test('pause the run, and are decided one by one', () => {
    expect(open(bothLost)).toEqual(['writer#0', 'writer#1']);
    bothLost.to({ run: 'paused' }).refuses(resume, 'gate_pending');
    const first = bothLost.on(at('writer#1', 'approve')).to({ run: 'executing' });
    expect(open(first)).toEqual(['writer#0']);
    expect(open(first.on(at('writer#0', 'approve')))).toEqual([]);
  });

  test('pass a comment only to the assignment that it is about', () => {
    const story = bothLost.on(at('writer#1', 'request_changes', 'Shorter.'), at('writer#0', 'approve'));
    expect(prompts(story.on(recovered, recovered))).toEqual([
      { roleId: 'writer#0', text: expect.not.stringContaining('Shorter.') },
      { roleId: 'writer#1', text: expect.stringContaining('Shorter.') },
    ]);
  });

  test('keep the comment until the next one', () => {
    const again = bothLost.on(at('writer#1', 'request_changes', 'Shorter.'), recovered, ...lost('writer#1'));
    expect(assignments(again.on(at('writer#1', 'approve')))?.[1]).toMatchObject({ changeRequest: 'Shorter.' });
    const other = again.on(at('writer#1', 'request_changes', 'Longer.'));
    expect(assignments(other)?.[1]).toMatchObject({ changeRequest: 'Longer.' });
  });

  test('close when one of them is rejected, or the run is aborted', () => {
    const other = openGates(bothLost.run)[0]?.id ?? '';
    for (const [input, state, why] of [
      [at('writer#1', 'reject'), 'failed', 'the run failed'],
      [at('writer#1', 'abort'), 'aborted', 'the run was aborted'],
      [abort, 'aborted', 'the run was aborted'],
    ] as const) {
      const over = bothLost.on(input).to({ run: state, phases: { write: 'failed' } });
      expect(open(over)).toEqual([]);
      expect(over.run.phases[0]?.endedAt).toBe(over.run.endedAt);
      expect(refusal(over, other)).toMatchObject({ code: 'decision_conflict', message: expect.stringContaining(why) });
    }
  });

  test('have no time-out', () => {
    const story = given({ template: 'twoInstances', behaviour: 3, approvalTimeoutMs: 1_000 }, bound, started, started);
    story
      .on(...lost('writer#0'), ...lost('writer#1'))
      .to({ run: 'paused' })
      .decides();
  });
});

function refusal({ run }: Story, approvalRequestId: string) {
  const signal = { type: 'decide', approvalRequestId, action: 'approve', comment: null, clientToken: 'late' } as const;
  const result = onSignal(run, signal, run.updatedAt);
  return 'refused' in result ? result.refused : undefined;
}
