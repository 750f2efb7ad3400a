import { expect, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { ended } from '../helpers/drive.ts';
import { shiftedClock } from '../helpers/shiftedClock.ts';
import { until } from '../helpers/until.ts';

const DAY_MS = 24 * 60 * 60_000;

test('starts what was missed once, one run at a time, tells what it skips, and starts a run now', async () => {
  // Nobody listens there.
  const daemon = await startDaemon({ env: { DEVFLOW_NOTIFY_WEBHOOK_URL: 'http://127.0.0.1:9/' } });
  const repo = daemon.repo().dir;
  const cli = async (...words: string[]) => {
    const { code, stdout, stderr } = await daemon.cli(['schedule', ...words], { cwd: repo });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    return stdout;
  };
  const roles = ['--template', 'development@1', '--backend', 'planner=fake', '--backend', 'implementer=fake'];
  const add = ['add', '0 6 * * *', '--zone', 'UTC', '-m', 'Update the dependencies.', ...roles];
  expect(await cli(...add, '--dry-run')).toMatch(/development@1[\s\S]*(06:00:00\n[\s\S]*){5}/);
  expect(await daemon.call('schedule.list', {})).toEqual([]);
  expect(await cli(...add)).toContain('It starts at ');
  const listed = async () => {
    const [schedule, ...more] = await daemon.call('schedule.list', {});
    if (!schedule || more.length > 0) throw new Error('there is not one schedule');
    return schedule;
  };
  const { scheduleId, nextAt } = await listed();
  expect(await daemon.call('daemon.status', {})).toMatchObject({
    schedules: { count: 1, paused: 0, next: { scheduleId, at: nextAt, title: 'Update the dependencies.' } },
  });

  // The machine was off for three days, so three times were missed.
  await daemon.restart(shiftedClock(3 * DAY_MS));
  const runId = await until('its run is started', async () => (await listed()).lastRunId ?? undefined);
  const runs = await daemon.call('run.list', {});
  expect(runs.map((run) => run.runId)).toEqual([runId]);
  const { lastAt, lastNote } = await listed();
  expect([lastAt, lastNote]).toEqual([expect.stringMatching(/T06:00:00.000Z$/), null]);
  expect(await daemon.call('run.get', { runId })).toMatchObject({
    ...{ title: 'Update the dependencies.', schedule: { id: scheduleId, occurrence: lastAt } },
  });

  await daemon.restart(shiftedClock(4 * DAY_MS));
  await until('the next time is skipped', async () => (await listed()).lastNote);
  expect(await listed()).toMatchObject({ lastRunId: runId, lastNote: `Skipped, because run ${runId} is still open.` });
  const told = () => daemon.query("SELECT body FROM webhook_notices WHERE kind = 'schedule'");
  const [news] = await until('it is news', async () => ((await told()).length > 0 ? told() : undefined));
  expect(JSON.parse(String(news?.body))).toMatchObject({ how: 'devflow schedule list' });
  await daemon.call('run.abort', { runId });
  await ended(daemon, runId);
  await cli('pause', scheduleId);
  expect(await cli('run', scheduleId)).toMatch(/^Run \S+ is started/);
  expect(await cli('resume', scheduleId)).toContain('goes on: next at ');
  const mine = (await listed()).lastRunId ?? '';
  await daemon.call('run.abort', { runId: mine });
  expect(await cli('remove', scheduleId.slice(0, 8))).toContain(
    `Its last run stays: devflow run show ${mine.slice(0, 8)}`,
  );
  expect(await cli('list')).toContain('There are no schedules.');
  await ended(daemon, mine);
});
