import { describe, expect, it } from 'vitest';
import { exitOf, failedChecks, reviewIn, reviewRequest } from '../../../cli/commands/review.ts';
import { REVIEW } from '../../../cli/define/review.ts';
import { givenTo } from '../givenTo.ts';

async function requestOf(...words: string[]) {
  const { params, own } = await givenTo(REVIEW, ...words);
  return reviewRequest('/home/ada', params, own);
}

describe('the request of devflow review', () => {
  it('reviews the commits of the current directory without options', async () => {
    expect(await requestOf()).toEqual({
      repo: '/home/ada',
      template: 'review@1',
      requirements: 'Nothing was said about the change. Its commits and its code show what it is for.',
      change: { of: 'commits' },
      bind: {},
      backend: {},
      parallel: true,
    });
  });

  it.each([
    ['--base v1 --head FETCH_HEAD', { base: 'v1', head: 'FETCH_HEAD', of: 'commits' }],
    ['--staged', { of: 'staged' }],
    ['--worktree --base main', { base: 'main', of: 'worktree' }],
  ])('says what to review: %s', async (options, change) => {
    expect((await requestOf(...options.split(' '))).change).toEqual(change);
  });

  it('takes the repository, what the change is for, and who reviews', async () => {
    const about = ['-m', 'Greet by name.', '-m', 'And politely.'];
    const roles = ['--bind', 'verifier=verifier-codex@1', '--backend', 'reviewer#1=codex'];
    expect(await requestOf('greeting', ...about, ...roles)).toMatchObject({
      repo: '/home/ada/greeting',
      requirements: 'Greet by name.\n\nAnd politely.',
      bind: { verifier: 'verifier-codex@1' },
      backend: { 'reviewer#1': 'codex' },
    });
  });

  it('takes checks that must pass', async () => {
    const { extra } = await requestOf('--verify', 'npm test', '--verify', '["npm","run","a b"]');
    expect(extra).toEqual({
      review: [
        ['npm', 'test'],
        ['npm', 'run', 'a b'],
      ],
    });
    await expect(requestOf('--verify', 'a && b')).rejects.toThrow(/no shell runs it/);
  });

  it.each([
    ['--json --sarif', /'--sarif' cannot be used with option '--json'/],
    ['--staged --worktree', /'--staged' cannot be used with option '--worktree'/],
    ['--staged --head main', /'--staged' cannot be used with option '--head/],
    ['--worktree --head main', /'--worktree' cannot be used with option '--head/],
    ['--backend reviewer=nobody', /there is no backend nobody/],
    ['--head=', /--head needs a branch/],
  ])('refuses %s', async (options, why) => {
    await expect(requestOf(...options.split(' '))).rejects.toThrow(why);
  });
});

it.each([
  ['pass', 'claude', 0],
  ['accepted', 'claude', 0],
  ['findings', 'claude', 1],
  ['pass', 'fake', 6],
  ['findings', 'fake', 6],
] as const)('the exit code of the verdict %s with %s as a verifier is %i', (verdict, backend, code) => {
  const backends = [
    { roleId: 'reviewer', backend: 'codex' as const },
    { roleId: 'verifier', backend },
  ];
  expect(exitOf({ verdict, backends })).toBe(code);
});

it('names the checks that failed at the newest commit', () => {
  const ran = { round: 1, argv: ['npm', 'test'], exitCode: 1, reason: 'exit code 1', findingId: null };
  const commands = [
    { ...ran, argv: ['npm', 'run', 'lint'] },
    { ...ran, round: 2 },
    { ...ran, round: 2, exitCode: 0 },
    { ...ran, round: 2, findingId: 'f1' },
  ];
  expect(failedChecks({ commands })).toEqual(['Failed check: npm test: exit code 1']);
  expect(failedChecks({ commands: [] })).toEqual([]);
});

it('says that an older daemon does not know the verdict', () => {
  const runId = '11110000-0000-4000-8000-000000000000';
  expect(() => reviewIn({ runId })).toThrow(
    expect.objectContaining({
      code: 'version_mismatch',
      recoveryHint: 'Restart it with devflow up. The findings: devflow run findings 11110000.',
    }),
  );
  expect(() => reviewIn({ runId, reviews: [] })).toThrow(/completed without a review/);
});
