import { expect, test } from 'vitest';
import { createLifecycle } from '../../../daemon/startup/lifecycle.ts';

const forever = () => new Promise<never>(() => {});

test('releases in reverse order, and names what failed or took longer than it asked for', async () => {
  const said: unknown[] = [];
  const released: string[] = [];
  const lifecycle = createLifecycle({ warn: (...facts: unknown[]) => void said.push(facts) });
  lifecycle.hold('first', () => released.push('first'));
  lifecycle.hold('hangs', forever, 1);
  lifecycle.hold('fails', () => Promise.reject(new Error('no')));
  lifecycle.hold('last', () => released.push('last'));
  await lifecycle.end();
  expect(released).toEqual(['last', 'first']);
  expect(said).toEqual([
    [{ name: 'fails', err: new Error('no') }, 'release failed'],
    [{ name: 'hangs' }, 'release timed out'],
  ]);
});
