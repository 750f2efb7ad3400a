import { join } from 'node:path';
import { defined } from '../../../../schemas/defined.ts';
import { type ChangeBrief, MOST_BRIEF, type Witness } from '../../../../schemas/kinds/review/events.ts';
import { RANKS } from '../../../../schemas/repoFacts.ts';
import type { EffectOf } from '../../../core/effect/effect.ts';
import { cannotFail } from '../../../discovery/cannotFail/cannotFail.ts';
import { listFacts } from '../../../discovery/discover.ts';
import { removeLeftovers } from '../../../discovery/removeLeftovers.ts';
import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { placeReader, type ReaderFiles } from '../../../engine/performers/placeReader.ts';
import { fileLines } from '../../../repository/change/fileLines.ts';
import { filesNaming, readBrief } from '../../../repository/change/readBrief.ts';
import { type Change, readChange } from '../../../repository/change/readChange.ts';
import { changedLines, removedFiles } from '../../../repository/change/removedFiles.ts';
import { openPrivateGit, type PrivateGit } from '../../../repository/privateGit/privateGit.ts';
import { drawWitnesses } from '../finding/witness.ts';

/** Brings the worktrees of a look to the commit under review, reads what changed, and draws the lines to quote. */
export const prepareReview: Performer<'prepareReview'> = async (effect, ports) => {
  const { runId, phaseId, round, nth, main, base, head, from, isDelta, lanes, assignments } = effect;
  await keepWorktree(runId, main, ports);
  const privateGit = await openPrivateGit(main);
  const files: ReaderFiles = new Map();
  for (const reader of lanes) await placeReader(reader, ports, files);
  ports.faults.at('prepareReview.placed');
  const whole = await readChange(privateGit, base, head);
  const fix = from === null ? undefined : await readChange(privateGit, from, head);
  const linesOf = fileLines(privateGit, head);
  const looked = await linesToQuote(privateGit, linesOf, effect, isDelta && fix ? fix : whole, files);
  const drawn = assignments.map((key): [string, Witness[]] => [key, drawWitnesses(`${runId} ${head} ${key}`, looked)]);
  const brief = effect.brief && (await briefOf(privateGit, linesOf, effect, whole, effect.brief));
  ports.faults.at('prepareReview.read');
  return {
    type: 'reviewPrepared',
    phaseId,
    round,
    nth,
    changedLines: whole.changedLines,
    fixed: fix?.files ?? [],
    ...defined({ brief: brief ?? undefined }),
    witnesses: Object.fromEntries(drawn),
  };
};

type LinesOf = ReturnType<typeof fileLines>;

async function briefOf(
  privateGit: PrivateGit,
  linesOf: LinesOf,
  { main, base, head }: EffectOf<'prepareReview'>,
  change: Change,
  { dir, metricsNames }: NonNullable<EffectOf<'prepareReview'>['brief']>,
): Promise<ChangeBrief> {
  const known = await knownCommands(main.repoPath, base, dir);
  const brief = await readBrief(privateGit, { base, head }, change, known);
  if (!metricsNames) return brief;
  return { ...brief, metricsNamedIn: await filesNaming(change, linesOf, metricsNames) };
}

/** The changed lines of each file on both sides. A reader can quote a removed line only from a file that it has. */
async function linesToQuote(
  privateGit: PrivateGit,
  linesOf: LinesOf,
  { base, from, isDelta, quotesRemoved }: EffectOf<'prepareReview'>,
  { files }: Change,
  readers: ReaderFiles,
) {
  const before = isDelta && from !== null ? from : base;
  const known = readers.get(before)?.before;
  const old = quotesRemoved ? (known ?? (await removedFiles(privateGit, before, files))) : [];
  const byPath = new Map(old.map((file) => [file.path, file]));
  const looked: Parameters<typeof drawWitnesses>[1][number][] = [];
  for (const file of files) {
    const lines = (file.isDeleted ? undefined : await linesOf(file.path)) ?? [];
    const gone = byPath.get(file.from ?? file.path);
    const removed = gone && { path: gone.path, lines: gone.removed };
    looked.push(defined({ path: file.path, lines: changedLines(file, lines, 'new'), removed }));
  }
  return looked;
}

/**
 * The commands that the repository names for checks, as text for reviewers. devflow runs none of them. Read at the base: the
 * change must not choose. Best effort, because nothing depends on it.
 */
async function knownCommands(repoDir: string, base: string, dir: string): Promise<ChangeBrief['known']> {
  const facts = await readFacts(repoDir, base, join(dir, 'scratch')).catch(() => []);
  return facts
    .filter(({ rank, kind, argv }) => rank < RANKS.doc && CHECKS.includes(kind) && cannotFail(argv) === undefined)
    .slice(0, MOST_BRIEF.known)
    .map(({ argv, from }) => ({ argv, from: `${from.path}:${from.line}` }));
}

async function readFacts(repoDir: string, commit: string, scratchDir: string) {
  // A daemon that was killed during this look left them.
  await removeLeftovers(scratchDir);
  return listFacts({ repoDir, commit, scratchDir });
}

const CHECKS: readonly string[] = ['lint', 'typecheck', 'build', 'test'];
