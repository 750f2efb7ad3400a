import { describe, expect, it } from 'vitest';
import { failedChecks, type ReviewOptions, reviewIn, reviewRequest } from '../../../cli/commands/review.ts';

const changeOf = (options: ReviewOptions) => reviewRequest('/home/ada', undefined, options).change;

describe('the request of devflow review', () => {
  it('reviews the commits of the current directory without options', () => {
    expect(reviewRequest('/home/ada', undefined, {})).toEqual({
      repo: '/home/ada',
      template: 'review@1',
      requirements: 'Nothing was said about the change. Its commits and its code show what it is for.',
      change: { of: 'commits' },
      bind: {},
      backend: {},
      parallel: true,
      dryRun: false,
    });
  });

  it('says what to review', () => {
    expect(changeOf({ base: 'v1', head: 'FETCH_HEAD' })).toEqual({ base: 'v1', head: 'FETCH_HEAD', of: 'commits' });
    expect(changeOf({ staged: true })).toEqual({ of: 'staged' });
    expect(changeOf({ worktree: true, base: 'main' })).toEqual({ base: 'main', of: 'worktree' });
  });

  it('takes the repository, what the change is for, and who reviews', () => {
    const request = reviewRequest('/home/ada', 'greeting', {
      message: ['Greet by name.', 'And politely.'],
      bind: ['verifier=verifier-codex@1'],
      backend: ['reviewer#1=codex'],
    });
    expect(request).toMatchObject({
      repo: '/home/ada/greeting',
      requirements: 'Greet by name.\n\nAnd politely.',
      bind: { verifier: 'verifier-codex@1' },
      backend: { 'reviewer#1': 'codex' },
    });
  });

  it('takes checks that must pass', () => {
    const { extra } = reviewRequest('/', undefined, { verify: ['npm test', '["npm","run","a b"]'] });
    expect(extra).toEqual({
      review: [
        ['npm', 'test'],
        ['npm', 'run', 'a b'],
      ],
    });
    expect(() => reviewRequest('/', undefined, { verify: ['a && b'] })).toThrow(/no shell runs it/);
  });

  it('refuses options that contradict each other', () => {
    for (const options of [
      { json: true, sarif: true },
      { staged: true, worktree: true },
      { staged: true, head: 'main' },
      { worktree: true, head: 'main' },
      { backend: ['reviewer=nobody'] },
      { head: '' },
    ]) {
      expect(() => reviewRequest('/', undefined, options)).toThrow(expect.objectContaining({ code: 'usage' }));
    }
  });
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
