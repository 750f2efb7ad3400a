import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProbePlan } from '../../schemas/kinds/step/probePlan.ts';
import { RANKS, type RepoFacts } from '../../schemas/repoFacts.ts';
import { startOrAdopt } from '../commands/runner.ts';
import { checkPolicy } from '../policy/policy.ts';
import { createGit } from '../repository/git/git.ts';
import { commonDirectory } from '../repository/git/repositoryFiles.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { withTemporaryGit } from '../repository/privateGit/temporaryGit.ts';
import { NO_BRANCH } from '../repository/worktree/detachedWorktree.ts';
import { type CommitFiles, readCommitFiles } from './commitFiles.ts';
import { findConfinement, makeOfflineHome } from './confine.ts';
import { judgeFacts } from './judgeFacts.ts';
import { HOME, notRun, type Probing, probeFacts, unusable } from './probe.ts';
import { planOf } from './probePlan.ts';
import { type ReadFacts, readFacts } from './readFacts.ts';
import { COMMANDS } from './removeLeftovers.ts';
import { makeCheckout, removeCheckout } from './scratchCheckout.ts';

export interface Discover extends Partial<Omit<Probing, 'signal' | 'judged' | 'paths'>> {
  repoDir: string;
  /** A directory of devflow, for a checkout that is removed at the end. */
  scratchDir: string;
  /** Full object id. Default: the commit that is checked out. */
  commit?: string;
  /** True runs the commands. Default: false, because they run what the repository says. */
  probes?: boolean;
  /** The reason why no command runs. Default: only read. */
  whyNot?: string;
  /** Sets up the checkout for the commands. Returns the variables that they get. */
  prepare?(privateGit: PrivateGit): Promise<Record<string, string>>;
  /** Aborted, discover ends the command that runs, removes the checkout and rejects with the signal's reason. */
  signal?: AbortSignal;
}

const PROBE_MS = 120_000;
const TOTAL_MS = 600_000;
const CHEAP_MS = 5000;
const MOST_SCRIPTS = 50;

/**
 * The commands that a repository names, and their results at the base commit. It changes nothing in the repository.
 * Throws repo_invalid or git_failed; faults of files are in `uncovered`.
 */
export function discover(input: Discover): Promise<RepoFacts> {
  const { probes = false, whyNot = 'only read' } = input;
  return withCommit(input, async (open) => {
    const { commit, privateGit, scratch, read } = open;
    const probing = await probingOf(open, input);
    const { facts, needs: _, ...rest } = read;
    if (!probes) {
      const unrun = facts.map((fact) => ({ ...fact, probe: unusable(fact, probing) ?? notRun(whyNot) }));
      return composed(commit, rest, unrun);
    }
    await makeCheckout(privateGit, commit);
    await makeOfflineHome(join(scratch, HOME));
    const env = (await input.prepare?.(privateGit)) ?? {};
    return composed(commit, rest, await probeFacts(facts, privateGit, join(scratch, COMMANDS), { ...probing, env }));
  });
}

/** The commands that `discover` would run, for a person to read. Runs nothing. */
export function planProbes(input: Discover): Promise<ProbePlan> {
  return withCommit(input, async (open) => planOf(open.read.facts, await probingOf(open, input)));
}

/** The commands that a repository names. Runs nothing, and does not look at what runs with them. */
export function listFacts(input: Pick<Discover, 'repoDir' | 'scratchDir' | 'commit'>): Promise<ReadFacts['facts']> {
  return withCommit(input, async ({ read }) => read.facts);
}

interface OpenCommit {
  repoPath: string;
  commit: string;
  privateGit: PrivateGit;
  scratch: string;
  files: CommitFiles;
  read: ReadFacts;
}

/** Reads the commit, with a directory that is removed at the end. */
async function withCommit<T>(input: Discover, use: (open: OpenCommit) => Promise<T>): Promise<T> {
  input.signal?.throwIfAborted();
  const git = createGit();
  const { repoPath } = await git.inspectRepository(input.repoDir);
  const commit = await git.read(repoPath, ['rev-parse', '--verify', `${input.commit ?? 'HEAD'}^{commit}`]);
  await mkdir(input.scratchDir, { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(join(await realpath(input.scratchDir), 'discover-'));
  const path = join(scratch, 'checkout');
  try {
    await mkdir(path, { mode: 0o700 });
    const place = { repoPath, path, branch: NO_BRANCH, head: commit };
    return await withTemporaryGit(place, await commonDirectory(repoPath), git, async (privateGit) => {
      const files = await readCommitFiles(privateGit, commit);
      const read = await readAll(files);
      return use({ repoPath, commit, privateGit, scratch, files, read });
    });
  } finally {
    await removeCheckout(scratch);
  }
}

/** The facts of a commit about its commands. Scripts that CI calls are read when it is known that they are called. */
export async function readAll({ paths, texts, uncovered, readMore }: CommitFiles): Promise<ReadFacts> {
  const first = readFacts(paths, texts, uncovered);
  if (first.needs.length === 0) return first;
  const more = await readMore(first.needs.slice(0, MOST_SCRIPTS));
  return more.size === 0 ? first : readFacts(paths, new Map([...texts, ...more]), uncovered);
}

async function probingOf({ repoPath, scratch, files, read }: OpenCommit, input: Discover): Promise<Probing> {
  const { policy = checkPolicy, signal = new AbortController().signal } = input;
  const judged = await judgeFacts(read.facts, files, policy);
  signal.throwIfAborted();
  return {
    policy,
    runCommand: input.runCommand ?? startOrAdopt,
    signal,
    probeMs: input.probeMs ?? PROBE_MS,
    totalMs: input.totalMs ?? TOTAL_MS,
    allowInstall: input.allowInstall ?? false,
    confinement: input.confinement ?? (await findConfinement(repoPath, scratch)),
    judged,
    env: input.env ?? {},
    paths: files.paths,
    cheapMs: input.cheapMs ?? CHEAP_MS,
  };
}

/** A script that only prints is no suite, so it is not known to be red. A document may be out of date. */
function composed(
  commit: string,
  read: Pick<RepoFacts, 'languages' | 'workspaces' | 'uncovered'>,
  facts: RepoFacts['facts'],
): RepoFacts {
  const red = facts.filter(({ rank, probe }) => rank < RANKS.doc && probe.class === 'red_at_base');
  return { facts, knownRed: red.map(({ id }) => id), ...read, base: { commit } };
}
