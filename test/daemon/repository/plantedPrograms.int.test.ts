import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listBranches } from '../../../cli/client/listBranches.ts';
import { startOrAdopt } from '../../../daemon/commands/runner.ts';
import { applyWork, previewApply } from '../../../daemon/repository/apply/apply.ts';
import { createGit } from '../../../daemon/repository/git/git.ts';
import { addWorktree } from '../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../daemon/repository/worktree/cleanupWorktree.ts';
import { diffSince } from '../../../daemon/repository/worktree/diff.ts';
import { branchesWithWork } from '../../../daemon/repository/worktree/leftBehind.ts';
import { commitsSince, readWorktree } from '../../../daemon/repository/worktree/readWorktree.ts';
import { restoreWorktree } from '../../../daemon/repository/worktree/restoreWorktree.ts';
import { uncommittedFiles } from '../../../daemon/repository/worktree/worktreeStatus.ts';
import { GIT_SETTINGS } from '../../../schemas/config/gitSettings.ts';
import { commitWork } from '../../helpers/commitWork.ts';
import { scratchRepo } from '../../helpers/repo.ts';
import { ARMING_SETTINGS, HOOKS, PROGRAM_SETTINGS, PROGRAM_VARIABLES } from './plantedPrograms.ts';

const ATTRIBUTES = '* filter=planted diff=planted merge=planted\n';

