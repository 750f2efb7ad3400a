import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addExcluded, excludeVariables } from '../../../daemon/repository/privateGit/ownExcludes.ts';
import { openPrivateGit } from '../../../daemon/repository/privateGit/privateGit.ts';
import { commitAndList } from '../../../daemon/repository/worktree/commitWork.ts';
import { noSandboxBecause } from '../../helpers/canSandbox.ts';
import { type OutsideWorld, outsideWorld } from '../../helpers/outsideWorld.ts';
import { inSandbox } from '../../helpers/sandboxed.ts';
import { until } from '../../helpers/until.ts';

const IDENTITY = '-c user.name=Agent -c user.email=agent@localhost';

describe.skipIf(noSandboxBecause)("an agent's git in a sandbox", () => {
  const gitOf =
    ({ repo, env }: OutsideWorld) =>
    (...args: string[]) =>
      execFileSync('git', args, { cwd: repo, env, encoding: 'utf8' }).trim();
  const inside = async (world: OutsideWorld, script: string) => inSandbox(world, ['sh', '-ec', script]);
  const work = async (world: OutsideWorld, since: string) => {
    const { repo: repoPath, branch, outside } = world;
    const worktree = { repoPath, path: outside.WORKTREE, branch };
    const trailers = { run: 'one', phase: 'implement', attempt: 1 };
    return (await commitAndList({ worktree, since, subject: 'devflow: work', trailers } as never)).work;
  };

  it('knows status, history and differences, and stages and commits', async () => {
    const world = await outsideWorld();
    const git = gitOf(world);
    const before = [git('for-each-ref'), git('count-objects')];
    const script = `git status --porcelain; echo one >a; git add a; git diff --cached --stat | tail -n 1
      git ${IDENTITY} commit -qm 'Of the agent'; git log --format=%s; git stash list; git fsck`;
    const ended = await inside(world, script);
    expect(ended.err.replaceAll(/notice:.*\n/g, '')).not.toMatch(/fatal|error/);
    expect(ended.out).toContain('1 file changed');
    expect(ended.out).toContain('Of the agent\n');
    expect([git('for-each-ref'), git('count-objects')]).toEqual(before);
  });

  it('signs nothing, and knows a name that the configuration of the person includes', async () => {
    const world = await outsideWorld();
    const { HOME_DIR } = world.outside;
    const config = join(HOME_DIR, '.gitconfig');
    for (const key of ['user.name', 'user.email']) gitOf(world)('config', '--unset', key);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('HOME', HOME_DIR);
    vi.stubEnv('GIT_CONFIG_GLOBAL', config);
    writeFileSync(
      config,
      '[include]\n\tpath = more\n[commit]\n\tgpgSign = true\n[alias]\n\twho = log -1 --format=%an\n',
    );
    writeFileSync(join(HOME_DIR, 'more'), '[user]\n\tname = Ada\n\temail = ada@localhost\n\tsigningKey = none\n');
    const ended = await inside(world, 'echo one >a; git add a; git commit -qm x; git who; cat ~/more || true');
    expect(ended).toMatchObject({ status: 0, out: 'Ada\n' });
  });

  it('keeps no stash, and loses nothing by the try', async () => {
    const world = await outsideWorld();
    const script = `echo one >a; git add a; git ${IDENTITY} stash || echo refused; git status --porcelain -- a; cat a`;
    expect((await inside(world, script)).out).toBe('refused\nA  a\none\n');
  });

  it('has commits that become ancestors of the commit of devflow, and stands on that afterwards', async () => {
    const world = await outsideWorld();
    const git = gitOf(world);
    const since = git('rev-parse', world.branch);
    await inside(world, `echo one >a; git add a; git ${IDENTITY} commit -qm 'Of the agent'; echo two >b`);
    const { commit } = await work(world, since);
    expect(git('log', '--format=%s', `${since}..${world.branch}`)).toBe('devflow: work\nOf the agent');
    expect(git('ls-tree', '--name-only', world.branch).split('\n')).toEqual(expect.arrayContaining(['a', 'b']));
    const { out } = await inside(world, 'git rev-parse HEAD; git status --porcelain');
    expect(out).toBe(`${commit}\n`);
    expect(git('fsck', '--connectivity-only')).toBe('');
  });

  it('brings no objects that are missing or broken, and devflow commits the files', async () => {
    const world = await outsideWorld();
    const git = gitOf(world);
    const since = git('rev-parse', world.branch);
    await inside(
      world,
      `echo one >a; git add a; git ${IDENTITY} commit -qm 'Of the agent'
       t=$(git rev-parse HEAD^{tree}); o=.git; d=$(git rev-parse --git-common-dir)/objects
       f="$d/$(echo $t | cut -c1-2)/$(echo $t | cut -c3-)"; chmod u+w "$f"; rm "$f"; mkfifo "$f"`,
    );
    const { commit } = await work(world, since);
    expect(git('log', '--format=%s', `${since}..${commit}`)).toBe('devflow: work');
    expect(git('fsck', '--connectivity-only')).toBe('');
  });

  it('changes neither the branches nor the settings of the repository, nor the git of a person in the worktree', async () => {
    const world = await outsideWorld();
    const { COMMON, WORKTREE } = world.outside;
    const before = readFileSync(join(COMMON, 'config'), 'utf8');
    for (const script of [
      'git branch evil',
      'git config core.fsmonitor evil',
      'git update-ref refs/heads/main HEAD~0 && git branch -f other HEAD',
      'rm -f .git',
      'echo "gitdir: /tmp/evil" >.git',
    ]) {
      expect((await inSandbox(world, ['sh', '-c', script])).status).not.toBe(0);
    }
    expect(readFileSync(join(COMMON, 'config'), 'utf8')).toBe(before);
    expect(readFileSync(join(WORKTREE, '.git'), 'utf8')).toMatch(/^gitdir: .*\/checkout\/\.git\/worktrees\//);
    expect(existsSync(join(COMMON, 'refs/heads/evil'))).toBe(false);
  });

  it('reads a repository that borrows objects', async () => {
    const world = await outsideWorld();
    const git = gitOf(world);
    const other = join(world.root, 'lender.git');
    execFileSync('git', ['clone', '-q', '--bare', world.repo, other], { env: world.env });
    writeFileSync(join(world.outside.COMMON, 'objects/info/alternates'), `${join(other, 'objects')}\n`);
    git('repack', '-adlq');
    git('prune-packed', '-q');
    expect((await inside(world, 'git log --format=%s | tail -n 1; git fsck')).status).toBe(0);
  });

  it('stores files of git-lfs for itself, and reads those of the repository', async () => {
    const world = await outsideWorld();
    const git = gitOf(world);
    const { COMMON, HOME_DIR } = world.outside;
    const theirs = join(COMMON, 'lfs/objects/theirs');
    mkdirSync(dirname(theirs), { recursive: true });
    writeFileSync(theirs, 'large\n');
    // As git-lfs does: it stores what it cleans, and finds what it smudges there or where objects are borrowed.
    const filter = `lfs=$(git rev-parse --git-common-dir)/lfs; mkdir -p $lfs/tmp $lfs/objects
      borrowed=$(dirname "$(cat "$lfs/../objects/info/alternates")")/lfs/objects
      case $1 in clean) cat >$lfs/tmp/x && mv $lfs/tmp/x $lfs/objects/mine && echo pointer ;; *) cat $borrowed/theirs ;; esac`;
    writeFileSync(
      join(HOME_DIR, '.gitconfig'),
      '[filter "lfs"]\n\tclean = sh .lfs clean\n\tsmudge = sh .lfs smudge\n\trequired\n',
    );
    const script = `cat >.lfs <<'END'\n${filter}\nEND
      echo 'a filter=lfs' >.gitattributes; echo large >a; git add a .gitattributes; git show :a
      rm a; git checkout -q -- a; cat a; echo evil 2>/dev/null >$(dirname "$(cat ${COMMON}/objects/info/alternates)")/lfs/objects/evil || true`;
    const ended = await inside(world, script);
    expect(ended.out).toBe('pointer\nlarge\n');
    expect([readdirSync(join(COMMON, 'lfs')), readdirSync(dirname(theirs))]).toEqual([['objects'], ['theirs']]);
    expect(git('fsck', '--connectivity-only')).toBe('');
  });

  it('leaves out what devflow excludes while it runs', async () => {
    const world = await outsideWorld();
    const { repo: repoPath, branch, outside } = world;
    const privateGit = await openPrivateGit({ repoPath, path: outside.WORKTREE, branch });
    const env = await excludeVariables(privateGit);
    const status = 'git status --porcelain -- late';
    const script = `touch late; ${status}; touch asked; while [ ! -e go ]; do sleep 0.05; done; ${status}; echo end`;
    const ending = inSandbox(world, ['sh', '-c', script], { env });
    await until('it asked', () => existsSync(join(outside.WORKTREE, 'asked')));
    await addExcluded(privateGit, ['late']);
    writeFileSync(join(outside.WORKTREE, 'go'), '');
    expect((await ending).out).toBe('?? late\nend\n');
  });
});
