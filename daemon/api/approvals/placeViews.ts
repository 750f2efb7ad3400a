import type { CommentPlace, CommentView } from '../../../schemas/comments/commentView.ts';
import { changeAt } from '../../core/comments/changeAt.ts';
import { fileNow, placeNow } from '../../core/comments/placeNow.ts';
import type { Run } from '../../core/run/state.ts';
import { fileLines } from '../../repository/change/fileLines.ts';
import { readChange } from '../../repository/change/readChange.ts';
import { createGit } from '../../repository/git/git.ts';
import { createRecentEntries } from '../../repository/git/recentEntries.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import type { PrivateGit } from '../../repository/privateGit/privateGit.ts';
import { withPrivateGit } from '../../repository/privateGit/temporaryGit.ts';
import { patchOfFile } from '../../repository/worktree/diff.ts';

/** As much as a person reads below a comment. The whole change has its own place. */
const MOST_OF_PATCH = 16 * 1024;
/** One answer has room for so much of all. The newest comments come first. */
const MOST_OF_PATCHES = 512 * 1024;

/** Where the lines of a comment are at a commit, and what changed in their file. Commits never change. */
interface Placed {
  now: CommentPlace;
  patch: string;
}

/** Clients read an open gate again and again. */
const MOST_REMEMBERED = 200;
const recent = createRecentEntries<Placed>(MOST_REMEMBERED);

/** Adds to comments where their lines are at a commit, and what changed in their files. Without the repository they stay as they are. */
export async function placeViews(run: Run, views: readonly CommentView[], head: string): Promise<CommentView[]> {
  if (views.every(({ path }) => path === null)) return [...views];
  try {
    return await withPrivateGit(worktreeOf(run), createGit(), (privateGit) => placeAt(run, views, privateGit, head));
  } catch {
    return [...views];
  }
}

async function placeAt(
  run: Run,
  views: readonly CommentView[],
  privateGit: PrivateGit,
  head: string,
): Promise<CommentView[]> {
  const linesOf = fileLines(privateGit, head);
  const read = remembered((from) => readChange(privateGit, from, head));
  const patch = remembered(async (key) => {
    const [from = '', ...paths] = key.split('\0');
    const { patch } = await patchOfFile(privateGit, { from, to: head, cap: MOST_OF_PATCH, paths });
    return patch;
  });
  const placeOne = async (view: CommentView & { path: string }, from: string): Promise<Placed> => {
    const { files } = await read(from);
    const { path: name, file } = fileNow(files, view.path);
    const now = isOld(view) ? removedPlace(view, view.path) : placeNow(view, files, await linesOf(name));
    return { now, patch: file ? await patch([from, ...new Set([view.path, name])].join('\0')) : '' };
  };
  const placed: CommentView[] = [];
  let left = MOST_OF_PATCHES;
  for (const view of views.toReversed()) {
    const { path } = view;
    const gate = run.approvals.find(({ id }) => id === view.approvalId);
    if (path === null || !gate) {
      placed.push(view);
      continue;
    }
    const { to: from } = changeAt(run, gate);
    const key = JSON.stringify([run.id, view.id, from, head]);
    const found = recent.get(key) ?? (await placeOne({ ...view, path }, from));
    recent.set(key, found);
    const text = left > 0 ? found.patch : '';
    left -= text.length;
    placed.push({ ...view, now: found.now, patch: text === '' ? null : text });
  }
  return placed.toReversed();
}

const isOld = ({ side, line }: CommentView) => side === 'old' && line !== null;

/** Removed lines are in the base, which stays. */
function removedPlace({ line, endLine }: CommentView, path: string): CommentPlace {
  return { path, line, endLine, as: 'same' };
}

function remembered<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const found = known.get(key) ?? read(key);
    known.set(key, found);
    return found;
  };
}
