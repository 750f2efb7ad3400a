import { expect, test } from 'vitest';
import type { Outcome } from '../../../../daemon/engine/core/run/outcome.ts';
import type { Run } from '../../../../daemon/engine/core/run/state.ts';
import { createUnattended } from '../../../../daemon/engine/temporal/unattended.ts';
import { viewOf } from '../../../../daemon/engine/temporal/view.ts';
import { newRun } from '../core/support/run.ts';

/** A run without a host: it began before there were several. */
function given() {
  const { run } = newRun({ template: 'withoutGate' });
  const recorded: Outcome[] = [];
  const unattended = createUnattended({
    runs: {
      catchUp: async (runId) => (runId === run.id ? run : undefined),
      async record(_runId, outcome) {
        recorded.push(outcome);
        return run;
      },
    },
    viewOf: (each: Run) => viewOf(each, 'q'),
    hostOf: ({ host }) => host ?? 'first',
  });
  return { run, recorded, unattended };
}

test('says which host takes no work, also of a run that names none', async () => {
  const { run, recorded, unattended } = given();
  expect(run.host).toBeNull();
  expect(await unattended.silent(run.id, 'a key')).toEqual(viewOf(run, 'q'));
  const error = { code: 'host_unreachable', message: 'The host first takes no work.' };
  expect(recorded).toEqual([{ type: 'effectFailed', key: 'a key', error: expect.objectContaining(error) }]);
});

test('records no time-out of a gate that is no longer open', async () => {
  const { run, recorded, unattended } = given();
  expect(await unattended.expire(run.id, 'a key')).toEqual(viewOf(run, 'q'));
  expect(recorded).toEqual([]);
});

test('refuses a run that it does not know', async () => {
  const { unattended } = given();
  await expect(unattended.silent('other', 'a key')).rejects.toMatchObject({ code: 'not_found' });
});
