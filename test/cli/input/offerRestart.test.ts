import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hindranceToRestart } from '../../../cli/commands/settings.ts';
import { offerRestart } from '../../../cli/input/offerRestart.ts';
import { changedSince, readSettingsFiles } from '../../../schemas/config/settingsFiles.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { fakeIo } from '../fakeIo.ts';

function givenHome() {
  const home = mkdtempSync(join(tmpdir(), 'devflow-settings-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { HOME: home, DEVFLOW_HOME: home, PATH: '' };
  return { home, env, paths: resolvePaths(env) };
}

test('finds the files of settings that were changed, made or removed', () => {
  const { home, paths } = givenHome();
  const config = join(home, 'config.yaml');
  const absent = readSettingsFiles(paths);
  expect(changedSince(absent, readSettingsFiles(paths))).toEqual([]);
  writeFileSync(config, 'logLevel: debug\n');
  writeFileSync(join(home, '.env.local'), 'LOG_LEVEL=info\n');
  const made = readSettingsFiles(paths);
  expect(changedSince(absent, made)).toEqual([config, join(home, '.env.local')]);
  writeFileSync(config, 'logLevel: info\n');
  rmSync(join(home, '.env.local'));
  expect(changedSince(made, readSettingsFiles(paths))).toEqual([config, join(home, '.env.local')]);
  // An older daemon does not say what it read.
  expect(changedSince(undefined, made)).toEqual([]);
});

test('says without a terminal what to do', async () => {
  const { home, env } = givenHome();
  const io = fakeIo({ env });
  expect(await offerRestart(io, [join(home, 'config.yaml')], undefined)).toBe(false);
  expect(io.written.err).toBe(
    '~/config.yaml changed since the daemon started. It still has its old settings.\nTo use the new ones: devflow down, then devflow up. Runs and agents continue.\n',
  );
});

test.each([
  ['logLevel: loud\n', 'The new settings are not valid: '],
  ['database: { mode: compose }\n', 'The daemon uses the database embedded, the settings say compose. To change it: '],
])('offers no restart with the settings %j', async (text, why) => {
  const { home, env } = givenHome();
  writeFileSync(join(home, 'config.yaml'), text);
  const hindrance = hindranceToRestart(env, 'embedded');
  expect(hindrance).toContain(why);
  const io = fakeIo({ env, inIsTty: true, errIsTty: true });
  expect(await offerRestart(io, [join(home, 'config.yaml')], hindrance)).toBe(false);
  expect(io.written.err).toContain(why);
});

test.each(['', 'logLevel: debug\n', 'database: { mode: embedded }\n'])('nothing speaks against %j', (text) => {
  const { home, env } = givenHome();
  writeFileSync(join(home, 'config.yaml'), text);
  expect(hindranceToRestart(env, 'embedded')).toBeUndefined();
  // A database that only the command line named stays.
  expect(hindranceToRestart(env, 'compose') === undefined).toBe(!text.includes('embedded'));
});
