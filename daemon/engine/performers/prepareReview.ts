import type { ChangedFile, Witness } from '../../../schemas/events/review.ts';
import { checkoutIntegration } from '../../harness/merge/integration.ts';
import { openPrivateGit } from '../../harness/privateGit/privateGit.ts';
import { fileLines } from '../../harness/review/fileLines.ts';
import { readChange } from '../../harness/review/readChange.ts';
import { drawWitnesses } from '../core/review/witness.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';

/** Brings the reviewers' worktrees to the commit under review, reads what changed, and draws the lines to quote. */
export const prepareReview: Performer<'prepareReview'> = async (effect, ports) => {
  const { runId, phaseId, round, nth, main, base, head, from, isDelta, lanes, seats } = effect;
  await keepWorktree(runId, main, ports);
  for (const { repoPath, path, startCommit: commit } of lanes) {
    await checkoutIntegration({ repoPath, path, commit, filters: ports.config.git.filters });
  }
  const privateGit = await openPrivateGit(main);
  const whole = await readChange(privateGit, base, head);
  const fixed = from === null ? [] : await readChange(privateGit, from, head);
  const linesOf = fileLines(privateGit, head);
  const looked: { path: string; lines: { line: number; text: string }[] }[] = [];
  for (const file of isDelta ? fixed : whole) {
    const lines = file.isDeleted ? undefined : await linesOf(file.path);
    if (lines) looked.push({ path: file.path, lines: changedLinesOf(file, lines) });
  }
  const drawn = seats.map((seat): [string, Witness[]] => [seat, drawWitnesses(`${runId} ${head} ${seat}`, looked)]);
  const changedLines = whole.reduce((sum, { hunks }) => sum + hunks.reduce((all, [, , , added]) => all + added, 0), 0);
  return { type: 'reviewPrepared', phaseId, round, nth, changedLines, fixed, witnesses: Object.fromEntries(drawn) };
};

function changedLinesOf({ hunks }: ChangedFile, lines: readonly string[]): { line: number; text: string }[] {
  return hunks.flatMap(([, , start, count]) =>
    Array.from({ length: count }, (_, offset) => ({ line: start + offset, text: lines[start + offset - 1] ?? '' })),
  );
}
