import { mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contracts } from '../../../daemon/doctor/checks/contracts.ts';
import { examine } from '../../../daemon/doctor/doctor.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { writeFiles } from '../../helpers/writeFiles.ts';

const WORKFLOW = 'workflow_type: dev\n';
/** Above the largest pid of Linux and macOS. */
const NOBODY = '999999999';

function given(files: Record<string, string>) {
  const repo = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-contracts-')));
  onTestFinished(() => rmSync(repo, { recursive: true, force: true }));
  writeFiles(repo, files);
  const env = { DEVFLOW_HOME: join(repo, 'home') };
  const look = (cwd = repo) => contracts.run(examine({ paths: resolvePaths(env), strict: false, env, cwd }));
  return { repo, look };
}

it('passes in a directory without contracts, and with valid ones', async () => {
  const without = given({ 'README.md': 'x' });
  expect(await without.look()).toMatchObject({ status: 'pass', detail: `${without.repo} uses no contract` });
  const { repo, look } = given({ '.devt/state/workflow.yaml': WORKFLOW });
  expect(await look()).toMatchObject({ status: 'pass', detail: `1 contract is valid in ${repo}` });
});

it('warns of files that are not valid', async () => {
  const { repo, look } = given({ '.devt/state/odd.xyz': '', '_docs/_autodev_state.md': 'nothing' });
  const found = await look();
  expect(found).toMatchObject({ status: 'warn', remediation: expect.stringContaining('devflow contract check') });
  expect(found.detail).toContain(`in ${repo}: .devt/state has `);
  expect(found.detail).toMatch(/; _docs\/_autodev_state\.md has \d+ errors?/);
});

it('warns of stale files, of a lock that nobody holds, and of probes that failed', async () => {
  const { repo, look } = given({
    '.devt/state/workflow.yaml': WORKFLOW,
    '.devt/state/review-login.md': 'x',
    '.devt/state/.lock': NOBODY,
    '.devt/state/probe-failures.jsonl': `${JSON.stringify({ ts: new Date().toISOString(), category: 'timeout' })}\n`,
  });
  utimesSync(join(repo, '.devt/state/review-login.md'), 1000, 1000);
  expect((await look()).detail).toBe(
    `in ${repo}: .devt/state has 1 stale file, a stale .lock, probes that failed in the last 24 hours`,
  );
});

it('believes a lock whose process lives', async () => {
  const { look } = given({ '.devt/state/workflow.yaml': WORKFLOW, '.devt/state/.lock': String(process.pid) });
  expect((await look()).status).toBe('pass');
});

it('names five contracts, and counts the others', async () => {
  const projects = Array.from({ length: 8 }, (_, nth) => [`.claude/projects/2026-01-0${nth + 1}-x/plan.md`, 'no plan']);
  expect((await given(Object.fromEntries(projects)).look()).detail).toMatch(/; and 3 more contracts$/);
});

it('warns instead of failing, whatever the directory is', async () => {
  const { repo, look } = given({ file: 'x' });
  symlinkSync(repo, join(repo, '.devt'));
  for (const cwd of [repo, join(repo, 'file'), join(repo, 'gone')]) expect((await look(cwd)).status).not.toBe('fail');
});
