import { type NewComment, placesFault } from '../../../schemas/comments/comment.ts';
import { normalPath, repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';
import { readValidated } from '../../artifacts/storedArtifact.ts';
import { changeAt } from '../../core/comments/changeAt.ts';
import { placeInDocument } from '../../core/comments/placeInDocument.ts';
import { placeLines } from '../../core/comments/placeLines.ts';
import type { Placed } from '../../core/run/comment.ts';
import { worktreeWith } from '../../core/run/lanes.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import { fileLines } from '../../repository/change/fileLines.ts';
import { isFileAt } from '../../repository/change/isFileAt.ts';
import { readChange } from '../../repository/change/readChange.ts';
import { createGit } from '../../repository/git/git.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import type { PrivateGit } from '../../repository/privateGit/privateGit.ts';
import { withPrivateGit } from '../../repository/privateGit/temporaryGit.ts';

const HERE: Placed = { place: 'same', quote: '', anchor: null };

/** Compares comments with the commits and documents that a gate shows, and with nothing else. */
export async function placeComments(run: Run, approval: Approval, comments: readonly NewComment[]): Promise<Placed[]> {
  const ofFiles = comments.some(({ path }) => path !== null);
  const place = (files?: Files) => inOrder(comments, (each) => placeOne(run, approval, each, files));
  if (!ofFiles) return place();
  return withPrivateGit(worktreeOf(run), createGit(), (privateGit) =>
    place(filesAt(privateGit, changeAt(run, approval))),
  );
}

/** git reads one file after another: a hundred comments are mostly about a few files. */
async function inOrder(
  comments: readonly NewComment[],
  place: (one: NewComment) => Promise<Placed>,
): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const comment of comments) placed.push(await place(comment));
  return placed;
}

async function placeOne(run: Run, approval: Approval, comment: NewComment, files?: Files): Promise<Placed> {
  const fault = placesFault(comment);
  if (fault !== undefined) return { place: 'outdated', reason: fault };
  if (comment.artifact !== null) return inDocument(run, approval, comment);
  return files && comment.path !== null ? inFile(files, comment, comment.path) : HERE;
}

interface Files {
  lines: Record<NewComment['side'], (path: string) => Promise<readonly string[] | undefined>>;
  /** The path before the change, for a file that it renamed. */
  pathBefore(path: string): Promise<string>;
  has(path: string): Promise<boolean>;
}

function filesAt(privateGit: PrivateGit, { from, to }: { from: string; to: string }): Files {
  let change: ReturnType<typeof readChange> | undefined;
  const read = () => {
    change ??= readChange(privateGit, from, to);
    return change;
  };
  return {
    lines: { new: fileLines(privateGit, to), old: fileLines(privateGit, from) },
    pathBefore: async (path) => (await read()).files.find((file) => file.path === path)?.from ?? path,
    has: async (path) =>
      (await isFileAt(privateGit, to, path)) ||
      (await isFileAt(privateGit, from, path)) ||
      (await read()).sizes.some((each) => each.path === path),
  };
}

async function inFile(files: Files, comment: NewComment, path: string): Promise<Placed> {
  const bad = repositoryPathFault(path);
  if (bad !== undefined) return { place: 'outdated', reason: `The path ${bad}.` };
  const name = normalPath(path);
  if (name !== path) return { place: 'outdated', reason: `Write the path as ${name}.` };
  if (comment.line === null) {
    return (await files.has(path)) ? HERE : { place: 'outdated', reason: 'There is no file of this name.' };
  }
  const { side } = comment;
  const linesOf = files.lines[side];
  const lines = (await linesOf(path)) ?? (side === 'old' ? await linesOf(await files.pathBefore(path)) : undefined);
  if (!lines)
    return { place: 'outdated', reason: 'There is no text file of this name. Comment on the file, or leave it out.' };
  return placeLines(lines, comment);
}

async function inDocument(run: Run, { subject }: Approval, { artifact, ...comment }: NewComment): Promise<Placed> {
  const { artifacts = [] } = subject as { artifacts?: { path: string; storedPath: string | null; hash: string }[] };
  const shown = artifacts.find(({ hash }) => hash === artifact);
  if (!shown) return { place: 'outdated', reason: 'The gate shows no document of this hash.' };
  const bytes = await readValidated(shown, worktreeWith(run, shown.path));
  if (!bytes) return { place: 'outdated', reason: 'The bytes of the document are lost.' };
  return placeInDocument(bytes.toString('utf8'), comment);
}
