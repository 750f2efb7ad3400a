import { existsSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LaneChain, mergeLanes } from '../../../../daemon/repository/merge/mergeLanes.ts';
import type { ScratchRepo } from '../../../helpers/repo.ts';
import { AT, type Given, given, lines } from './given.ts';

const merge = (at: Given, lanes: { laneId: string; head: string }[], base = at.base) =>
  mergeLanes({ worktree: at.place('main'), base, lanes, runId: 'run', at: AT });

/** Paths and contents of a commit. */
const contentOf = ({ repo }: Given, commit: string) => repo.git('ls-tree', '-r', commit);

function addSubmodule({ dir, git }: ScratchRepo, digit: string): void {
  mkdirSync(join(dir, 'sub'));
  git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},sub`);
}

describe('lanes that do not conflict', () => {
  it('become a chain of merge commits with devflow trailers, and no branch moves', async () => {
    const at = given();
    const { repo, base, lane } = at;
    const lanes = [lane('lane-1', { 'a.txt': 'a\n' }), lane('lane-2', { 'b.txt': 'b\n' })];
    const third = lane('lane-3', { 'f.txt': lines('1', '2', '3', '4', 'five') });
    const refs = repo.git('for-each-ref');
    const { commits, tree } = (await merge(at, [...lanes, third])) as LaneChain;
    const [one, two, last] = commits as [string, string, string];

    expect(one).toBe(lanes[0]?.head);
    expect(repo.git('log', '-1', '--format=%P', two)).toBe(`${one} ${lanes[1]?.head}`);
    expect(repo.git('log', '-1', '--format=%P', last)).toBe(`${two} ${third.head}`);
    expect(repo.git('log', '-1', '--format=%B', last)).toBe(
      'devflow: merge lane-3\n\nDevflow-Run: run\nDevflow-Lane: lane-3',
    );
    expect(repo.git('log', '-1', '--format=%an <%ae> %aI %cI', last)).toBe(
      'Test <test@localhost> 2026-01-02T03:04:05+00:00 2026-01-02T03:04:05+00:00',
    );
    expect(repo.git('rev-parse', `${last}^{tree}`)).toBe(tree);
    expect(repo.git('show', `${last}:f.txt`, `${last}:a.txt`, `${last}:b.txt`)).toBe('1\n2\n3\n4\nfive\na\nb');
    expect(repo.git('for-each-ref')).toBe(refs);
    expect(repo.git('merge-base', '--is-ancestor', base, last)).toBe('');
  });

  it('become the same commits in a second call', async () => {
    const at = given();
    const lanes = [at.lane('lane-1', { 'a.txt': 'a\n' }), at.lane('lane-2', { 'b.txt': 'b\n' })];
    const before = process.env.TZ;
    const first = await merge(at, lanes);
    process.env.TZ = 'Asia/Tokyo';
    try {
      expect(await merge(at, lanes)).toEqual(first);
    } finally {
      process.env.TZ = before;
    }
    // A chain continues where a part of it has landed.
    const { commits } = first as LaneChain;
    expect(await merge(at, lanes.slice(1), commits[0])).toMatchObject({ commits: commits.slice(1) });
  });

  it('are taken as they are where there is nothing to merge', async () => {
    const at = given();
    const one = at.lane('lane-1', { 'a.txt': 'a\n' });
    const two = at.lane('lane-2', { 'b.txt': 'b\n' }, one.head);
    const empty = { laneId: 'lane-3', head: at.base };
    expect(await merge(at, [one, two])).toMatchObject({ commits: [one.head, two.head] });
    expect(await merge(at, [two, one, empty])).toMatchObject({ commits: [two.head, two.head, two.head] });
    expect(await merge(at, [])).toEqual({ commits: [], tree: at.repo.git('rev-parse', `${at.base}^{tree}`) });
  });

  it('merge both renames and changes of a file, a removal and odd names', async () => {
    const at = given({ 'ö "quoted"\n.txt': lines('a', 'b', 'c', 'd'), 'dir/x.txt': 'x\n' });
    const one = at.lane('lane-1', ({ git }) => {
      git('mv', 'f.txt', 'moved.txt');
      git('rm', '-q', 'dir/x.txt');
    });
    const two = at.lane('lane-2', {
      'f.txt': lines('one', '2', '3', '4', '5'),
      'ö "quoted"\n.txt': lines('a', 'b', 'c', 'D'),
    });
    const { commits } = (await merge(at, [one, two])) as LaneChain;
    expect(at.repo.git('show', `${commits[1]}:moved.txt`)).toBe('one\n2\n3\n4\n5');
    expect(at.repo.git('show', `${commits[1]}:ö "quoted"\n.txt`)).toBe('a\nb\nc\nD');
    expect(contentOf(at, commits[1] as string)).not.toContain('dir/x.txt');
  });
});

describe('lanes that conflict', () => {
  it('stop the chain, with the files, and the earlier lanes that changed them', async () => {
    const at = given();
    const lanes = [
      at.lane('lane-1', { 'a.txt': 'a\n' }),
      at.lane('lane-2', { 'f.txt': lines('1', '2', 'two', '4', '5') }),
      at.lane('lane-3', { 'f.txt': lines('1', '2', 'three', '4', '5'), 'c.txt': 'c\n' }),
      at.lane('lane-4', { 'd.txt': 'd\n' }),
    ];
    const { commits } = (await merge(at, lanes.slice(0, 2))) as LaneChain;
    expect(await merge(at, lanes)).toEqual({
      conflict: {
        laneId: 'lane-3',
        paths: ['f.txt'],
        with: ['lane-2'],
        ours: commits[1],
        theirs: lanes[2]?.head,
        base: at.base,
      },
    });
    // Alone with what landed already: nobody of the batch is in the way.
    expect(await merge(at, lanes.slice(2), commits[1])).toMatchObject({ conflict: { with: [] } });
  });

  it.each<[string, Parameters<Given['commitOn']>[1], Parameters<Given['commitOn']>[1], string[]]>([
    ['two new files of one name', { 'new.txt': 'a\n' }, { 'new.txt': 'b\n' }, ['new.txt']],
    ['a changed and a removed file', { 'f.txt': 'x\n' }, ({ git }) => void git('rm', '-q', 'f.txt'), ['f.txt']],
    ['binary files', { bin: 'a\0o' }, { bin: 'a\0t' }, ['bin']],
    [
      'a file renamed twice',
      ({ git }) => void git('mv', 'f.txt', 'g.txt'),
      ({ git }) => void git('mv', 'f.txt', 'h.txt'),
      ['f.txt', 'g.txt', 'h.txt'],
    ],
    [
      'two targets of a link',
      ({ dir }) => symlinkSync('a', join(dir, 'link')),
      ({ dir }) => symlinkSync('b', join(dir, 'link')),
      ['link'],
    ],
    ['two commits of a submodule', (repo) => addSubmodule(repo, '1'), (repo) => addSubmodule(repo, '2'), ['sub']],
  ])('name the files of %s', async (_, ours, theirs, paths) => {
    const at = given();
    expect(await merge(at, [at.lane('lane-1', ours), at.lane('lane-2', theirs)])).toMatchObject({
      conflict: { paths },
    });
  });

  it('name a file where the other lane has a directory', async () => {
    const at = given();
    const one = at.lane('lane-1', { place: 'file\n' });
    const two = at.lane('lane-2', { 'place/in.txt': 'in\n' });
    const paths = ['place', `place~${one.head}`];
    expect(await merge(at, [one, two])).toMatchObject({ conflict: { paths } });
  });

  it.each(['-merge', 'binary', 'merge=binary'])('are files for which the attributes say %s', async (attribute) => {
    const at = given({ '.gitattributes': `*.lock ${attribute}\n`, 'a.lock': lines('1', '2', '3', '4', '5') });
    const one = at.lane('lane-1', { 'a.lock': lines('one', '2', '3', '4', '5') });
    const two = at.lane('lane-2', { 'a.lock': lines('1', '2', '3', '4', 'five') });
    const same = at.lane('lane-3', { 'a.lock': lines('one', '2', '3', '4', '5'), 'x.txt': 'x\n' });
    expect(await merge(at, [one, two])).toMatchObject({ conflict: { laneId: 'lane-2', paths: ['a.lock'] } });
    expect(await merge(at, [one, same])).toMatchObject({ commits: [one.head, expect.any(String)] });
  });
});

describe('a merge of lanes fails with git_failed', () => {
  it('for a commit that does not exist', async () => {
    const at = given();
    const lanes = [at.lane('lane-1', { 'a.txt': 'a\n' }), { laneId: 'lane-2', head: '1'.repeat(40) }];
    await expect(merge(at, lanes)).rejects.toMatchObject({ code: 'git_failed' });
  });
  it('for unrelated history', async () => {
    const at = given();
    const one = at.lane('lane-1', { 'a.txt': 'a\n' });
    at.repo.git('switch', '-q', '--orphan', 'other');
    const head = at.repo.commit({ 'b.txt': 'b\n' });
    await expect(merge(at, [one, { laneId: 'lane-2', head }])).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining('no common commit'),
    });
  });
});

/** What a repository could do to change how git merges. */
const HOSTILE: Record<string, (at: Given) => void> = {
  'attributes of the commits': ({ repo }) =>
    void repo.commit({ '.gitattributes': '* merge=planted text=auto eol=crlf\n' }),
  'attributes beside the repository': ({ repo }) => {
    mkdirSync(join(repo.dir, '.git/info'), { recursive: true });
    writeFileSync(join(repo.dir, '.git/info/attributes'), '* merge=union\n');
  },
  'renormalization, other renames and another conflict style': ({ repo }) => {
    for (const [key, value] of [
      ['merge.renormalize', 'true'],
      ['merge.renames', 'false'],
      ['merge.conflictStyle', 'zdiff3'],
      ['merge.default', 'planted'],
      ['diff.algorithm', 'patience'],
    ] as const)
      repo.git('config', key, value);
  },
};

describe('the repository does not decide how lanes are merged', () => {
  it.each(Object.keys(HOSTILE))('with %s', async (name) => {
    const at = given();
    const { repo } = at;
    const { root } = repo;
    writeFileSync(join(root, 'driver'), `#!/bin/sh\ntouch ${root}/ran\nexit 0\n`, { mode: 0o755 });
    repo.git('config', 'merge.planted.driver', `${root}/driver %O %A %B`);
    HOSTILE[name]?.(at);
    const base = repo.git('rev-parse', 'HEAD');
    const one = at.lane('lane-1', { 'f.txt': 'a\r\n' }, base);
    const two = at.lane('lane-2', { 'f.txt': 'b\n' }, base);
    // A rename with a change on the other side merges, also where the repository would not look for renames.
    const moved = at.lane('lane-3', ({ git }) => void git('mv', 'f.txt', 'g.txt'), base);
    expect(await merge(at, [one, two], base)).toMatchObject({ conflict: { paths: ['f.txt'] } });
    const three = at.lane('lane-4', { 'f.txt': lines('one', '2', '3', '4', '5') }, base);
    const { commits } = (await merge(at, [moved, three], base)) as LaneChain;
    expect(repo.git('show', `${commits[1]}:g.txt`)).toBe('one\n2\n3\n4\n5');
    expect(() => repo.git('show', `${commits[1]}:f.txt`)).toThrow();
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it('with attributes in the directory of the daemon, which git would read there', async () => {
    const at = given();
    const one = at.lane('lane-1', { 'f.txt': lines('one', '2', '3', '4', '5') });
    const two = at.lane('lane-2', { 'f.txt': lines('1', '2', '3', '4', 'five') });
    const before = process.cwd();
    writeFileSync(join(at.repo.dir, '.gitattributes'), '* -merge\n');
    process.chdir(at.repo.dir);
    try {
      expect(await merge(at, [one, two])).toMatchObject({ commits: [one.head, expect.any(String)] });
    } finally {
      process.chdir(before);
    }
  });

  it('with a replaced commit', async () => {
    const at = given();
    const evil = at.commitOn('evil', { 'f.txt': 'evil\n' });
    const one = at.lane('lane-1', { 'a.txt': 'a\n' });
    const two = at.lane('lane-2', { 'b.txt': 'b\n' });
    at.repo.git('replace', two.head, evil);
    const { tree } = (await merge(at, [one, two])) as LaneChain;
    expect(at.repo.git('show', `${tree}:f.txt`)).toBe('1\n2\n3\n4\n5');
    unlinkSync(join(at.repo.dir, '.git/refs/replace', two.head));
    expect(await merge(at, [one, two])).toMatchObject({ tree });
  });
});
