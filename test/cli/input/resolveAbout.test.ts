import { expect, test } from 'vitest';
import { resolveAbout } from '../../../cli/input/resolveAbout.ts';
import { fakeIo } from '../fakeIo.ts';

test('refuses an id without a screen that takes one', async () => {
  await expect(resolveAbout(fakeIo(), undefined, '3f9a')).rejects.toMatchObject({ code: 'usage' });
  await expect(resolveAbout(fakeIo(), 'runs', '3f9a')).rejects.toMatchObject({
    message: 'the screen runs takes no --about',
    recoveryHint: 'Screens with --about: run, approval, session.',
  });
});

test('without a daemon, accepts a whole id and refuses a prefix', async () => {
  const whole = '3f9a1c22-0000-4000-8000-000000000000';
  expect(await resolveAbout(fakeIo(), 'run', whole)).toBe(whole);
  await expect(resolveAbout(fakeIo(), 'run', '3f9a')).rejects.toMatchObject({ code: 'daemon_not_running' });
});
