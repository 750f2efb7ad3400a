import { expect, test } from 'vitest';
import { commitOf } from '../../../../daemon/engine/local/commitOf.ts';
import { runWithLanes } from './support/runWithLanes.ts';

test('the end of a lane is a change of its session', () => {
  const before = runWithLanes(['queued', 'open']);
  const after = { ...before, lanes: runWithLanes(['landed', 'open']).lanes };
  const { sessions } = commitOf(before, { run: after, events: [] }).changes;
  expect(sessions).toEqual([{ sessionId: 'agent of lane-1', roleId: expect.any(String), state: 'ENDED' }]);
  expect(commitOf(after, { run: { ...after, lanes: [...after.lanes] }, events: [] }).changes.sessions).toEqual([]);
});
