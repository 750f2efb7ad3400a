import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { readConfig } from '../../../schemas/config/configLoad.ts';
import { homeOf, mendHome } from '../../../schemas/files/home.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';

const { homedir } = userInfo();

it.each([
  ['absolute', '/home/a', '/home/a'],
  ['missing', undefined, homedir],
  ['empty', '', homedir],
  ['relative', 'somewhere', homedir],
])("with a HOME that is %s it is the right one, and devflow's files are there", (_, HOME, home) => {
  expect(homeOf({ HOME })).toBe(home);
  const env = { HOME };
  mendHome(env);
  expect(env.HOME).toBe(HOME === undefined ? undefined : home);
  expect(resolvePaths({ HOME }).configDir).toBe(`${home}/.config/devflow`);
  expect(readConfig({ HOME, DEVFLOW_WORKSPACE_ROOT: '~/work' }).workspaceRoot).toBe(`${home}/work`);
});

it.each([
  ['HOME is not set', {}],
  ['HOME is "", which is no absolute path', { HOME: '' }],
  ['HOME is "a", which is no absolute path', { HOME: 'a' }],
])('says "%s" where the system knows no home either', (said, env) => {
  const unknown = () => {
    throw new Error('no entry');
  };
  for (const nothing of [unknown, () => '', () => 'relative']) {
    expect(() => homeOf(env, nothing)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: `${said}, and the system knows no home directory of this user.`,
      }),
    );
  }
});
