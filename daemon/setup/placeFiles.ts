import { lstatSync, renameSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inDirectory, lookInside } from '../../schemas/files/insideRoot.ts';
import { refused } from '../../schemas/files/openRegular.ts';
import { inTurn } from '../repository/git/inTurn.ts';
import { latin1Of } from '../repository/git/pathBytes.ts';
import { addExcluded } from '../repository/privateGit/ownExcludes.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { clearCopies, copyingPlace } from '../repository/worktree/halfMade.ts';
import { choosePaths, type PlacedLists, type Wanted } from './choosePaths.ts';
import { type CopyProgress, copyInWorker, whyNotCopied } from './copyInWorker.ts';
import type { Copied } from './copyTree.ts';
import type { Refusal } from './findIgnored.ts';
import { keepSetupState, type PlacedPath, readSetupState } from './setupState.ts';

export interface PlaceFiles {
  /** Of the worktree. Its `repoPath` is the checkout that the files come from. */
  privateGit: PrivateGit;
  setup: PlacedLists;
  signal?: AbortSignal;
  onProgress?(progress: CopyProgress): void;
}

export interface Placed {
  /** Also those of an earlier call. */
  placed: PlacedPath[];
  refused: Refusal[];
}

interface Staged {
  /** The copy; null for a link. */
  from: string | null;
  placed: PlacedPath;
}

const THERE = 'is in the worktree already';

/**
 * Puts ignored files of the checkout into a worktree. Each appears whole or not at all, and never in the place of another. A
 * call after a kill does the rest and returns the same. Nothing of it can be committed: git ignores it in the checkout, and
 * here it is excluded. Throws if the machine fails, such as on a full disk; then no copy is left in part.
 */
export function placeFiles({ privateGit, setup, signal, onProgress }: PlaceFiles) {
  return inTurn(`setup ${privateGit.gitDir}`, async (): Promise<Placed> => {
    const staging = copyingPlace(privateGit.path);
    await clearCopies(privateGit.path);
    const { wanted, without } = await choosePaths(privateGit, setup);
    const { placed: before, clonedFor: clones } = await readSetupState(privateGit);
    const known = new Map(before.map((each) => [each.path, each]));
    const isThere = (path: string) => lookInside(privateGit.path, path).ok;
    const missing: Wanted[] = [];
    for (const each of wanted) {
      if (!isThere(each.path)) missing.push(each);
      else if (!known.has(each.path)) without.push({ path: each.path, reason: THERE });
    }
    await addExcluded(
      privateGit,
      missing.map(({ path }) => latin1Of(path)),
    );
    try {
      const made = await stage(privateGit, missing, staging, { signal, onProgress });
      without.push(...made.refused);
      for (const { placed } of made.staged) known.set(placed.path, placed);
      const isNew = (path: string) => made.staged.some(({ placed }) => placed.path === path);
      const clonedFor = Object.fromEntries(Object.entries(clones).filter(([path]) => !isNew(path)));
      await keepSetupState(privateGit, { placed: [...known.values()], clonedFor });
      for (const each of made.staged) {
        const fault = appear(privateGit, each);
        if (fault === undefined) continue;
        without.push({ path: each.placed.path, reason: fault });
        known.delete(each.placed.path);
        await keepSetupState(privateGit, { placed: [...known.values()] });
      }
    } finally {
      await clearCopies(privateGit.path);
    }
    return { placed: [...known.values()].filter(({ path }) => isThere(path)), refused: without };
  });
}

/** Copies what is missing beside the worktree. A link needs no copy. */
async function stage(
  { path, repoPath }: PrivateGit,
  missing: readonly Wanted[],
  staging: string,
  options: { signal?: AbortSignal | undefined; onProgress?: PlaceFiles['onProgress'] | undefined },
): Promise<{ staged: Staged[]; refused: Refusal[] }> {
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const jobs = missing
    .filter(({ how }) => how !== 'linked')
    .map(({ path: each }, nth) => ({ checkout: repoPath, path: each, to: join(staging, String(nth)), worktree: path }));
  const copies = await copyInWorker(jobs, options);
  const made = new Map(jobs.map((job, nth) => [job.path, { from: job.to, copied: copies[nth] as Copied }]));
  const staged: Staged[] = [];
  const without: Refusal[] = [];
  for (const { path: each, how } of missing) {
    const { from = null, copied } = made.get(each) ?? {};
    const { files = 0, bytes = 0, shared = false, skipped = [] } = copied ?? {};
    const reason = copied && from !== null ? await whyNotCopied(copied, from) : undefined;
    if (reason === undefined) staged.push({ from, placed: { path: each, how, files, bytes, shared, skipped } });
    else without.push({ path: each, reason });
  }
  return { staged, refused: without };
}

/** Returns why it could not appear. */
function appear({ path: root, repoPath }: PrivateGit, { from, placed: { path } }: Staged): string | undefined {
  const appeared = inDirectory(root, path, 0o755, (directory, name) => {
    const to = join(directory, name);
    if (lstatSync(to, { throwIfNoEntry: false })) return refused(THERE);
    if (from === null) symlinkSync(join(repoPath, path), to);
    else renameSync(from, to);
    return { ok: true as const };
  });
  return appeared.ok ? undefined : appeared.fault;
}
