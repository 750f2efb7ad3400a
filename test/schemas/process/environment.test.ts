import { describe, expect, it } from 'vitest';
import { gitVariables } from '../../../schemas/config/gitSettings.ts';
import {
  absoluteSearchPath,
  removeAllocatorSettings,
  withAllocatorSettings,
} from '../../../schemas/process/environment.ts';

it('keeps what the person has set, and leaves nothing to the programs of the daemon', () => {
  const env = withAllocatorSettings({ HOME: '/h', MALLOC_ARENA_MAX: '7' });
  expect(env).toMatchObject({ HOME: '/h', MALLOC_ARENA_MAX: '7', MALLOC_TRIM_THRESHOLD_: expect.any(String) });
  removeAllocatorSettings(env);
  expect(env).toEqual({ HOME: '/h', MALLOC_ARENA_MAX: '7' });
});

describe('absoluteSearchPath', () => {
  it.each([
    ['.:/bin', '/bin'],
    [':/bin', '/bin'],
    ['/bin:', '/bin'],
    ['/usr/bin::/bin', '/usr/bin:/bin'],
    ['node_modules/.bin:./x:../y:/bin', '/bin'],
    ['', '/usr/local/bin:/usr/bin:/bin'],
    ['.', '/usr/local/bin:/usr/bin:/bin'],
  ])('%j has the absolute entries %j', (given, expected) => {
    expect(absoluteSearchPath(given)).toBe(expected);
    expect(gitVariables({ PATH: given }).PATH).toBe(expected);
  });

  it('git gets no variable that names a program or a configuration by a relative path', () => {
    const variables = { GIT_EXEC_PATH: 'bin', GIT_CONFIG_GLOBAL: 'config', GIT_CONFIG_SYSTEM: '/etc/gitconfig' };
    expect(gitVariables(variables)).not.toHaveProperty('GIT_EXEC_PATH');
    expect(gitVariables(variables)).not.toHaveProperty('GIT_CONFIG_GLOBAL');
    expect(gitVariables(variables)).toHaveProperty('GIT_CONFIG_SYSTEM', '/etc/gitconfig');
  });
});
