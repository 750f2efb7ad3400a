import { expect, test } from 'vitest';
import type { GateKind } from '../../../schemas/enums.ts';
import { decidable } from '../../../schemas/gates/decidable.ts';
import { blocksRun, holdsFailure, holdsResult } from '../../../schemas/gates/gateKinds.ts';
import { gateState } from '../../../schemas/states/gate.ts';

test.each(['of_a_newer_daemon', 'constructor'])(
  'a gate of a kind that only a newer daemon knows can be decided: %s',
  (name) => {
    const kind = name as GateKind;
    const gate = { gateKey: 'g', kind, laneId: null, assignment: null, state: 'pending' } as const;
    expect(blocksRun(gate)).toBe(true);
    expect([holdsResult(gate), holdsFailure(gate)]).toEqual([false, false]);
    expect(decidable(gate, 'paused')).toEqual(['approve', 'reject', 'request_changes', 'abort']);
    expect(gateState(gate).word).toBe('decision');
    expect(gateState({ kind, state: 'aborted' }).word).toBe('aborted');
  },
);
