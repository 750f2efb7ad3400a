import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cutBySteps, workFacts } from '../../../../daemon/engine/performers/workFacts.ts';
import type { Manifest } from '../../../../schemas/contracts/handover/manifest/manifest.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { given } from '../../repository/merge/given.ts';

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
  const commit = (since = base, more: Partial<Pick<Parameters<typeof commitWork>[0], 'steps' | 'trailers'>> = {}) =>
    commitWork({ worktree: place, since, subject: 'devflow: Execute', trailers, ...more });
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

/** The steps of a plan, by the files that they expect. */
const eachStep = [
  { step: 1, title: 'Add the parser', paths: ['src/parse/**'] },
  { step: 2, title: 'Nothing of this', paths: ['other.ts'] },
  { step: 3, title: 'Test\nit', paths: ['test/a.ts', 'src/**', 'old.txt'] },
];

test('HC-8.5 the files of each step become a commit, and the rest one after them', async () => {
  const { base, lane, put, git, commit } = await givenWork();
  for (const name of ['src/parse/a.ts', 'src/b.ts', 'test/a.ts', 'README.md', '.claude/own.md']) put(name, 'x\n');
  git('rm', '-q', 'old.txt');
  const work = await commit(base, await cutBySteps({ lane, since: base, except: ['.claude/'], eachStep }));
  const messages = git('log', '--reverse', '--format=%s', '--name-only', `${base}..`).split('\n').filter(Boolean);
  expect(messages).toEqual([
    'devflow: Step 1: Add the parser',
    'src/parse/a.ts',
    'devflow: Step 3: Test it',
    'old.txt',
    'src/b.ts',
    'test/a.ts',
    'devflow: Execute',
    '.claude/own.md',
    'README.md',
  ]);
  const commits = git('rev-list', '--reverse', `${base}..`).split('\n');
  expect(work).toMatchObject({ commit: commits[2], files: 6 });
  expect(work.steps).toEqual([
    { step: 1, commit: commits[0] },
    { step: 3, commit: commits[1] },
  ]);
  expect(git('status', '--porcelain')).toBe('');
});

test('HC-8.5 after a crash between two steps, the next call goes on with what is left', async () => {
  const { base, lane, put, git, commit } = await givenWork();
  const cut = await cutBySteps({ lane, since: base, eachStep });
  put('src/parse/a.ts', 'x\n');
  await commit(base, cut);
  put('test/a.ts', 'x\n');
  const work = await commit(base, cut);
  const commits = git('rev-list', '--reverse', `${base}..`).split('\n');
  expect(work).toMatchObject({ commit: commits[1], steps: [{ step: 1 }, { step: 3, commit: commits[1] }] });
  expect(await commit(base, cut)).toEqual(work);
});

test('HC-8.5 after a crash between two steps, another attempt goes on with what is left, too', async () => {
  const { base, lane, put, git, commit } = await givenWork();
  const cut = await cutBySteps({ lane, since: base, eachStep });
  put('src/parse/a.ts', 'x\n');
  await commit(base, cut);
  for (const name of ['test/a.ts', 'README.md']) put(name, 'x\n');
  const work = await commit(base, { ...cut, trailers: { run: 'run', phase: 'execute', attempt: 2 } });
  expect(work.steps).toMatchObject([{ step: 1 }, { step: 3 }]);
  expect(git('log', '--reverse', '--format=%s', `${base}..`).split('\n')).toEqual([
    'devflow: Step 1: Add the parser',
    'devflow: Step 3: Test it',
    'devflow: Execute',
  ]);
});

test("HC-8.5 an agent's own commits are never cut", async () => {
  const { base, lane, put, git, commit } = await givenWork();
  put('src/parse/a.ts', 'x\n');
  git('add', '.');
  git('commit', '-qm', 'Mine');
  put('test/a.ts', 'x\n');
  const work = await commit(base, await cutBySteps({ lane, since: base, eachStep }));
  expect(work.steps).toBeUndefined();
  expect(git('log', '--format=%s', `${base}..`).split('\n')).toEqual(['devflow: Execute', 'Mine']);
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
