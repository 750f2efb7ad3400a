import { describe, expect, it } from 'vitest';
import { loadConfig, readConfig } from '../../../schemas/config/configLoad.ts';
import { assertKnownUser, assertUsablePlaces } from '../../../schemas/files/usablePlaces.ts';

describe('directories that would break something later', () => {
  it.each([
    ['/home/a\\b', 'a backslash'],
    ['/home/a\nb', 'a line break'],
    ['/home/a\tb', 'the control character U+0009'],
    ['/home/a\u001bb', 'the control character U+001B'],
    ['/home/a\u0085b', 'the control character U+0085'],
    ['/home/a\ufffdb', 'a character that is not UTF-8'],
  ])('%j is refused', (path, why) => {
    const refusal = expect.objectContaining({
      code: 'config_invalid',
      message: expect.stringContaining(`is ${JSON.stringify(path)}, which has ${why} in it.`),
    });
    for (const name of ['DEVFLOW_HOME', 'HOME', 'XDG_DATA_HOME', 'TMUX_TMPDIR'])
      expect(() => assertUsablePlaces({ [name]: path })).toThrow(refusal);
    expect(() => assertUsablePlaces({}, path)).toThrow(refusal);
  });

  it.each([' ', "'", '"', ':', '%', '#', '$', '*', '{', ',', ';', '&', '#{', 'ü', '目'])('%j works', (character) => {
    expect(() => assertUsablePlaces({ HOME: `/home/a${character}b` }, `/w${character}`)).not.toThrow();
  });

  it('are refused before anything is created, by the daemon and by doctor', () => {
    const env = { DEVFLOW_HOME: '/nowhere/a\nb' };
    for (const load of [loadConfig, readConfig]) expect(() => load(env)).toThrow('which has a line break in it');
    const workspace = { DEVFLOW_HOME: '/nowhere', DEVFLOW_WORKSPACE_ROOT: '/w\\x' };
    for (const load of [loadConfig, readConfig]) expect(() => load(workspace)).toThrow('WORKSPACE_ROOT is "/w\\\\x"');
  });
});

it('refuses a user whom the system does not know', () => {
  const unknown = () => {
    throw new Error('ENOENT: uv_os_get_passwd');
  };
  expect(() => assertKnownUser(unknown)).toThrow(
    expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining('has no entry for the user') }),
  );
  expect(() => assertKnownUser()).not.toThrow();
});
