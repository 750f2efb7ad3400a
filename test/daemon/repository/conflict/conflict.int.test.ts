import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leaveConflict } from '../../../../daemon/repository/conflict/attempt.ts';
import type { ResolvedHunk } from '../../../../daemon/repository/conflict/groupProof.ts';
import { prepareConflict } from '../../../../daemon/repository/conflict/prepareConflict.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import type { ScratchRepo } from '../../../helpers/repo.ts';
import { AT, lines } from '../merge/given.ts';
import { callAndDie } from '../merge/killed.ts';
import { type At, givenConflict, HUNK, LANE, MAIN, RESOLVED } from './givenConflict.ts';

async function proven(at: At, ...hunks: ResolvedHunk[]): Promise<string> {
  const proof = await at.prove(...hunks);
  expect(proof).toMatchObject({ ok: true });
  return (proof as { tree: string }).tree;
}

describe('a prepared conflict', () => {
  it('has the automatic merge with markers in the worktree, and HEAD stays', async () => {
    const at = await givenConflict();
    const { head, onto, base, read, git, worktree } = at;
    expect(await at.prepare()).toEqual({
      files: [
        {
          path: 'f.txt',
          reasons: ['CONFLICT (content): Merge conflict in f.txt'],
          base: { text: '1\n2\n3\n4\n5', truncated: false },
          ours: { text: '1\n2\nlane\n4\n5', truncated: false },
          theirs: { text: '1\n2\nmain\n4\n5', truncated: false },
        },
      ],
    });
    expect(read('lane-1', 'f.txt')).toMatch(
      new RegExp(`^1\n2\n<{7} ${head}\nlane\n\\|{7} ${base.slice(0, 7)}\\w*\n3\n={7}\nmain\n>{7} ${onto}\n4\n5\n$`),
    );
    expect(read('lane-1', 'main.txt')).toBe('main\n');
    expect(existsSync(join(worktree.path, 'old.txt'))).toBe(false);
    expect(git('rev-parse', 'HEAD')).toBe(head);
    expect(git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${worktree.branch}`);
    expect((await uncommittedFiles(worktree)).sort()).toEqual(['f.txt', 'main.txt', 'old.txt']);
  });

  it("shows the agent's own git what is left to do, and git refuses to commit or to stash", async () => {
    const { prepare, git } = await givenConflict();
    await prepare();
    expect(git('status', '--porcelain').split('\n').sort()).toEqual(['A  main.txt', 'D  old.txt', 'UU f.txt']);
    expect(git('diff', '--name-only', '--diff-filter=U')).toBe('f.txt');
    for (const words of [['commit', '-m', 'x'], ['stash'], ['switch', '--detach', 'HEAD~1']])
      expect(() => git(...words)).toThrow();
  });

  it("leaves the agent's work as it is in a second call, and begins anew for another attempt", async () => {
    const at = await givenConflict();
    const first = await at.prepare();
    at.put('f.txt', 'half-done\n');
    at.put('made.txt', 'made\n');
    expect(await at.prepare()).toEqual(first);
    expect(at.read('lane-1', 'f.txt')).toBe('half-done\n');
    expect(await at.prepare(2)).toEqual(first);
    expect(at.read('lane-1', 'f.txt')).toContain('<<<<<<<');
    expect(existsSync(join(at.worktree.path, 'made.txt'))).toBe(false);
    const [kept = ''] = at.repo.git('for-each-ref', '--format=%(refname)', 'refs/devflow/kept').split('\n');
    expect(at.repo.git('show', `${kept}:f.txt`, `${kept}:made.txt`, `${kept}:main.txt`)).toBe('half-done\nmade\nmain');
    expect(await at.prepare(3)).toEqual(first);
    expect(at.repo.git('for-each-ref', 'refs/devflow/kept').split('\n')).toHaveLength(1);
  });

  it('takes another commit of main for another attempt', async () => {
    const at = await givenConflict();
    await at.prepare();
    const onto = at.commitOn('main', { 'f.txt': lines('1', '2', 'newer', '4', '5') }, at.onto);
    expect(await prepareConflict({ ...at.input, onto, attempt: 2 })).toMatchObject({
      files: [{ theirs: { text: '1\n2\nnewer\n4\n5' } }],
    });
    expect(at.read('lane-1', 'f.txt')).toContain('newer');
  });

  it('begins anew also where the lane ignores a file of main', async () => {
    const at = await givenConflict(
      LANE,
      ({ git, write }) => {
        write({ 'f.txt': lines('1', '2', 'main', '4', '5'), 'kept.log': 'kept\n' });
        git('add', '-f', 'kept.log');
      },
      { '.gitignore': '*.log\n' },
    );
    await at.prepare();
    at.put('other.log', 'ignored\n');
    expect(await at.prepare(2)).toMatchObject({ files: [{ path: 'f.txt' }] });
    expect(at.read('lane-1', 'kept.log')).toBe('kept\n');
    expect(at.read('lane-1', 'other.log')).toBe('ignored\n');
  });

  it('begins anew without the merge that the agent before began itself', async () => {
    const at = await givenConflict();
    await at.prepare();
    at.git('reset', '-q', '--hard');
    expect(() => at.git('merge', '-q', at.onto)).toThrow();
    await at.prepare(2);
    at.put('f.txt', lines('1', '2', 'lane', 'main', '4', '5'));
    expect(await at.prove(HUNK)).toMatchObject({ ok: true });
  });

  it('changes nothing for a clean merge, and says which commit the branch has if it moved', async () => {
    const at = await givenConflict(LANE, { 'main.txt': 'main\n' });
    expect(await at.prepare()).toEqual({ files: [] });
    expect(await uncommittedFiles(at.worktree)).toEqual([]);
    const other = at.commitOn('lane-1', { 'x.txt': 'x\n' });
    expect(await at.prepare()).toEqual({ raced: other });
  });

  it.each(['f.txt', 'main.txt', 'unrelated.txt'])('is refused over uncommitted work: %s', async (name) => {
    const at = await givenConflict();
    at.put(name, 'mine\n');
    await expect(at.prepare()).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining(`uncommitted work in ${name}`),
    });
    expect(at.read('lane-1', name)).toBe('mine\n');
  });

  it.each([
    ['read-tree -m -u', 'before'],
    ['read-tree -m -u', 'midst'],
    ['read-tree -m -u', 'after'],
    ['update-index -z --index-info', 'after'],
  ] as const)('is the same after a kill at %s, %s', async (point, when) => {
    const at = await givenConflict();
    const half = join(at.worktree.path, 'main.txt');
    callAndDie(at, 'prepareConflict', at.input, { at: point, when, half, gone: join(at.worktree.path, 'f.txt') });
    expect(await at.prepare()).toMatchObject({ files: [{ path: 'f.txt' }] });
    expect(at.read('lane-1', 'f.txt')).toContain('<<<<<<<');
    expect(at.read('lane-1', 'main.txt')).toBe('main\n');
    expect(at.git('status', '--porcelain').split('\n')).toHaveLength(3);
  });

  it('says in words what has no text, and cuts long texts', async () => {
    const at = await givenConflict(
      (repo) => {
        repo.write({ bin: 'a\0lane', long: lines(...Array.from({ length: 5000 }, (_, n) => `lane ${n}`)) });
        repo.git('rm', '-q', 'f.txt');
        symlinkSync('lane-target', join(repo.dir, 'link'));
      },
      (repo) => {
        repo.write({ bin: 'a\0main', 'f.txt': 'main\n', long: 'main\n' });
        symlinkSync('main-target', join(repo.dir, 'link'));
      },
    );
    const { files } = (await at.prepare()) as { files: { path: string }[] };
    expect(files).toMatchObject([
      { path: 'bin', base: { about: 'no such file' }, ours: { about: 'a binary file of 6 bytes' } },
      {
        path: 'f.txt',
        ours: { about: 'no such file' },
        theirs: { text: 'main' },
        reasons: [
          'CONFLICT (modify/delete): f.txt deleted in lane-1 and modified in main.  Version main of f.txt left in tree.',
        ],
      },
      { path: 'link', ours: { about: 'a link to lane-target' }, theirs: { about: 'a link to main-target' } },
      { path: 'long', ours: { truncated: true }, theirs: { truncated: false } },
    ]);
  });
});

describe('a resolution', () => {
  it('is committed as a merge, and the worktree is clean afterwards', async () => {
    const at = await givenConflict();
    await at.prepare();
    at.put('f.txt', RESOLVED);
    const tree = await proven(at, HUNK);
    const { commit } = (await at.commit(tree)) as { commit: string };
    const { repo, head, onto, worktree, git, tip } = at;
    expect(tip('lane-1')).toBe(commit);
    expect(repo.git('log', '-1', '--format=%P %cI', commit)).toBe(`${head} ${onto} 2026-01-02T03:04:05+00:00`);
    expect(repo.git('log', '-1', '--format=%B', commit)).toContain('Devflow-Run: run\nDevflow-Lane: lane-1');
    expect(repo.git('show', `${commit}:f.txt`)).toBe(RESOLVED.trimEnd());
    expect(git('status', '--porcelain')).toBe('');
    expect(await uncommittedFiles(worktree)).toEqual([]);
    expect(await at.commit(tree)).toEqual({ commit });
    expect(await at.prepare()).toEqual({ files: [] });
  });

  it.each([
    ['update-ref', 'before'],
    ['update-ref', 'after'],
    ['read-tree --reset', 'after'],
  ] as const)('is the same commit after a kill at %s, %s', async (point, when) => {
    const at = await givenConflict();
    await at.prepare();
    at.put('f.txt', RESOLVED);
    const tree = await proven(at, HUNK);
    const { worktree, head, onto } = at;
    const input = { worktree, head, onto, tree, runId: 'run', laneId: 'lane-1', at: AT };
    callAndDie(at, 'commitResolution', input, { at: point, when });
    expect(await at.commit(tree)).toEqual({ commit: at.tip('lane-1') });
    expect(at.git('status', '--porcelain')).toBe('');
  });

  it('is not committed over a branch that moved', async () => {
    const at = await givenConflict();
    await at.prepare();
    at.put('f.txt', RESOLVED);
    const tree = await proven(at, HUNK);
    const other = at.commitOn('lane-1', { 'x.txt': 'x\n' }, at.head);
    expect(await at.commit(tree)).toEqual({ raced: other });
  });

  it('may have what .gitignore names, if main has it', async () => {
    const at = await givenConflict(LANE, ({ git, write }) => {
      write({ 'f.txt': lines('1', '2', 'main', '4', '5'), '.gitignore': '*.log\n', 'kept.log': 'kept\n' });
      git('add', '-f', 'kept.log');
    });
    await at.prepare();
    at.put('f.txt', RESOLVED);
    at.put('other.log', 'ignored\n');
    const tree = await proven(at, HUNK);
    expect(at.repo.git('ls-tree', '--name-only', tree).split('\n')).toContain('kept.log');
    expect(at.repo.git('ls-tree', '--name-only', tree).split('\n')).not.toContain('other.log');
  });

  it('needs a person for a dropped test, and names it', async () => {
    const at = await givenConflict({ 'a.test.ts': "it('lane', f);\n" }, { 'a.test.ts': "it('main', f);\n" });
    await at.prepare();
    at.put('a.test.ts', "it('main', f);\n");
    const dropped = [{ side: 'ours' as const, text: "it('lane', f);" }];
    expect(await at.prove({ ...HUNK, path: 'a.test.ts', decision: 'theirs', dropped })).toMatchObject({
      ok: true,
      droppedTests: ['a.test.ts: the test "lane"'],
    });
  });

  it('of a removed file takes either decision', async () => {
    const at = await givenConflict(({ git }) => void git('rm', '-q', 'f.txt'), { 'f.txt': 'main\n' });
    await at.prepare();
    expect(await at.prove({ ...HUNK, decision: 'theirs' })).toMatchObject({ ok: true });
    unlinkSync(join(at.worktree.path, 'f.txt'));
    expect(await at.prove({ ...HUNK, decision: 'ours' })).toMatchObject({ ok: false });
    const dropped = [{ side: 'theirs' as const, text: 'main' }];
    await at.commit(await proven(at, { ...HUNK, decision: 'ours', dropped }));
    expect(existsSync(join(at.worktree.path, 'f.txt'))).toBe(false);
  });

  it('of a file and a directory of one name may move the file into it', async () => {
    const at = await givenConflict({ place: 'file\n' }, { 'place/in.txt': 'in\n' });
    await at.prepare();
    const aside = `place~${at.head}`;
    expect(at.read('lane-1', aside)).toBe('file\n');
    expect(await at.prove({ ...HUNK, path: aside, decision: 'ours' })).toMatchObject({ ok: true });
  });

  it('of names that are not UTF-8 and of names with spaces and quotes is proven', async () => {
    const name = 'ö "x"\ty.txt';
    const at = await givenConflict({ [name]: 'lane\n' }, { [name]: 'main\n' });
    expect(await at.prepare()).toMatchObject({ files: [{ path: name }] });
    at.put(name, 'lane\nmain\n');
    expect(await at.prove({ ...HUNK, path: name })).toMatchObject({ ok: true });
  });

  it('takes line ends as the repository stores them', async () => {
    const at = await givenConflict(
      LANE,
      { 'f.txt': lines('1', '2', 'main', '4', '5') },
      {
        '.gitattributes': '*.txt text eol=crlf\n',
      },
    );
    await at.prepare();
    expect(at.read('lane-1', 'f.txt')).toContain('lane\r\n');
    at.put('f.txt', RESOLVED.replaceAll('\n', '\r\n'));
    const tree = await proven(at, HUNK);
    expect(at.repo.git('show', `${tree}:f.txt`)).toBe(RESOLVED.trimEnd());
  });

  it('of a binary file has the version that it decides for', async () => {
    const at = await givenConflict({ bin: 'a\0lane' }, { bin: 'a\0main' });
    await at.prepare();
    const hunk = { ...HUNK, path: 'bin' };
    expect(await at.prove({ ...hunk, decision: 'theirs' })).toMatchObject({
      faults: ['bin is not the version of theirs, although the artifact decides for it.'],
    });
    expect(await at.prove({ ...hunk, decision: 'ours' })).toMatchObject({ ok: true });
    at.put('bin', 'a\0main');
    expect(await at.prove({ ...hunk, decision: 'theirs' })).toMatchObject({ ok: true });
  });

  it('of a file that is too large to compare takes the version of one side', async () => {
    const large = (start: string) => `${start}${'\0'.repeat(66 * 1024 * 1024)}`;
    const text = (start: string) => `${start}${`${'x'.repeat(1023)}\n`.repeat(17 * 1024)}`;
    const at = await givenConflict({ bin: large('lane'), text: text('lane') }, { bin: 'main\0', text: 'main\n' });
    await at.prepare();
    const bin: ResolvedHunk = { ...HUNK, path: 'bin', decision: 'ours' };
    expect(await at.prove(bin, { ...HUNK, path: 'text' })).toMatchObject({
      faults: [expect.stringContaining('text is too large to compare')],
    });
    at.put('text', 'main\n');
    expect(await at.prove(bin, { ...HUNK, path: 'text', decision: 'theirs' })).toMatchObject({ ok: true });
  }, 60_000);

  it.each([
    ['in a text with a NUL far from its start', `${'line\n'.repeat(3000)}\0\n`, ''],
    ['behind a NUL that the agent added', '', '\0'],
  ])('leaves no conflict markers %s', async (_, before, added) => {
    const at = await givenConflict(
      { 'f.txt': `${before}lane\n` },
      { 'f.txt': `${before}main\n` },
      { 'f.txt': `${before}x\n` },
    );
    await at.prepare();
    at.put('f.txt', `${added}${at.read('lane-1', 'f.txt')}`);
    expect(await at.prove(HUNK)).toMatchObject({
      faults: [expect.stringContaining('f.txt still has conflict markers')],
    });
  });

  it('chooses the commit of a submodule, which the worktree cannot', async () => {
    const link = (digit: string) => (repo: ScratchRepo) => {
      mkdirSync(join(repo.dir, 'sub'));
      repo.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},sub`);
    };
    const at = await givenConflict(link('1'), link('2'));
    await at.prepare();
    const hunk = { ...HUNK, path: 'sub' };
    expect(await at.prove(hunk)).toMatchObject({ faults: ['sub is a submodule: decide for ours or for theirs.'] });
    for (const [decision, digit] of [
      ['ours', '1'],
      ['theirs', '2'],
    ] as const) {
      const tree = await proven(at, { ...hunk, decision });
      expect(at.repo.git('ls-tree', tree, 'sub')).toContain(digit.repeat(40));
    }
  });
});

