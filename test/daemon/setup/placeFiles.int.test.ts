import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitAndList } from '../../../daemon/repository/worktree/commitWork.ts';
import { agentEnv, givenSetup, treeOf } from './given.ts';

const TRAILERS = { run: 'r', phase: 'p', attempt: 1 };

describe('placing files of the checkout', () => {
  it('copies ignored files that the patterns select, with mode and time', async () => {
    const at = await givenSetup({
      '.env': 'A=1\n',
      '.env.local': 'B=2\n',
      'config/a.local.json': '{}',
      'packages/one/.env': 'C=3\n',
      'node_modules/x/.env': 'no\n',
    });
    chmodSync(join(at.checkout, '.env'), 0o600);
    utimesSync(join(at.checkout, '.env'), 1_000_000_000, 1_000_000_000.5);
    const { placed, refused } = await at.setUp({ copy: ['.env', '*.local.json', '!packages/'] });
    expect(placed.map(({ path, how, bytes }) => [path, how, bytes])).toEqual([
      ['.env', 'copied', 4],
      ['config/a.local.json', 'copied', 2],
      ['packages/one/.env', 'copied', 4],
    ]);
    expect(refused).toEqual([]);
    const { mode, mtimeMs } = statSync(at.path('.env'));
    expect([mode & 0o777, mtimeMs]).toEqual([0o600, 1_000_000_000_500]);
    expect(at.isThere('.env.local')).toBe(false);
    expect(at.isThere('node_modules')).toBe(false);
  });

  it('looks into an ignored directory that a pattern names', async () => {
    const at = await givenSetup({ '.cache/a/key.pem': 'k', '.cache/b.txt': 'b', 'node_modules/x/key.pem': 'k' });
    const { placed } = await at.setUp({ copy: ['.cache/**/*.pem', '*.pem'] });
    expect(placed.map(({ path }) => path)).toEqual(['.cache/a/key.pem']);
  });

  it('refuses what git tracks or would commit, and says why', async () => {
    const at = await givenSetup({ 'notes.txt': 'n', 'out/a.bin': 'a', '.env': 'x' }, { 'a.local': 'tracked' });
    const lists = { copy: ['a.local', 'notes.txt', '/none', '*.bin', '../x', '*.xyz', '.env'] };
    const { placed, refused } = await at.setUp(lists);
    expect(placed.map(({ path }) => path)).toEqual(['.env']);
    expect(Object.fromEntries(refused.map(({ path, reason }) => [path, reason]))).toEqual({
      'a.local': 'is tracked by git',
      'notes.txt': 'is not ignored by git',
      none: 'is not in your checkout',
      'out/a.bin': 'is not ignored by git',
      '../x': 'must not lead out of a directory with ..',
      '*.xyz': 'matches nothing that git ignores in your checkout',
    });
  });

  it('refuses what the commit of the worktree has', async () => {
    const at = await givenSetup({}, { 'conf/x': 'from the commit' });
    at.repo.git('rm', '-rq', '--cached', 'conf');
    at.repo.commit({ '.gitignore': 'conf/\n', 'conf/x': 'mine' }, 'No longer tracked');
    const { placed, refused } = await at.setUp({ clone: ['conf/'] });
    expect(placed).toEqual([]);
    expect(refused).toEqual([{ path: 'conf', reason: 'is tracked by git in the worktree' }]);
    expect(at.text('conf/x')).toBe('from the commit');
  });

  it('clones a directory with links as links, and leaves the checkout alone', async () => {
    const at = await givenSetup({ 'node_modules/a/index.js': 'a', 'node_modules/.bin/keep': 'k' });
    const modules = join(at.checkout, 'node_modules');
    symlinkSync('../a/index.js', join(modules, '.bin/a'));
    symlinkSync('/etc/hostname', join(modules, 'outside'));
    symlinkSync(join(at.checkout, 'f.txt'), join(modules, 'inside'));
    symlinkSync('../../beside', join(modules, 'beside'));
    chmodSync(join(modules, '.bin/keep'), 0o755);
    for (const name of ['a/index.js', 'a', '.bin/keep', '.bin', '']) utimesSync(join(modules, name), 1e9, 1e9);
    const before = treeOf(modules);
    const { placed } = await at.setUp({ clone: ['node_modules'] });
    expect(placed).toEqual([expect.objectContaining({ path: 'node_modules', how: 'cloned', files: 6, bytes: 2 })]);
    const links = { inside: at.path('f.txt'), beside: join(dirname(at.checkout), 'beside') };
    const moved = Object.entries(before).map(([path, facts]) => {
      const target = links[path as keyof typeof links];
      return [path, target === undefined ? facts : facts.replace(/[^ ]*$/, target)];
    });
    expect(treeOf(at.path('node_modules'))).toEqual(Object.fromEntries(moved));
    expect(statSync(at.path('node_modules')).mtimeMs).toBe(1e12);
    expect(treeOf(modules)).toEqual(before);
    writeFileSync(at.path('node_modules/a/index.js'), 'changed');
    expect(readFileSync(join(modules, 'a/index.js'), 'utf8')).toBe('a');
  });

  it('clones a directory that ignores itself as a whole, unless git tracks or would commit something in it', async () => {
    const itself = { '.venv/.gitignore': '*\n', '.venv/bin/python': 'p', '.venv/pyvenv.cfg': 'v' };
    const mixed = { 'out/.gitignore': '.gitignore\nmade\n', 'out/made': 'm', 'out/new': 'n' };
    const at = await givenSetup({ ...itself, ...mixed, 'log/.gitignore': '*\n', 'log/b': 'b' }, { 'log/kept': 'k' });
    const { placed } = await at.setUp({ clone: ['/.venv', '/out', '/log'] });
    expect(placed.map(({ path }) => path).sort()).toEqual([
      '.venv',
      'log/.gitignore',
      'log/b',
      'out/.gitignore',
      'out/made',
    ]);
    expect(at.text('.venv/bin/python')).toBe('p');
  });

  it('links to one place', async () => {
    const at = await givenSetup({ '.cache/models/m.bin': 'm' });
    const { placed } = await at.setUp({ link: ['.cache/models'] });
    expect(placed).toEqual([expect.objectContaining({ path: '.cache/models', how: 'linked' })]);
    expect(readlinkSync(at.path('.cache/models'))).toBe(join(at.checkout, '.cache/models'));
  });

  it('skips and names pipes, sockets and what it cannot read', async () => {
    const at = await givenSetup({ 'node_modules/a.js': 'a' });
    execFileSync('mkfifo', [join(at.checkout, 'node_modules/pipe'), join(at.checkout, '.env')]);
    const server = createServer().listen(join(at.checkout, 'node_modules/socket'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { placed, refused } = await at.setUp({ clone: ['node_modules'], copy: ['.env'] });
    expect(placed[0]?.skipped.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'node_modules/pipe', reason: 'this is a pipe' },
      { path: 'node_modules/socket', reason: 'this is a socket' },
    ]);
    expect(refused).toEqual([{ path: '.env', reason: 'is no file, link or directory' }]);
    expect(readdirSync(at.path('node_modules'))).toEqual(['a.js']);
  });

  it('copies names that are not UTF-8, and any characters', async () => {
    const at = await givenSetup({ 'node_modules/a\nb/\u001b[31m': 'odd', '.env.\u202e x': 'odd' });
    const name = Buffer.concat([Buffer.from(join(at.checkout, 'node_modules/')), Buffer.from([0xff, 0xfe])]);
    writeFileSync(name, 'bytes');
    const { placed, refused } = await at.setUp({ clone: ['node_modules'], copy: ['.env.*'] });
    expect([placed.map(({ path }) => path), refused]).toEqual([['.env.\u202e x', 'node_modules'], []]);
    const copy = Buffer.concat([Buffer.from(at.path('node_modules/')), Buffer.from([0xff, 0xfe])]);
    expect(readFileSync(copy, 'utf8')).toBe('bytes');
    expect(at.text('node_modules/a\nb/\u001b[31m')).toBe('odd');
  });

  it('follows no link: neither above a path, nor in the worktree', async () => {
    const at = await givenSetup({ 'config/a.local.json': 'mine' });
    const outside = join(at.repo.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'b.local.json'), 'secret');
    symlinkSync(outside, at.path('config'));
    const { placed, refused } = await at.setUp({ copy: ['config/a.local.json'] });
    expect(placed).toEqual([]);
    expect(refused).toEqual([{ path: 'config/a.local.json', reason: 'the directory config is a link' }]);
    expect(readdirSync(outside)).toEqual(['b.local.json']);
  });

  it('leaves what is in the worktree already, and a second call returns the same as the first', async () => {
    const at = await givenSetup({ '.env': 'mine', '.env.local': 'local', 'node_modules/a.js': 'a' });
    writeFileSync(at.path('.env'), "the agent's");
    const lists = { copy: ['.env*'], clone: ['node_modules'] };
    const first = await at.setUp(lists);
    expect(first.refused).toEqual([{ path: '.env', reason: 'is in the worktree already' }]);
    expect(at.text('.env')).toBe("the agent's");
    writeFileSync(at.path('.env.local'), 'changed since');
    expect(await at.setUp(lists)).toEqual(first);
    expect(at.text('.env.local')).toBe('changed since');
  });

  it('is never committed, neither by devflow nor by the agent', async () => {
    const at = await givenSetup({ '.cache/models/m': 'm', '.env': 'A=1' });
    // A link is no directory, so `.cache/` does not ignore it; and the commit of the worktree ignores less.
    at.repo.commit({ '.gitignore': '.env*\n.cache/\nsecret.txt\n' }, 'Ignore more');
    at.repo.write({ 'secret.txt': 'secret', '[a] b!': 'x', '.git/info/exclude': '\\[a] b!\n' });
    const { placed } = await at.setUp({ copy: ['secret.txt', '\\[a] b!'], link: ['.cache'] });
    expect(placed.map(({ path }) => path)).toEqual(['[a] b!', 'secret.txt', '.cache']);
    writeFileSync(at.path('work.txt'), 'work');
    const env = await agentEnv(at.privateGit);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: at.privateGit.path, env, encoding: 'utf8' });
    expect(git('status', '--porcelain')).toBe('?? work.txt\n');
    git('add', '-A');
    expect(git('diff', '--cached', '--name-only')).toBe('work.txt\n');
    const input = { worktree: at.place('main'), subject: 'Work', trailers: TRAILERS, since: at.base };
    const { work } = await commitAndList(input);
    expect(at.repo.git('ls-tree', '-r', '--name-only', work.commit ?? '')).toBe(
      ['.gitignore', 'README.md', 'f.txt', 'old.txt', 'src/a.txt', 'work.txt'].join('\n'),
    );
    expect(at.repo.git('status', '--porcelain')).toBe('');
  });

  it('excludes what a line with `!` takes back', async () => {
    const at = await givenSetup(
      { 'node_modules/a.js': 'a' },
      { '.gitignore': '/*\n!/src\n!/.gitignore\n!/node_modules\n' },
    );
    at.repo.commit({ '.gitignore': 'node_modules\n' }, 'Ignore otherwise');
    const { privateGit } = at;
    await at.setUp({ link: ['node_modules'] });
    writeFileSync(at.path('src/new.ts'), 'new');
    const input = { worktree: at.place('main'), subject: 'Work', trailers: TRAILERS, since: at.base };
    expect((await commitAndList(input)).work.files).toBe(1);
    expect(lstatSync(join(privateGit.path, 'node_modules')).isSymbolicLink()).toBe(true);
  });

  it('does not copy the worktree into itself', async () => {
    const at = await givenSetup();
    at.repo.write({ '.git/info/exclude': 'ws/\n' });
    const inner = { ...at.privateGit, repoPath: at.repo.root };
    expect(existsSync(join(inner.repoPath, 'ws'))).toBe(true);
    at.repo.gitIn(at.repo.root, 'init', '-q');
    writeFileSync(join(at.repo.root, '.gitignore'), 'ws/\n');
    const { placeFiles } = await import('../../../daemon/setup/placeFiles.ts');
    const { refused } = await placeFiles({ privateGit: inner, setup: { copy: ['ws'], clone: [], link: [] } });
    expect(refused).toEqual([{ path: 'ws', reason: 'contains the worktree itself' }]);
  });
});
