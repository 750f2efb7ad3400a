import { expect, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { drive, ended, startRun } from '../helpers/drive.ts';
import { shiftedClock } from '../helpers/shiftedClock.ts';

test.each([90_000, -90_000])('a run goes by the database, on a machine whose clock is off by %i ms', async (shift) => {
  const daemon = await startDaemon({ env: { ...shiftedClock(shift), DEVFLOW_APPROVAL_TIMEOUT_MS: '2000' } });
  const now = async () =>
    Number((await daemon.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now'))[0]?.now);
  const before = await now();
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  // Nobody decides, and time runs out.
  const events = await drive(daemon, runId, { decide: () => undefined, stopAt: ({ type }) => type === 'run.paused' });
  const times = events.map(({ ts }) => Date.parse(ts));
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
  // A millisecond, because the stamps have no fractions.
  expect(times[0]).toBeGreaterThanOrEqual(before - 1);
  expect(times.at(-1)).toBeLessThanOrEqual(await now());
  const of = (type: string) => Date.parse(events.find((event) => event.type === type)?.ts ?? '');
  expect(of('run.paused') - of('approval.requested')).toBeGreaterThanOrEqual(2_000);

  const skew = shift > 0 ? /1m (29|30|31)s ahead/ : /1m (29|30|31)s behind/;
  await expect.poll(async () => (await daemon.cli(['status'])).stdout).toMatch(skew);
  expect((await daemon.cli(['host', 'list'])).stdout).toMatch(skew);
  const clock = (await daemon.call('daemon.doctor', { strict: false, listOrphans: false })).find(
    ({ name }) => name === 'clock',
  );
  expect(clock).toMatchObject({ status: 'warn', detail: expect.stringMatching(skew) });
  await daemon.call('run.abort', { runId });
  await ended(daemon, runId);
});