/** What an agent may have done instead, and a part of what it is told. */
const FAULTS: Record<string, [act: (at: At) => void, said: string | RegExp, hunk?: Partial<ResolvedHunk>]> = {
  'left the markers': [() => {}, /^f\.txt still has conflict markers: line 3: <<<<<<< /],
  "dropped the other side's line": [({ put }) => put('f.txt', lines('1', '2', 'lane', '4', '5')), '\n  theirs: main'],
  'changed another file': [({ put }) => put('lane.txt', 'more\n'), 'differ from the automatic merge: lane.txt.'],
  "changed a file of main's": [({ put }) => put('main.txt', 'more\n'), 'differ from the automatic merge: main.txt.'],
  'added a file': [({ put }) => put('new/new.txt', 'x\n'), 'differ from the automatic merge: new/new.txt.'],
  'brought back a removed file': [({ put }) => put('old.txt', 'old\n'), 'differ from the automatic merge: old.txt.'],
  'replaced a file by a link': [
    ({ worktree }) => {
      unlinkSync(join(worktree.path, 'lane.txt'));
      symlinkSync('/etc/passwd', join(worktree.path, 'lane.txt'));
    },
    'differ from the automatic merge: lane.txt.',
  ],
  'made a file executable': [
    ({ worktree }) => chmodSync(join(worktree.path, 'lane.txt'), 0o755),
    'differ from the automatic merge: lane.txt.',
  ],
  'made the conflicting file executable': [
    ({ put, worktree }) => {
      put('f.txt', RESOLVED);
      chmodSync(join(worktree.path, 'f.txt'), 0o755);
    },
    'f.txt is an executable file, but it was a file.',
  ],
  'replaced the conflicting file by a link': [
    ({ worktree }) => {
      unlinkSync(join(worktree.path, 'f.txt'));
      symlinkSync('/etc/passwd', join(worktree.path, 'f.txt'));
    },
    'f.txt is a link, but it was a file.',
    {
      dropped: [
        { side: 'ours', text: 'lane' },
        { side: 'theirs', text: 'main' },
      ],
    },
  ],
  'named another file': [
    ({ put }) => put('f.txt', RESOLVED),
    'names files that have no conflict: lane.txt.',
    { path: 'lane.txt' },
  ],
  'said nothing about a file': [
    ({ put }) => put('f.txt', RESOLVED),
    'says nothing about the conflict in f.txt.',
    { path: 'lane.txt' },
  ],
  'undid the merge': [({ git }) => void git('reset', '-q', '--hard'), 'The merge is gone'],
  committed: [
    ({ git, put }) => {
      put('f.txt', RESOLVED);
      git('add', '-A');
      git('commit', '-qm', 'mine');
    },
    /^devflow\/run\/lane-1 is at \w{12} instead of \w{12}, but devflow makes the commit\./,
  ],
  'switched to another branch': [
    ({ git }) => {
      git('add', '-A');
      git('switch', '-q', '-c', 'other');
    },
    'HEAD is no longer devflow/run/lane-1.',
  ],
  'detached HEAD': [
    ({ git }) => {
      git('add', '-A');
      git('switch', '-q', '--detach');
    },
    'HEAD is no longer devflow/run/lane-1.',
  ],
  'deleted the branch': [
    ({ repo, worktree }) => void repo.git('update-ref', '-d', `refs/heads/${worktree.branch}`),
    'The branch devflow/run/lane-1 is gone.',
  ],
  'began its own merge': [
    ({ git, onto }) => {
      git('reset', '-q', '--hard');
      expect(() => git('merge', '-q', onto)).toThrow();
    },
    'The worktree is in the middle of a merge. End it, which changes no file: git merge --quit',
  ],
};

