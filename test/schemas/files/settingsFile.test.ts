import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../schemas/config/configLoad.ts';
import { readYaml } from '../../../schemas/definitions/yamlFile.ts';
import { openLog } from '../../../schemas/files/openLog.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';

function home() {
  const DEVFLOW_HOME = mkdtempSync(join(tmpdir(), 'devflow-home-'));
  onTestFinished(() => rmSync(DEVFLOW_HOME, { recursive: true }));
  const env = { DEVFLOW_HOME, PATH: '' };
  return { env, paths: resolvePaths(env) };
}

const PUT: Record<string, (path: string) => void> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a directory': (path) => void mkdirSync(path),
  'a device': (path) => symlinkSync('/dev/zero', path),
  'a huge file': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 40);
  },
};

test.each(
  Object.keys(PUT).flatMap((what) =>
    (['configFile', 'envFile', 'envLocalFile'] as const).map((file) => [what, file] as const),
  ),
)('%s in the place of %s is refused at once, and named', (what, file) => {
  const { env, paths } = home();
  mkdirSync(dirname(paths[file]), { recursive: true });
  PUT[what]?.(paths[file]);
  expect(() => loadConfig(env, paths)).toThrow(
    expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(paths[file]) }),
  );
});

test.each(Object.keys(PUT))('%s in the place of a template is a problem of that file', (what) => {
  const path = join(home().env.DEVFLOW_HOME, 'mine@1.yaml');
  PUT[what]?.(path);
  expect(readYaml(path)).toMatchObject({ ok: false, problems: [{ file: path }] });
});

test('refuses a pipe as a log without waiting for its reader, and follows a link to a log', () => {
  const directory = home().env.DEVFLOW_HOME;
  PUT['a pipe']?.(join(directory, 'pipe.log'));
  expect(() => openLog(join(directory, 'pipe.log'))).toThrow(/not a regular file/);
  symlinkSync('real.log', join(directory, 'linked.log'));
  expect(openLog(join(directory, 'linked.log'))).toBeGreaterThan(2);
  expect(openLog('/dev/null')).toBeGreaterThan(2);
});
