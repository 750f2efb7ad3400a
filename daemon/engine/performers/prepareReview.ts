import type { ChangedFile, Witness } from '../../../schemas/events/review.ts';
import { openPrivateGit } from '../../harness/privateGit/privateGit.ts';
import { fileLines } from '../../harness/review/fileLines.ts';
import { readChange } from '../../harness/review/readChange.ts';
import { drawWitnesses } from '../core/review/finding/witness.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';
import { placeReader } from './placeReader.ts';

/** Brings the worktrees of reviewers and verifiers to the commit under review, reads what changed, and draws the lines to quote. */
export const prepareReview: Performer<'prepareReview'> = async (effect, ports) => {
  const { runId, phaseId, round, nth, main, base, head, from, isDelta, lanes, assignments } = effect;
  await keepWorktree(runId, main, ports);
  const privateGit = await openPrivateGit(main);
  const patches = new Map<string, string>();
  for (const reader of lanes) await placeReader(reader, ports, patches);
  ports.faults.at('prepareReview.placed');
  const whole = await readChange(privateGit, base, head);
  const fixed = from === null ? [] : await readChange(privateGit, from, head);
  const linesOf = fileLines(privateGit, head);
  const looked: { path: string; lines: { line: number; text: string }[] }[] = [];
  for (const file of isDelta ? fixed : whole) {
    const lines = file.isDeleted ? undefined : await linesOf(file.path);
    if (lines) looked.push({ path: file.path, lines: changedLinesOf(file, lines) });
  }
  const drawn = assignments.map((key): [string, Witness[]] => [key, drawWitnesses(`${runId} ${head} ${key}`, looked)]);
  ports.faults.at('prepareReview.read');
  const changedLines = whole.reduce((sum, { hunks }) => sum + hunks.reduce((all, [, , , added]) => all + added, 0), 0);
  return { type: 'reviewPrepared', phaseId, round, nth, changedLines, fixed, witnesses: Object.fromEntries(drawn) };
};

function changedLinesOf({ hunks }: ChangedFile, lines: readonly string[]): { line: number; text: string }[] {
  return hunks.flatMap(([, , start, count]) =>
    Array.from({ length: Math.max(0, Math.min(count, lines.length - start + 1)) }, (_, offset) => ({
      line: start + offset,
      text: lines[start + offset - 1] ?? '',
    })),
  );
}
