import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SarifLog } from '../../cli/print/run/sarif.ts';
import { shareDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { proveEnd } from './support.ts';

const daemonOf = shareDaemon();
const FAKE = ['--backend', 'reviewer=fake', '--backend', 'verifier=fake'];

function given() {
  const daemon = daemonOf();
  const repo = daemon.repo();
  const review = (...args: string[]) => daemon.cli(['review', ...FAKE, ...args], { cwd: repo.dir });
  return { daemon, repo, review };
}

async function newestRun(daemon: TestDaemon): Promise<string> {
  const [run] = await daemon.call('run.list', { limit: 1 });
  return run?.runId ?? '';
}

it('rehearses a branch without defects with fake, and leaves the checkout as it is', async () => {
  const { daemon, repo, review } = given();
  const start = repo.git('rev-parse', 'HEAD');
  repo.git('checkout', '-qb', 'feature');
  repo.write({ 'a.ts': 'export const a = 1;\n' });
  repo.git('add', '-A');
  repo.git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'Add a');
  const head = repo.git('rev-parse', 'HEAD');
  const result = await review();
  const note = 'All reviewers run on one backend (fake), so their agreement proves little.';
  expect(result).toMatchObject({ code: 6, stdout: `The reviewers have no findings.\n${note}\n` });
  expect(result.stderr).toContain('review: ');
  expect(result.stderr).toMatch(
    /: rehearsal\n(.*\n)?A rehearsal: fake took part, so nothing is known about the change\./,
  );
  const { events } = await proveEnd(daemon, await newestRun(daemon), 'completed');
  const [row] = await daemon.call('run.list', { limit: 1 });
  expect(row).toMatchObject({
    state: 'completed',
    outcome: { word: 'rehearsal', blockers: 0 },
    onlyReviews: true,
  });
  expect((await daemon.cli(['run', 'list'])).stdout).toMatch(/rehearsal/);
  expect((await daemon.cli(['run', 'show', row?.runId ?? ''])).stdout).toMatch(/^state +. rehearsal$/m);
  const report = await daemon.cli(['run', 'report', row?.runId ?? '']);
  expect(report.stdout).toContain('Review rehearsed with fake: nothing is known about the change');
  expect(await daemon.cli(['apply'], { cwd: repo.dir })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is completed, with work to apply'),
  });
  expect(events[0]?.payload).toMatchObject({ baseBranch: 'main', baseCommit: start, reviewHead: head });
  expect(events.find(({ type }) => type === 'review.prepared')?.payload.brief).toEqual({
    commits: [{ id: head, text: 'Add a' }],
    files: [{ status: 'A', path: 'a.ts', added: 1, removed: 0 }],
    totals: { commits: 1, files: 1, added: 1, removed: 0 },
    known: [],
    instructions: [],
  });
  expect([repo.git('status', '--porcelain'), repo.git('rev-parse', 'HEAD')]).toEqual(['', head]);
});

it('names two defects on one line of uncommitted changes, as text, JSON and SARIF', async () => {
  const { daemon, repo, review } = given();
  repo.write({ 'a.ts': 'const a = 1;\nconst b = 2;\nconst c = 3;\n' });
  const words = ['reviewer#0=high a.ts:2 The bound is off by one', 'reviewer#1=high a.ts:2 The name reaches a shell'];
  const finds = ['--worktree', '-m', words.map((found) => `Finds: ${found}`).join('\n')];
  const text = await review(...finds);
  expect(text).toMatchObject({ code: 6, stdout: expect.stringContaining('The bound is off by one') });
  await proveEnd(daemon, await newestRun(daemon), 'completed');
  const [json, sarif] = [await review(...finds, '--json'), await review(...finds, '--sarif')];
  expect([json.code, sarif.code]).toEqual([6, 6]);
  const answer = JSON.parse(json.stdout);
  // The reviewers work side by side.
  answer.findings.sort((a: { summary: string }, b: { summary: string }) => (a.summary < b.summary ? -1 : 1));
  expect(answer).toMatchObject({
    runId: expect.any(String),
    verdict: 'findings',
    rehearsal: true,
    outcome: { word: 'rehearsal', blockers: 2 },
    base: repo.git('rev-parse', 'HEAD'),
    head: expect.stringMatching(/^[0-9a-f]{40}$/),
    backends: ['reviewer#0', 'reviewer#1', 'verifier'].map((roleId) => ({ roleId, backend: 'fake' })),
    commands: [],
    notes: [expect.stringContaining('one backend')],
    findings: words.map((word) => ({
      summary: word.split('a.ts:2 ')[1],
      path: 'a.ts',
      line: 2,
      quote: 'const b = 2;',
      isBlocker: true,
      reporters: [{ roleId: word.split('=')[0] }],
    })),
  });
  const fingerprints = ({ stdout }: { stdout: string }) =>
    (JSON.parse(stdout) as SarifLog).runs[0]?.results.map((each) => each.partialFingerprints['devflow/v2']).sort();
  expect(JSON.parse(sarif.stdout)).toMatchObject({
    version: '2.1.0',
    runs: [{ results: [{ level: 'error' }, { level: 'error' }] }],
  });
  expect(fingerprints(sarif)).toEqual(fingerprints(await review(...finds, '--sarif')));
  expect(repo.git('status', '--porcelain')).toBe('?? a.ts');
});

