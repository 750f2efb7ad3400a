import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { renderPointer } from '../../../schemas/contracts/autodev/renderPointer.ts';
import { givenPointer } from '../../schemas/contracts/autodev/given.ts';
import {
  givenBrief,
  givenManifest,
  givenPlan,
  givenProgress,
  givenStep,
} from '../../schemas/contracts/handover/given.ts';
import { givenRepository } from './givenRepository.ts';

const LARGE = 100 * 1024 * 1024;
const project = (name: string, file: string) => `.claude/projects/2026-01-22-${name}/${file}`;

/** What agents may leave in a repository, and what the whole command says of it. */
test('CC-2, CC-6: a check of hostile files is answered, and touches nothing', async () => {
  const { repo, program } = await givenRepository('contract', {
    '_docs/_autodev_state.md': `${renderPointer(givenPointer())}__proto__: 1\n`,
    [project('headings', 'brief.md')]: givenBrief({}, '## Intent\n'.repeat(1_000_000)),
    [project('patterns', 'plan.md')]: givenPlan([
      givenStep(1, 'x', givenManifest({ commit_message_pattern: "'(a+)+$'" })),
    ]),
    [project('prototypes', 'progress.json')]: givenProgress({ steps: JSON.parse('{"__proto__": {"status": "x"}}') }),
    '.devt/state/bytes.json': 'x',
    '.devt/state/a\nb.txt': 'x',
    '.workflow/.cycle/cycle-v1-20260122T100000-abc123.json': '{"__proto__": {"status": "running"}}',
  });
  const outside = join(dirname(repo), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'brief.md'), 'secret');
  mkdirSync(join(repo, dirname(project('links', 'brief.md'))));
  symlinkSync(join(outside, 'brief.md'), join(repo, project('links', 'brief.md')));
  symlinkSync(outside, join(repo, '.devt/state/linked'));
  writeFileSync(join(repo, '.devt/state/review.json'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  mkdirSync(join(repo, dirname(project('large', 'plan.md'))));
  writeFileSync(join(repo, project('large', 'plan.md')), '');
  truncateSync(join(repo, project('large', 'plan.md')), LARGE);
  const before = readdirSync(dirname(repo), { recursive: true }).sort();

  const { result } = await program('check');
  const said = [...result.errors, ...result.warnings] as { code: string; path: string }[];
  for (const [code, path] of [
    ['BRIEF_READ_ERROR', project('links', 'brief.md')],
    ['PLAN_READ_ERROR', project('large', 'plan.md')],
    ['BRIEF_MISSING_SECTION', project('headings', 'brief.md')],
    ['STATE_AD_HOC', '.devt/state/a\nb.txt'],
    ['STATE_SYMLINK', '.devt/state/linked'],
    ['SIDECAR_UNREADABLE', '.devt/state/review.json'],
    ['CYCLE_MISSING_FIELD', '.workflow/.cycle/cycle-v1-20260122T100000-abc123.json'],
  ])
    expect(said).toContainEqual(expect.objectContaining({ code, path }));
  expect(JSON.stringify(result)).not.toContain('secret');
  expect(readdirSync(dirname(repo), { recursive: true }).sort()).toEqual(before);
  expect(readFileSync(join(outside, 'brief.md'), 'utf8')).toBe('secret');
});

test('CC-2: a directory with too many entries, and too many large files, are said', async () => {
  const { repo, program } = await givenRepository('contract', { '.devt/state/plan.md': '' });
  for (let nth = 0; nth < 10_000; nth += 1) writeFileSync(join(repo, `.devt/state/review-${nth}.md`), '');
  for (let nth = 0; nth < 6; nth += 1) {
    const path = join(repo, project(`large-${nth}`, 'brief.md'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, givenBrief());
    truncateSync(path, 15 * 1024 * 1024);
  }
  const { result } = await program('check');
  expect(result.valid).toBe(false);
  expect(result.errors).toContainEqual(
    expect.objectContaining({ code: 'CONTRACT_NOT_READ_WHOLE', path: '.devt/state' }),
  );
  const unread = result.errors.filter(({ code }: { code: string }) => code === 'BRIEF_READ_ERROR');
  expect(unread.map(({ path }: { path: string }) => path)).toEqual(
    [4, 5].map((nth) => project(`large-${nth}`, 'brief.md')),
  );
});
