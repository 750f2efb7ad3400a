import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lingers } from '../../../cli/service/askManager.ts';
import { installFiles, readInstalled, removeFiles } from '../../../cli/service/files.ts';
import { serviceOf } from '../../../cli/service/service.ts';

function givenEnv() {
  const HOME = mkdtempSync(join(tmpdir(), 'devflow-service-'));
  onTestFinished(() => rmSync(HOME, { recursive: true, force: true }));
  return { HOME, PATH: process.env.PATH ?? '', DEVFLOW_HOME: `${HOME}/a "b" %h $c` };
}

test.each(['linux', 'darwin'] as const)('is installed, replaced and removed without a trace on %s', (platform) => {
  const env = givenEnv();
  const service = serviceOf(env, platform);
  expect(readInstalled(service)).toEqual({ text: undefined, atLogin: false });
  installFiles({ ...service, text: 'older' });
  installFiles(service);
  expect(readInstalled(service)).toEqual({ text: service.text, atLogin: true });
  expect(readdirSync(dirname(service.file)).filter((name) => /\.\d+$/.test(name))).toEqual([]);
  removeFiles(service);
  removeFiles(service);
  expect(readdirSync(env.HOME)).toEqual([platform === 'linux' ? '.config' : 'Library']);
  expect(existsSync(join(env.HOME, '.config', 'systemd'))).toBe(false);
});

test('leaves the units of others, and is not enabled without its link', () => {
  const service = serviceOf(givenEnv(), 'linux');
  const { file, link } = service;
  const other = join(dirname(file), 'other.service');
  mkdirSync(dirname(other), { recursive: true, mode: 0o700 });
  writeFileSync(other, '');
  installFiles(service);
  rmSync(link?.path ?? '');
  expect(readInstalled(service).atLogin).toBe(false);
  removeFiles(service);
  expect(readdirSync(dirname(file))).toEqual(['other.service']);
});

test('systemd reads the unit without a complaint', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return context.skip('systemd is not installed here');
  const env = givenEnv();
  const service = serviceOf(env, 'linux');
  installFiles(service);
  const runtime = join(env.HOME, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const verify = () =>
    spawnSync('systemd-analyze', ['--user', 'verify', service.file], {
      env: { ...env, XDG_RUNTIME_DIR: runtime },
      encoding: 'utf8',
    });
  expect(verify()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  writeFileSync(service.file, service.text.replace('KillMode=process', 'KillMode=all'));
  expect(verify().stderr).toContain('kill mode');
});

test('the launch agent is a property list with the same words', (context) => {
  if (spawnSync('python3', ['--version']).status !== 0) return context.skip('python3 is not installed here');
  const env = givenEnv();
  const { text } = serviceOf(env, 'darwin');
  const read = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const { stdout } = spawnSync('python3', ['-c', read], { input: text, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({
    ProgramArguments: [expect.stringMatching(/\/bin\/devflow$/), 'service', 'run'],
    EnvironmentVariables: { PATH: env.PATH, DEVFLOW_HOME: env.DEVFLOW_HOME },
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    AbandonProcessGroup: true,
  });
});

test('linger is a file of systemd', () => {
  const { HOME } = givenEnv();
  writeFileSync(join(HOME, 'ada'), '');
  expect([lingers('ada', HOME), lingers('bob', HOME)]).toEqual([true, false]);
});