function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const bin = join(repo.root, 'bin');
  const ran = join(repo.root, 'ran');
  mkdirSync(bin);
  mkdirSync(ran);
  /** A program that leaves its name behind. */
  const program = (name: string) => {
    const path = join(bin, name.replace(/[^\w.-]/g, '_'));
    writeFileSync(path, `#!/bin/sh\ntouch ${ran}/${name.replace(/[^\w.-]/g, '_')}\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  /** Puts every setting into a file of git's configuration. */
  const plant = (file: string) => {
    for (const key of PROGRAM_SETTINGS) {
      const value = key.startsWith('alias.') || key === 'submodule.sub.update' ? `!${program(key)}` : program(key);
      repo.git('config', `--file=${file}`, key, value);
    }
    for (const [key, value] of Object.entries(ARMING_SETTINGS)) repo.git('config', `--file=${file}`, key, value);
  };
  const plantHooks = (dir: string) => {
    mkdirSync(dir, { recursive: true });
    for (const name of HOOKS) writeFileSync(join(dir, name), readFileSync(program(`hook-${name}`)), { mode: 0o755 });
  };
  const runDir = join(repo.root, 'ws', 'run');
  const startCommit = repo.git('rev-parse', 'HEAD');
  const worktree = { repoPath: repo.dir, path: join(runDir, 'main'), branch: 'devflow/run/main' };
  return { repo, ran: () => readdirSync(ran), program, plant, plantHooks, runDir, startCommit, worktree };
}

/** Every call of git that devflow makes, on a worktree in which an agent worked. */
async function useAll({ repo, worktree, runDir, startCommit }: ReturnType<typeof given>) {
  const git = createGit();
  await git.inspectRepository(repo.dir);
  await git.resolveBranch(repo.dir);
  await listBranches(repo.dir, '/');
  await restoreWorktree({ ...worktree, startCommit });
  writeFileSync(join(worktree.path, '.gitattributes'), ATTRIBUTES);
  writeFileSync(join(worktree.path, 'made.txt'), 'x\n');
  appendFileSync(join(worktree.path, 'README.md'), 'more\n');
  await uncommittedFiles(worktree);
  const made = await commitWork({
    worktree,
    since: startCommit,
    subject: 's',
    trailers: { run: 'run', phase: 'p', attempt: 1 },
  });
  expect(made.files).toBeGreaterThanOrEqual(2);
  await readWorktree(worktree);
  await commitsSince(repo.dir, startCommit, made.commit as string);
  expect((await diffSince(worktree, { from: startCommit })).patch).toContain('+more');
  rmSync(worktree.path, { recursive: true });
  await restoreWorktree({ ...worktree, startCommit });
  expect(readFileSync(join(worktree.path, 'made.txt'), 'utf8')).toBe('x\n');
  writeFileSync(join(worktree.path, 'loose.txt'), 'x\n');
  await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true });
  expect(existsSync(worktree.path)).toBe(false);
}

/** Brings other work to the checkout of the person, where attributes do not forbid it. */
async function applyAll({ repo, runDir }: ReturnType<typeof given>, startCommit: string): Promise<string[]> {
  const worktree = { repoPath: repo.dir, path: join(runDir, 'plain'), branch: 'devflow/run/plain' };
  await addWorktree({ ...worktree, startCommit });
  writeFileSync(join(worktree.path, 'plain.txt'), 'x\n');
  const trailers = { run: 'run', phase: 'p', attempt: 1 };
  const { commit: lastCommit } = await commitWork({ worktree, since: startCommit, subject: 's', trailers });
  const wish = {
    runId: 'run',
    runState: 'completed' as const,
    work: worktree.branch,
    baseBranch: 'main',
    baseCommit: startCommit,
    lastCommit,
    accepted: [{ commit: lastCommit as string, source: 'devflow' as const }],
    title: 'Wish',
    summary: null,
    notes: [],
  };
  const outcomes: string[] = [];
  for (const way of ['branch', 'merge'] as const) {
    const asked = { ...wish, way, newBranch: way === 'branch' ? 'taken' : undefined };
    await previewApply(repo.dir, asked);
    const said = await applyWork(repo.dir, asked).then(
      () => 'applied',
      (error: { code: string }) => error.code,
    );
    outcomes.push(said);
  }
  await branchesWithWork({ ...worktree, runId: 'run', baseBranch: 'main', baseCommit: startCommit });
  await cleanupWorktree({ ...worktree, runDir, laneId: 'plain' });
  return outcomes;
}

const PLACES: Record<string, (at: ReturnType<typeof given>) => Promise<void> | void> = {
  "the repository's configuration": ({ repo, plant }) => plant(join(repo.dir, '.git/config')),
  'a file that the repository includes': ({ repo, plant }) => {
    plant(join(repo.root, 'included'));
    repo.git('config', 'include.path', join(repo.root, 'included'));
    repo.git('config', `includeIf.gitdir:${repo.dir}/.path`, join(repo.root, 'included'));
  },
  "the person's configuration": ({ plant }) => plant(process.env.GIT_CONFIG_GLOBAL as string),
  "the worktree's configuration": async ({ repo, plant, worktree, startCommit }) => {
    repo.git('config', 'extensions.worktreeConfig', 'true');
    plant(join(repo.dir, '.git/config.worktree'));
    await addWorktree({ ...worktree, startCommit });
    plant(join(repo.dir, '.git/worktrees/main/config.worktree'));
    plant(join(repo.dir, '.git/worktrees/main/config'));
  },
  "devflow's own configuration of the worktree": async ({ repo, plant, worktree, startCommit }) => {
    await addWorktree({ ...worktree, startCommit });
    plant(join(repo.dir, '.git/worktrees/main/devflow/config'));
  },
  hooks: async ({ repo, plantHooks, worktree, startCommit }) => {
    plantHooks(join(repo.dir, '.git/hooks'));
    await addWorktree({ ...worktree, startCommit });
    plantHooks(join(repo.dir, '.git/worktrees/main/hooks'));
    plantHooks(join(repo.dir, '.git/worktrees/main/devflow/hooks'));
  },
  'another directory of hooks': ({ repo, plantHooks }) => {
    plantHooks(join(repo.root, 'hooks'));
    repo.git('config', 'core.hooksPath', join(repo.root, 'hooks'));
  },
  "attributes in the repository's directory": ({ repo, plant }) => {
    plant(join(repo.dir, '.git/config'));
    mkdirSync(join(repo.dir, '.git/info'), { recursive: true });
    writeFileSync(join(repo.dir, '.git/info/attributes'), ATTRIBUTES);
    writeFileSync(join(repo.root, 'attributes'), ATTRIBUTES);
    repo.git('config', 'core.attributesFile', join(repo.root, 'attributes'));
  },
  'the base commit, with a submodule': ({ repo, plant }) => {
    repo.write({ '.gitattributes': ATTRIBUTES, '.gitmodules': '[submodule "sub"]\n\tpath = sub\n\turl = ext::x\n' });
    repo.git('add', '-A');
    repo.git('update-index', '--add', '--cacheinfo', `160000,${repo.git('rev-parse', 'HEAD')},sub`);
    repo.git('commit', '-qm', 'base');
    plant(join(repo.dir, '.git/config'));
  },
  'the environment': ({ repo, program }) => {
    for (const name of PROGRAM_VARIABLES) setVariable(name, program(name));
    setVariable('GIT_CONFIG_COUNT', '1');
    setVariable('GIT_CONFIG_KEY_0', 'core.fsmonitor');
    setVariable('GIT_CONFIG_VALUE_0', program('GIT_CONFIG_COUNT'));
    setVariable('GIT_CONFIG_PARAMETERS', `'core.fsmonitor'='${program('GIT_CONFIG_PARAMETERS')}'`);
    writeFileSync(join(repo.root, 'config'), `[core]\n\tfsmonitor = ${program('GIT_CONFIG')}\n`);
    setVariable('GIT_CONFIG', join(repo.root, 'config'));
  },
};

function setVariable(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

it.each(Object.keys(PLACES))('runs nothing that is planted in %s', async (place) => {
  const at = given();
  await (PLACES[place] as (typeof PLACES)[string])(at);
  const startCommit = at.repo.git('rev-parse', 'HEAD');
  await useAll({ ...at, startCommit });
  const [branch, merge = ''] = await applyAll(at, startCommit);
  expect(at.ran()).toEqual([]);
  expect(branch).toBe('applied');
  expect(['applied', 'checkout_unready']).toContain(merge);
  if (/hooks|environment|configuration of the worktree/.test(place)) expect(merge).toBe('applied');
});

it('runs no file of the worktree for a PATH with relative entries', async () => {
  const at = given();
  const { repo, worktree, ran, program } = at;
  for (const name of ['git', 'sh', 'sed', 'cut', 'ps', 'ln', 'rm', 'mv']) {
    writeFileSync(join(repo.dir, name), readFileSync(program(name)), { mode: 0o755 });
  }
  const startCommit = repo.commit({}, 'Programs');
  const before = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = before;
  });
  process.env.PATH = `.::../main:${before}`;
  await useAll({ ...at, startCommit });
  await restoreWorktree({ ...worktree, startCommit });
  const command = { commandId: 'c1', argv: ['true'], cwd: worktree.path, dir: join(repo.root, 'out') };
  await startOrAdopt({ ...command, timeoutMs: 60_000, startedAt: new Date() });
  expect(ran()).toEqual([]);
});

it('runs a filter that the person names, with the commands of their own configuration', async () => {
  const { repo, ran, program, worktree, startCommit } = given();
  repo.git('config', '--global', 'filter.mine.clean', `sed s/plain/clean/`);
  repo.git('config', '--global', 'filter.mine.smudge', `sed s/clean/plain/`);
  repo.git('config', 'filter.mine.clean', program('filter.mine.clean'));
  repo.git('config', 'filter.other.clean', program('filter.other.clean'));
  await addWorktree({ ...worktree, startCommit, filters: ['mine', 'other'] });
  writeFileSync(join(worktree.path, '.gitattributes'), 'made.txt filter=mine\nother.txt filter=other\n');
  writeFileSync(join(worktree.path, 'made.txt'), 'plain\n');
  writeFileSync(join(worktree.path, 'other.txt'), 'plain\n');
  const trailers = { run: 'run', phase: 'p', attempt: 1 };
  await commitWork({ worktree, since: startCommit, subject: 's', trailers });
  expect(repo.git('show', `${worktree.branch}:made.txt`, `${worktree.branch}:other.txt`)).toBe('clean\nplain');
  expect(await uncommittedFiles(worktree)).toEqual([]);
  rmSync(worktree.path, { recursive: true });
  await restoreWorktree({ ...worktree, startCommit, filters: ['mine'] });
  expect(readFileSync(join(worktree.path, 'made.txt'), 'utf8')).toBe('plain\n');
  expect(ran()).toEqual([]);
});

it('would see a planted program that runs', () => {
  const { repo, plant, ran } = given();
  plant(join(repo.dir, '.git/config'));
  repo.write({ '.gitattributes': ATTRIBUTES, 'made.txt': 'x\n' });
  expect(() => repo.git('add', '-A')).toThrow();
  expect(ran()).toEqual(expect.arrayContaining(['core.fsmonitor', 'filter.planted.process']));
});

it('lists every setting in docs/git.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/git.md'), 'utf8').toLowerCase();
  const named = GIT_SETTINGS.filter((word) => word.includes('=')).map((word) => word.slice(0, word.indexOf('=')));
  const generic = (key: string) => key.replace(/\.(?:planted|origin|sub|https:.*example\.org)\./, '.<name>.');
  const all = [...named, ...PROGRAM_SETTINGS.map(generic), ...HOOKS, ...PROGRAM_VARIABLES];
  expect(all.filter((name) => !text.includes(`\`${name.toLowerCase()}\``))).toEqual([]);
});
