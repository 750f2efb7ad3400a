import { join } from 'node:path';
import type { ChangeRequest, StartNotes } from '../../../schemas/rpc/views/start.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { visible } from '../../../schemas/text/visible.ts';
import { createGit } from '../git/git.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { withTemporaryGit } from '../privateGit/temporaryGit.ts';
import { clonesOf, findSubmodules } from '../submodule/findSubmodules.ts';
import { withCheckout } from './checkout.ts';
import { uncommittedInCheckout } from './checkoutStatus.ts';

const NAMED = 3;
const LISTED = 20;

interface RunStart {
  repoPath: string;
  commit: string;
  /** The change that the run reviews, if it only reviews. */
  change?: ChangeRequest | undefined;
  /** The run works in the checkout. */
  here?: boolean | undefined;
}

/** The parts of the person's checkout that the worktrees of a run at `commit` will lack. Changes nothing. */
export async function readStartNotes({ repoPath, commit, change, here }: RunStart): Promise<StartNotes> {
  return withCheckout(repoPath, createGit(), async (checkout) => {
    // A run does not use the checkout, so an unreadable one does not block it.
    const isWanted = change?.of === undefined || change.of === 'commits';
    const files = isWanted ? await uncommittedInCheckout(checkout).catch(() => undefined) : undefined;
    const submodules = here ? [] : await submodulesOf(checkout.privateGit, commit, await clonesOf(repoPath));
    const uncommitted = files ? { count: files.length, files: files.slice(0, LISTED) } : null;
    return { uncommitted, submodules, warnings: warningsOf({ repoPath, change, here }, uncommitted, submodules) };
  });
}

type Submodules = StartNotes['submodules'];

/** Includes submodules of submodules. */
async function submodulesOf(privateGit: PrivateGit, commit: string, clones: string[], depth = 0): Promise<Submodules> {
  const found = await findSubmodules(privateGit, commit, clones);
  const all: Submodules = [];
  for (const submodule of found) {
    if (submodule.source === null) {
      all.push({ path: submodule.path, reason: submodule.reason });
      continue;
    }
    all.push({ path: submodule.path, reason: null });
    if (depth > 8) continue;
    const { source } = submodule;
    const place = { repoPath: privateGit.repoPath, path: privateGit.path, branch: '', head: submodule.commit };
    const inner = await withTemporaryGit(place, source, createGit(), (clone) =>
      submodulesOf(clone, submodule.commit, [join(source, 'modules')], depth + 1),
    );
    all.push(...inner.map((each) => ({ ...each, path: `${submodule.path}/${each.path}` })));
  }
  return all;
}

function warningsOf(
  { repoPath, change, here }: Omit<RunStart, 'commit'>,
  uncommitted: StartNotes['uncommitted'],
  submodules: Submodules,
): string[] {
  const warnings: string[] = [];
  if (uncommitted && uncommitted.count > 0) {
    const { count, files } = uncommitted;
    const remedy = change ? 'Review them with --worktree.' : 'Commit what the run needs first.';
    const what = counted(count, 'uncommitted file is', 'uncommitted files are');
    warnings.push(
      here
        ? `${what} shown as work of the run, too: ${named(files, count)}. Commit them first to keep them apart.`
        : `${what} not part of the run: ${named(files, count)}. ${remedy}`,
    );
  }
  const empty = submodules.filter(({ reason }) => reason !== null);
  if (empty.length > 0) {
    const what = counted(empty.length, 'submodule is', 'submodules are');
    const which = named(
      empty.map(({ path, reason }) => `${path} (${reason})`),
      empty.length,
    );
    const canFetch = empty.some(({ reason }) => !reason?.startsWith('devflow refuses'));
    const remedy = `If the run needs them, first run git submodule update --init --recursive in ${visible(repoPath)}.`;
    warnings.push(`${what} empty in the run: ${which}.${canFetch ? ` ${remedy}` : ''}`);
  }
  return warnings;
}

function named(names: readonly string[], count: number): string {
  const shown = names.slice(0, NAMED).map((name) => visible(name));
  return count > NAMED ? `${shown.join(', ')} and ${count - NAMED} more` : shown.join(', ');
}