/** The work of an agent that `refs/devflow/kept` still has. */
function keptTrees({ repo }: At): string[] {
  const refs = repo.git('for-each-ref', '--format=%(tree)', 'refs/devflow/kept');
  return refs === '' ? [] : refs.split('\n');
}

describe('the next attempt begins anew after the agent', () => {
  it.each(['committed', 'switched to another branch', 'detached HEAD', 'deleted the branch'])('%s', async (what) => {
    const at = await givenConflict();
    const first = await at.prepare();
    (FAULTS[what] as (typeof FAULTS)[string])[0](at);
    expect(await at.prepare(2)).toEqual(first);
    expect(await at.prepare(2)).toEqual(first);
    expect(at.tip('lane-1')).toBe(at.head);
    expect(at.git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${at.worktree.branch}`);
    expect(at.git('status', '--porcelain').split('\n').sort()).toEqual(['A  main.txt', 'D  old.txt', 'UU f.txt']);
    at.put('f.txt', RESOLVED);
    expect(await at.prove(HUNK)).toMatchObject({ ok: true });
  });

  it('committed, whose commit is kept once', async () => {
    const at = await givenConflict();
    await at.prepare();
    (FAULTS.committed as (typeof FAULTS)[string])[0](at);
    const commit = at.tip('lane-1');
    const tree = at.repo.git('rev-parse', `${commit}^{tree}`);
    await at.prepare(2);
    expect(keptTrees(at)).toEqual([tree]);
    expect(at.repo.git('for-each-ref', '--format=%(objectname)', 'refs/devflow/kept')).toBe(commit);
  });

  it.each([
    ['update-ref', 'before'],
    ['update-ref', 'after'],
    ['update-ref --no-deref', 'before'],
    ['update-ref --no-deref', 'after'],
    ['for-each-ref', 'after'],
  ] as const)('committed, also after a kill at %s, %s', async (point, when) => {
    const at = await givenConflict();
    const first = await at.prepare();
    (FAULTS.committed as (typeof FAULTS)[string])[0](at);
    callAndDie(at, 'prepareConflict', { ...at.input, attempt: 2 }, { at: point, when });
    expect(await at.prepare(2)).toEqual(first);
    expect(at.tip('lane-1')).toBe(at.head);
    expect(keptTrees(at)).toHaveLength(1);
  });
});

describe('the next attempt begins anew after a kill in the middle of restoring the files', () => {
  it.each([
    ['ls-files --stage', 'before'],
    ['checkout-index', 'before'],
    ['checkout-index', 'after'],
  ] as const)('at %s, %s, and what was half restored is not kept as work', async (point, when) => {
    const at = await givenConflict();
    const first = await at.prepare();
    callAndDie(at, 'prepareConflict', { ...at.input, attempt: 2 }, { at: point, when });
    expect(await at.prepare(2)).toEqual(first);
    expect(keptTrees(at)).toEqual([]);
    expect(at.git('status', '--porcelain').split('\n').sort()).toEqual(['A  main.txt', 'D  old.txt', 'UU f.txt']);
  });

  it('and the work of the agent is kept once', async () => {
    const at = await givenConflict();
    const first = await at.prepare();
    at.put('f.txt', 'half-done\n');
    callAndDie(at, 'prepareConflict', { ...at.input, attempt: 2 }, { at: 'checkout-index', when: 'before' });
    expect(await at.prepare(2)).toEqual(first);
    expect(keptTrees(at)).toHaveLength(1);
    expect(at.repo.git('show', `${keptTrees(at)[0]}:f.txt`)).toBe('half-done');
  });
});

describe('a conflict that nobody resolves any more', () => {
  it('leaves the lane as it was, and keeps the work of its agent', async () => {
    const at = await givenConflict();
    await at.prepare();
    (FAULTS.committed as (typeof FAULTS)[string])[0](at);
    const tree = at.git('rev-parse', 'HEAD^{tree}');
    const { head, worktree } = at;
    await leaveConflict({ worktree, head });
    expect(at.tip('lane-1')).toBe(head);
    expect(await uncommittedFiles(worktree)).toEqual([]);
    expect(existsSync(join(worktree.path, 'main.txt'))).toBe(false);
    expect(keptTrees(at)).toEqual([tree]);
    expect(await at.prepare()).toMatchObject({ files: [{ path: 'f.txt' }] });
  });

  it('is all that is taken away: other work stays', async () => {
    const at = await givenConflict();
    at.put('f.txt', 'mine\n');
    await leaveConflict({ worktree: at.worktree, head: at.head });
    expect(at.read('lane-1', 'f.txt')).toBe('mine\n');
  });
});

describe('a resolution is refused, with what to do, if the agent', () => {
  it.each(Object.keys(FAULTS))('%s', async (what) => {
    const at = await givenConflict();
    await at.prepare();
    const [act, said, hunk] = FAULTS[what] as (typeof FAULTS)[string];
    act(at);
    const proof = await at.prove({ ...HUNK, ...hunk });
    expect(proof).toMatchObject({ ok: false });
    const { faults } = proof as { faults: string[] };
    const isSaid = (fault: string) => (typeof said === 'string' ? fault.includes(said) : said.test(fault));
    expect(faults.filter(isSaid), faults.join('\n')).toHaveLength(1);
  });

  it.each([
    ['undid the merge', 'git restore --source='],
    ['committed', 'git update-ref'],
    ['switched to another branch', 'git symbolic-ref'],
    ['deleted the branch', 'git update-ref'],
    ['began its own merge', 'git merge --quit'],
  ])('%s, and doing it leads to a proof', async (what, command) => {
    const at = await givenConflict();
    await at.prepare();
    (FAULTS[what] as (typeof FAULTS)[string])[0](at);
    const { faults } = (await at.prove(HUNK)) as { faults: string[] };
    const said = faults.find((fault) => fault.includes(command)) as string;
    at.git(...said.slice(said.lastIndexOf(command)).split(' ').slice(1));
    at.put('f.txt', RESOLVED);
    expect(await at.prove(HUNK)).toMatchObject({ ok: true });
  });
});

it('runs no program of the repository while a conflict is resolved', async () => {
  const at = await givenConflict(LANE, MAIN, { '.gitattributes': '* filter=planted merge=planted\n' });
  const { root, dir, git } = at.repo;
  const program = join(root, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${root}/ran\ncat\n`, { mode: 0o755 });
  for (const key of ['filter.planted.smudge', 'filter.planted.clean', 'merge.planted.driver', 'core.fsmonitor'])
    git('config', key, program);
  mkdirSync(join(dir, '.git/hooks'), { recursive: true });
  for (const hook of ['pre-commit', 'post-commit', 'reference-transaction', 'post-index-change', 'pre-merge-commit'])
    writeFileSync(join(dir, '.git/hooks', hook), readFileSync(program), { mode: 0o755 });
  await at.prepare();
  at.put('f.txt', RESOLVED);
  await at.prepare(2);
  at.put('f.txt', RESOLVED);
  await at.commit(await proven(at, HUNK));
  expect(existsSync(join(root, 'ran'))).toBe(false);
  rmSync(program);
});
