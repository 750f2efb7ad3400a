import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { devflowDirectory } from '../../../daemon/doctor/checks/devflowDirectory.ts';
import { examine } from '../../../daemon/doctor/doctor.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';

function given(files: Record<string, string>) {
  const repo = mkdtempSync(join(tmpdir(), 'devflow-other-'));
  onTestFinished(() => rmSync(repo, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: 'pipe' });
  git('init', '-q');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(repo, name, '..'), { recursive: true });
    writeFileSync(join(repo, name), text);
  }
  git('add', '-Af', '.');
  const env = { PATH: process.env.PATH, DEVFLOW_HOME: join(repo, 'home') };
  return {
    repo,
    look: (more: Record<string, string> = {}) => {
      return devflowDirectory.run(
        examine({ paths: resolvePaths(env), strict: false, env: { ...env, ...more }, cwd: repo }),
      );
    },
  };
}

it('passes and names the files of another tool', async () => {
  const { repo, look } = given({ '.devflow/config.yaml': '', 'src/.devflow/x': '' });
  expect(await look()).toMatchObject({
    status: 'pass',
    detail: `${repo} has files of another tool in .devflow (.devflow/config.yaml); devflow leaves them alone`,
  });
});

it.each(['.devflow', '.devflow/artifacts/plan.md'])('warns if %s is tracked', async (name) => {
  const { look } = given({ [name]: 'x' });
  expect(await look()).toMatchObject({ status: 'warn', remediation: expect.stringContaining('.devflow/artifacts/') });
});

it('passes without such files', async () => {
  expect(await given({ 'README.md': 'x' }).look()).toMatchObject({
    status: 'pass',
    detail: expect.stringContaining('no other tool'),
  });
});

it('reads only the named repository, and ignores the environment and the configuration of git', async () => {
  const { repo, look } = given({ '.devflow/config.yaml': '' });
  const other = given({ 'README.md': 'x' });
  const marker = join(repo, 'ran');
  execFileSync('git', ['-C', repo, 'config', 'core.fsmonitor', `touch '${marker}'`]);
  const found = await look({ GIT_DIR: join(other.repo, '.git'), GIT_TRACE: marker });
  expect(found.detail).toContain('.devflow/config.yaml');
  expect(existsSync(marker)).toBe(false);
});
