import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectType } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import {
  abort,
  approve,
  bound,
  decision,
  failed,
  firstPhaseDone,
  given,
  type Input,
  now,
  pause,
  type Story,
  sent,
  started,
} from '../support/given.ts';

const returned: Outcome = { type: 'hostReturned' };
const silent = (type: EffectType) => failed(type, 'host_unreachable');
const keys = ({ run }: Story) => decide(run).map(({ key }) => key);
const gates = ({ run }: Story) => run.approvals.map(({ gateKey, state }) => `${gateKey} ${state}`);

const working = given({}, bound, started, sent);
const held = working.on(silent('awaitArtifact'));

describe('a host that takes no work', () => {
  test('holds the run at a gate, and nothing of it fails', () => {
    held
      .records('approval.requested')
      .to({ run: 'paused', phases: { spec: 'awaiting_artifact' } })
      .decides();
    expect(held.run.approvals).toMatchObject([
      { gateKey: 'host_unreachable', kind: 'recovery', assignment: null, subject: { code: 'host_unreachable' } },
    ]);
    expect(held.run.phases[0]?.assignments).toEqual(working.run.phases[0]?.assignments);
  });

  test('is asked about once, whoever says it and of whatever effect', () => {
    const late: Input = {
      type: 'effectFailed',
      key: keys(working)[0] ?? '',
      error: held.run.approvals[0]?.subject as never,
    };
    held.on(late).records();
  });

  test.each<[string, Input[], EffectType]>([
    ['before its roles are bound', [], 'lockBindings'],
    ['before its agent starts', [bound], 'startSession'],
    ['before its agent has the prompt', [bound, started], 'sendPrompt'],
    ['while its agent works', [bound, started, sent], 'awaitArtifact'],
  ])('that is back lets the run go on where it was: %s', (_, inputs, effect) => {
    const before = given({}, ...inputs);
    const then = before.on(silent(effect), returned).records('approval.withdrawn');
    expect(keys(then)).toEqual(keys(before));
    expect({ ...then.run, approvals: [], lastSeq: 0, updatedAt: '' }).toEqual({
      ...before.run,
      approvals: [],
      lastSeq: 0,
      updatedAt: '',
    });
    expect(replay(then.events)).toEqual(then.run);
    expect(gates(then)).toEqual(['host_unreachable aborted']);
  });

  test('can be away more than once', () => {
    const twice = held.on(returned, silent('awaitArtifact')).to({ run: 'paused' });
    expect(gates(twice)).toEqual(['host_unreachable aborted', 'host_unreachable pending']);
    expect(gates(twice.on(returned))).toEqual(['host_unreachable aborted', 'host_unreachable aborted']);
  });

  test('is asked about no longer when a command that went on fails', () => {
    const away = given({ template: 'withoutPlan' }, ...firstPhaseDone).on(silent('runCommand'));
    away.decides('runCommand');
    const failing = away.on(failed('runCommand', 'disk_full'));
    failing.records('approval.withdrawn', 'command.failed', 'phase.failed', 'approval.requested');
    expect(gates(failing)).toEqual(['host_unreachable aborted', 'recovery pending']);
  });

  test('that was never away changes nothing by taking work', () => {
    working.on(returned).records();
    held.on(returned, returned).records();
  });

  test('takes work after all if its roles get bound, and the gate closes', () => {
    const before = given({});
    const then = before.on(silent('lockBindings'), now(before, bound));
    expect(gates(then)).toEqual(['host_unreachable aborted']);
    expect(replay(then.events)).toEqual(then.run);
  });

  test('is asked about by nobody while the run is paused', () => {
    given({}, bound, started, pause, returned).records();
    const paused = given({ template: 'withoutPlan' }, ...firstPhaseDone, pause).decides('runCommand');
    paused.on(silent('runCommand')).records().decides('runCommand');
  });
});

describe('a person at the gate of a host', () => {
  test.each<[string, Input[], EffectType]>([
    ['before its roles are bound', [], 'lockBindings'],
    ['while its agent works', [bound, started, sent], 'awaitArtifact'],
  ])('may end the run %s', (_, inputs, effect) => {
    const asked = given({}, ...inputs, silent(effect));
    expect(asked.on(decision('reject')).run.state).toBe('failed');
    expect(asked.on(abort).run.state).toBe('aborted');
  });

  test('can approve nothing: devflow goes on by itself once the host is back', () => {
    held.refuses(approve, 'usage');
  });

  test('cannot ask for changes of nothing, and learns why it is too late', () => {
    held.refuses(decision('request_changes', 'Be quick.'), 'usage');
    const id = held.run.approvals[0]?.id ?? '';
    held
      .on(returned)
      .refuses(
        { type: 'decide', approvalRequestId: id, action: 'approve', comment: null, clientToken: 'x' },
        'decision_conflict',
      );
  });
});

test.each([5, 6] as const)('a run of an older devflow fails as it did: behaviour %i', (behaviour) => {
  const old = given({ behaviour }, bound, started, sent, silent('awaitArtifact'));
  old.records('approval.requested').to({ phases: { spec: 'failed' } });
  expect(gates(old)).toEqual(['recovery pending']);
  old.on(returned).records();
});
