import { expect, it } from 'vitest';
import { removeAllocatorSettings, withAllocatorSettings } from '../../../schemas/process/allocatorSettings.ts';

it('keeps what the person has set, and leaves nothing to the programs of the daemon', () => {
  const env = withAllocatorSettings({ HOME: '/h', MALLOC_ARENA_MAX: '7' });
  expect(env).toMatchObject({ HOME: '/h', MALLOC_ARENA_MAX: '7', MALLOC_TRIM_THRESHOLD_: expect.any(String) });
  removeAllocatorSettings(env);
  expect(env).toEqual({ HOME: '/h', MALLOC_ARENA_MAX: '7' });
});