it('leaves no ref and no worktree of what is not committed', async () => {
  const { daemon, repo } = given();
  repo.write({ 'secret.ts': 'const secret = 1;\n' });
  repo.git('add', '-A');
  const refs = repo.git('for-each-ref');
  const request = { template: 'review@1', requirements: 'Review it.', change: { of: 'staged' as const } };
  const backend = { reviewer: 'fake', verifier: 'fake' } as const;
  const runId = await startRun(daemon, { repo: repo.dir, ...request, backend });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'prompt.sent' });
  expect(repo.git('for-each-ref')).toBe(refs);
  expect(repo.git('worktree', 'list').split('\n').length).toBeGreaterThan(3);
  const { run } = await proveEnd(daemon, runId, 'completed');
  expect(run.branch).toBeNull();
  expect(repo.git('for-each-ref')).toBe(refs);
  expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(readdirSync(join(daemon.workspaceRoot, runId, 'lanes'))).toEqual([]);
  expect(await daemon.call('run.diff', { runId })).toMatchObject({
    branch: null,
    files: [{ path: 'secret.ts' }],
    uncommittedFiles: null,
  });
  const apply = daemon.call('run.apply', { runId, dryRun: true });
  await expect(apply).rejects.toMatchObject({
    code: 'state_conflict',
    message: expect.stringContaining('only reviews'),
  });
  expect(await daemon.call('run.cleanup', { runId })).toMatchObject({ removed: [], kept: [] });
  expect(repo.git('for-each-ref')).toBe(refs);
});

it('reviews a branch that only deletes', async () => {
  const { daemon, repo, review } = given();
  repo.write({ 'old.ts': 'const first = 1;\nconst second = 2;\n' });
  repo.git('add', '-A');
  repo.git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'Add old');
  repo.git('checkout', '-qb', 'feature');
  repo.git('rm', '-q', 'old.ts');
  repo.git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'Remove old');
  const result = await review('-m', 'Finds-Removed: high old.ts:2 Others need it', '--json');
  expect(result.code).toBe(6);
  expect(JSON.parse(result.stdout)).toMatchObject({
    findings: [{ path: 'old.ts', line: 2, quote: 'const second = 2;', removed: { path: 'old.ts', line: 2 } }],
  });
  const { events } = await proveEnd(daemon, await newestRun(daemon), 'completed');
  const look = events.find(({ type }) => type === 'review.prepared');
  expect(look?.payload).toMatchObject({
    changedLines: 2,
    seats: [{ witnesses: [{ path: 'old.ts', side: 'old', lines: [1, 2] }] }, {}],
  });
});

it('runs the checks of a person on the reviewed code, and nothing else', async () => {
  const { daemon, repo, review } = given();
  repo.write({ 'a.ts': 'const a = 1;\n' });
  repo.git('add', 'a.ts');
  const checks = ['--verify', 'test -f a.ts', '--verify', 'grep -q missing a.ts'];
  const result = await review('--staged', ...checks, '-m', 'Finds: low a.ts:1 The name is odd\nReproduce: touch made');
  expect(result).toMatchObject({ code: 6, stdout: expect.stringContaining('Failed check: grep -q missing a.ts') });
  const { events } = await proveEnd(daemon, await newestRun(daemon), 'completed');
  const checked = events.filter(({ type }) => type === 'review.checked');
  expect(checked.map(({ payload }) => payload)).toMatchObject([
    { what: 'checks', results: [{ argv: ['test', '-f', 'a.ts'], exitCode: 0 }, { exitCode: 1 }] },
  ]);
  expect(events.find(({ type }) => type === 'iteration.completed')?.payload).toMatchObject({
    outcome: 'findings',
    reason: 'A check fails.',
  });
});

