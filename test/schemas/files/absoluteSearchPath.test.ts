import { expect, it } from 'vitest';
import { gitVariables } from '../../../schemas/config/gitSettings.ts';
import { absoluteSearchPath } from '../../../schemas/files/absoluteSearchPath.ts';

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
