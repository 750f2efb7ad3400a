import { relative } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import type { ChangedFile, Witness } from '../../../schemas/events/review.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { ensureArtifactDirectory } from '../../harness/artifact/artifactDirectory.ts';
import { checkoutDetached } from '../../harness/merge/detachedWorktree.ts';
import { openPrivateGit, type PrivateGit } from '../../harness/privateGit/privateGit.ts';
import { fileLines } from '../../harness/review/fileLines.ts';
import { readChange } from '../../harness/review/readChange.ts';
import { patchBetween } from '../../harness/worktree/diff.ts';
import { drawWitnesses } from '../core/review/finding/witness.ts';
import type { EffectOf } from '../core/run/effect.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer, PerformerPorts } from './performer.ts';

const MOST_OF_PATCH = 2 * 1024 * 1024;

/** Brings the reviewers' worktrees to the commit under review, reads what changed, and draws the lines to quote. */
export const prepareReview: Performer<'prepareReview'> = async (effect, ports) => {
  const { runId, phaseId, round, nth, main, base, head, from, isDelta, lanes, seats } = effect;
  await keepWorktree(runId, main, ports);
  const privateGit = await openPrivateGit(main);
  if (lanes.length > 0) await placeReaders(effect, privateGit, ports);
  ports.faults.at('prepareReview.placed');
  const whole = await readChange(privateGit, base, head);
  const fixed = from === null ? [] : await readChange(privateGit, from, head);
  const linesOf = fileLines(privateGit, head);
  const looked: { path: string; lines: { line: number; text: string }[] }[] = [];
  for (const file of isDelta ? fixed : whole) {
    const lines = file.isDeleted ? undefined : await linesOf(file.path);
    if (lines) looked.push({ path: file.path, lines: changedLinesOf(file, lines) });
  }
  const drawn = seats.map((seat): [string, Witness[]] => [seat, drawWitnesses(`${runId} ${head} ${seat}`, looked)]);
  ports.faults.at('prepareReview.read');
  const changedLines = whole.reduce((sum, { hunks }) => sum + hunks.reduce((all, [, , , added]) => all + added, 0), 0);
  return { type: 'reviewPrepared', phaseId, round, nth, changedLines, fixed, witnesses: Object.fromEntries(drawn) };
};

async function placeReaders(
  { base, head, from, lanes }: EffectOf<'prepareReview'>,
  privateGit: PrivateGit,
  { config }: PerformerPorts,
): Promise<void> {
  const change = await patchOf(privateGit, base, head);
  const fix = from === null ? undefined : await patchOf(privateGit, from, head);
  for (const { place, ...files } of lanes) {
    const { repoPath, path, startCommit: commit } = place;
    await checkoutDetached({ repoPath, path, commit, filters: config.git.filters });
    ensureArtifactDirectory(path);
    writeDiff(path, files.change, change);
    if (fix !== undefined) writeDiff(path, files.fix, fix);
  }
}

/** Agents that only read may have no shell to ask git. */
async function patchOf(privateGit: PrivateGit, from: string, to: string): Promise<string> {
  const { patch, truncated } = await patchBetween(privateGit, { from, to, cap: MOST_OF_PATCH });
  return truncated ? `${patch}The rest of the diff is left out: it is too long.\n` : patch;
}

function writeDiff(worktree: string, path: string, patch: string): void {
  const written = writeInside(worktree, relative(worktree, path), patch);
  if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${path}: ${written.fault}.`);
}

function changedLinesOf({ hunks }: ChangedFile, lines: readonly string[]): { line: number; text: string }[] {
  return hunks.flatMap(([, , start, count]) =>
    Array.from({ length: Math.max(0, Math.min(count, lines.length - start + 1)) }, (_, offset) => ({
      line: start + offset,
      text: lines[start + offset - 1] ?? '',
    })),
  );
}