it('blocks for no finding below the bar and for no rejected one', async () => {
  const { daemon, repo, review } = given();
  repo.write({ 'a.ts': 'const a = 1;\n' });
  repo.git('add', 'a.ts');
  const low = await review('--staged', '-m', 'Finds: low a.ts:1 The name is odd');
  expect(low).toMatchObject({ code: 6, stdout: expect.stringContaining('The name is odd') });
  const rejected = await review('--staged', '-m', 'Finds: high a.ts:1 It is wrong\nVerdicts: rejected');
  expect(rejected).toMatchObject({ code: 6, stdout: expect.stringContaining('It is wrong') });
  const outcomes = (await daemon.call('run.list', { limit: 2 })).map(({ outcome }) => outcome?.blockers);
  expect(outcomes).toEqual([0, 0]);
});

it('exits with 6 after --timeout, and leaves the review to its agents', async () => {
  const { daemon, repo, review } = given();
  repo.write({ 'a.ts': 'const a = 1;\n' });
  const late = await review('--worktree', '--json', '--timeout', '1s', '-m', 'Scenario: timeout');
  expect(late).toMatchObject({ code: 6, stdout: '' });
  const runId = await newestRun(daemon);
  const [failure = ''] = late.stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(JSON.parse(failure).error).toMatchObject({
    code: 'wait_timeout',
    hint: expect.stringContaining(`devflow run abort ${runId.slice(0, 8)}`),
    data: { runId, waitsFor: expect.any(Array) },
  });
  expect(await daemon.call('run.get', { runId })).toMatchObject({ endedAt: null });
  await daemon.call('run.abort', { runId });
});

it('says what is wrong with a request before anything starts', async () => {
  const { daemon, repo, review } = given();
  const before = await newestRun(daemon);
  const nothing = await review('--staged');
  expect(nothing).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('[nothing_to_review]') });
  // 1 would say that there are defects.
  expect(await review('--base', 'mian')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean main?'),
  });
  expect(await review('--head', '')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--head needs a branch'),
  });
  expect(await daemon.cli(['review', ...FAKE, daemon.root])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('or name one: devflow review <dir>'),
  });
  expect(await review('--staged', '--head', 'main')).toMatchObject({ code: 2 });
  expect(await review('--timeout', 'soon')).toMatchObject({ code: 2, stderr: expect.stringContaining('such as 90s') });
  const request = { repo: repo.dir, requirements: 'x', bind: {}, backend: {}, parallel: false, dryRun: false };
  await expect(daemon.call('run.start', { ...request, template: 'review@1' })).rejects.toMatchObject({
    code: 'usage',
    message: 'Template review@1 only reviews, so it needs a change to review.',
  });
  await expect(daemon.call('run.start', { ...request, template: 'development@1', change: {} })).rejects.toMatchObject({
    code: 'usage',
  });
  expect(await newestRun(daemon)).toBe(before);
});

it('reviews a change whose .gitmodules git refuses to read', async () => {
  const { daemon, repo, review } = given();
  const start = repo.git('rev-parse', 'HEAD');
  repo.git('checkout', '-qb', 'hostile');
  repo.write({
    '.gitmodules': '[submodule "a"]\n\tpath = a\n\turl = x\n\tupdate = !touch /tmp/x\n',
    'a.ts': 'const a = 1;\n',
  });
  repo.git('add', 'a.ts', '.gitmodules');
  repo.git('update-index', '--add', '--cacheinfo', `160000,${start},a`);
  const hostile = repo.git('commit-tree', repo.git('write-tree'), '-p', start, '-m', 'Hostile');
  repo.git('update-ref', 'refs/heads/hostile', hostile);
  const found = await review('--base', 'main', '-m', 'Finds: high a.ts:1 It is wrong');
  expect(found).toMatchObject({ code: 6, stdout: expect.stringContaining('It is wrong') });
  await proveEnd(daemon, await newestRun(daemon), 'completed');
});
