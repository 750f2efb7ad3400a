import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workFacts } from '../../../../daemon/engine/performers/workFacts.ts';
import type { Manifest } from '../../../../schemas/contracts/handover/manifest.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { given } from '../../harness/merge/given.ts';

/** The worktree of a run, and what its phase leaves there. */
async function givenWork(files: Record<string, string> = {}) {
  const { repo, base, open } = given(files);
  const place = await open('main');
  const lane = { ...place, startCommit: base };
  const put = (name: string, text: string) => {
    mkdirSync(join(place.path, name, '..'), { recursive: true });
    writeFileSync(join(place.path, name), text);
  };
  const git = (...args: string[]) => repo.gitIn(place.path, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args);
  const trailers = { run: 'run', phase: 'execute', attempt: 1 };
  const commit = (since = base) => commitWork({ worktree: place, since, subject: 'devflow: Execute', trailers });
  return { base, lane, path: place.path, put, git, commit };
}

const changesOf = async (effect: Parameters<typeof workFacts>[0], work: { commit: string | null }) =>
  (await workFacts({ ...effect, wantsChanges: true }, work)).changes;

test('CS-53 the list of changes is what git says, and a rename is a deleted and a created file', async () => {
  const { base, lane, put, git, commit } = await givenWork({ 'gone.txt': 'gone\n' });
  put('new/a.txt', 'new\n');
  put('f.txt', 'changed\n');
  git('rm', '-q', 'gone.txt');
  git('mv', 'old.txt', 'moved.txt');
  expect(await changesOf({ lane, since: base }, await commit())).toEqual([
    { path: 'f.txt', action: 'modify' },
    { path: 'gone.txt', action: 'delete' },
    { path: 'moved.txt', action: 'create' },
    { path: 'new/a.txt', action: 'create' },
    { path: 'old.txt', action: 'delete' },
  ]);
});

test('CS-53 the files that devflow writes for the convention are no changes of an agent', async () => {
  const { base, lane, put, commit } = await givenWork();
  put('.workflow/.cycle/cycle.json', '{}');
  put('.workflow/other.txt', 'own\n');
  put('_docs/_autodev_state.md', 'pointer\n');
  const work = await commit();
  const except = ['.workflow/.cycle/', '_docs/_autodev_state.md'];
  expect(await changesOf({ lane, since: base, except }, work)).toEqual([
    { path: '.workflow/other.txt', action: 'create' },
  ]);
});

test('CS-53 hostile names are texts, and an event has room for 1,000 of them', async () => {
  const { base, lane, path, put, commit } = await givenWork();
  put('a\nb', 'x');
  put('"quoted" \\ -> b', 'x');
  execFileSync('sh', ['-c', 'printf x > "$(printf \'bad\\377name\')"'], { cwd: path });
  symlinkSync('/etc/passwd', join(path, 'link'));
  for (let nth = 0; nth < 1_000; nth += 1) put(`many/${nth}`, 'x');
  const changes = (await changesOf({ lane, since: base }, await commit())) ?? [];
  expect(changes).toHaveLength(1_000);
  expect(changes.slice(0, 4).map((each) => each.path)).toEqual(['"quoted" \\ -> b', 'a\nb', 'bad\ufffdname', 'link']);
});

test('CS-53 an attempt that changed nothing has an empty list, and who does not ask gets none', async () => {
  const { base, lane, commit } = await givenWork();
  const work = await commit();
  expect(work.commit).toBeNull();
  expect(await changesOf({ lane, since: base }, work)).toEqual([]);
  expect(await workFacts({ lane, since: base }, work)).toEqual({});
});

const manifestOf = (over: Partial<Manifest>): Manifest => ({
  expected_paths: [],
  min_file_count: 0,
  commit_message_pattern: '^feat',
  bash_syntax_check: [],
  forbidden_paths: [],
  must_contain: [],
  ...over,
});

test('HC-8.5 a manifest is compared with what was committed, and not with the worktree', async () => {
  const { base, lane, put, git, commit } = await givenWork({ '.gitignore': 'ignored/\n' });
  put('src/login.ts', 'export const login = 1;\n');
  git('add', '-A');
  git('commit', '-qm', 'feat: login');
  put('infra/main.tf', 'x');
  put('ignored/secret.ts', 'export const secret = 1;\n');
  const work = await commit();
  put('src/late.ts', 'export const late = 1;\n');
  const manifests = [
    manifestOf({
      expected_paths: ['src/login.ts', 'src', 'f.txt'],
      min_file_count: 1,
      must_contain: [{ path: 'src/login.ts', pattern: '^export const login' }],
    }),
    manifestOf({ expected_paths: ['src/late.ts', 'ignored/secret.ts'], forbidden_paths: ['infra'] }),
    manifestOf({ must_contain: [{ path: 'src/late.ts', pattern: 'late' }], commit_message_pattern: '^fix' }),
  ].map((manifest, index) => ({ step: index + 1, manifest }));
  const { audits } = await workFacts({ lane, since: base, manifests: { since: base, steps: manifests } }, work);
  expect(audits).toEqual([
    { step: 1, result: 'pass', faults: [] },
    {
      step: 2,
      result: 'fail',
      faults: [
        'src/late.ts does not exist',
        'ignored/secret.ts does not exist',
        'infra/main.tf changed, and infra is forbidden',
      ],
    },
    {
      step: 3,
      result: 'fail',
      faults: ['src/late.ts is no text that devflow can read', 'no commit message matches ^fix'],
    },
  ]);
});

test('HC-8.5 a link is no content, and hostile names end no audit', async () => {
  const { base, lane, path, put, commit } = await givenWork();
  put('real.txt', 'root:x:0:0\n');
  symlinkSync('/etc/passwd', join(path, 'passwd'));
  const work = await commit();
  const odd = ['a\nb', '../../etc/passwd', '/etc/passwd', ':(top)x', '--all', ''];
  const manifest = manifestOf({
    expected_paths: [...odd, 'passwd'],
    must_contain: [{ path: 'passwd', pattern: 'root' }, ...odd.map((each) => ({ path: each, pattern: '.' }))],
  });
  const steps = [{ step: 1, manifest }];
  const { audits } = await workFacts({ lane, since: base, manifests: { since: base, steps } }, work);
  expect(audits).toMatchObject([{ step: 1, result: 'fail' }]);
  const linked = [{ step: 1, manifest: manifestOf({ must_contain: [{ path: 'passwd', pattern: 'root' }] }) }];
  expect(
    (await workFacts({ lane, since: base, manifests: { since: base, steps: linked } }, work)).audits,
  ).toMatchObject([{ faults: ['passwd has no line that matches root'] }]);
});

test('HC-8.5 what earlier attempts committed counts, and devflow speaks for agents that do not commit', async () => {
  const { base, lane, put, commit } = await givenWork();
  put('a.ts', 'a\n');
  const { commit: first } = await commit();
  const steps = [{ step: 1, manifest: manifestOf({ expected_paths: ['a.ts'], min_file_count: 1 }) }];
  const second = { commit: null };
  const { audits } = await workFacts({ lane, since: first as string, manifests: { since: base, steps } }, second);
  expect(audits).toEqual([
    { step: 1, result: 'pass-with-note', faults: ['devflow made the commit, so no message is of this step'] },
  ]);
});
