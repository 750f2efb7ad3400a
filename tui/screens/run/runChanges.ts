import { movedNote } from '../../../schemas/rpc/views/movedNote.ts';
import { uncommittedNote } from '../../../schemas/worktreeState.ts';
import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, errorOf, query } from '../../model/query.ts';
import { EMPTY, fitWidth, type Line, line, withStyle, wrap } from '../../text/line.ts';
import { memoize } from '../../text/memoize.ts';
import { theme } from '../../text/theme.ts';
import { codeDiffLines } from '../../widgets/diff.ts';
import { createFileJumps, type FileJumpState } from '../../widgets/fileJumps.ts';
import { createHorizontalScroll, type HorizontalScrollState } from '../../widgets/horizontalScroll.ts';
import { createReader, READER_START, type ReaderState } from '../../widgets/reader.ts';
import { filesRoot, targetsOfFile } from '../targets/targetsOf.ts';
import { type RunSection, waitingLines } from './runSection.ts';
import { sectionSize, shownRunId } from './shownRun.ts';

const NONE: readonly Line[] = [];
const MARGIN = 1;

const diffQuery = (model: Model) => query('run.diff', { runId: shownRunId(model) });
const state = screenState<ReaderState & HorizontalScrollState & FileJumpState>('run changes', {
  ...READER_START,
  left: 0,
});
const diffLines = memoize((diff: Parameters<typeof codeDiffLines>[0]) => codeDiffLines(diff));

function linesOf(model: Model): readonly Line[] {
  const diff = answerOf(model.data, diffQuery(model));
  return diff ? diffLines(diff) : NONE;
}

const sideways = createHorizontalScroll({
  name: 'run.changes',
  state,
  lines: linesOf,
  columns: (model) => model.size.columns - 2 * MARGIN,
});

const reader = createReader({
  name: 'run.changes',
  state,
  lines: linesOf,
  shown: (model, each, row) =>
    sideways.shift(model, row === jumps.row(model) ? withStyle(each, { underline: true }) : each),
  rows: (model) => sectionSize(model).rows - headOf(model).length,
});

const jumps = createFileJumps({
  name: 'run.changes',
  state,
  lines: linesOf,
  isShown: () => true,
  files: (model) => answerOf(model.data, diffQuery(model))?.files ?? [],
  topOf: reader.topOf,
  show: reader.to,
});

/** Notes above the changes: what they leave out. */
function headOf(model: Model): Line[] {
  const diff = answerOf(model.data, diffQuery(model));
  if (!diff) return [];
  const { branch, moved, uncommittedFiles } = diff;
  const notes = [
    ...(branch === null ? ['The branch of the run no longer exists; these changes end at its last commit.'] : []),
    ...(moved ? [movedNote(moved)] : []),
    ...(uncommittedFiles ? [uncommittedNote(uncommittedFiles)] : []),
  ];
  const lines = notes.flatMap((text) => wrap(text, sectionSize(model).columns - 2 * MARGIN, theme.warn));
  return lines.length === 0 ? [] : [...lines.map((each) => line(' ', ...each)), EMPTY];
}

/** The changes on the run's branch since the base commit. */
export const changes: RunSection = {
  id: 'changes',
  title: 'Changes',
  bindings: [...jumps.bindings, ...reader.bindings, ...sideways.bindings],
  queries: (model) => [diffQuery(model)],
  view(model, _run, size) {
    if (linesOf(model).length === 0) return waitingLines(errorOf(model.data, diffQuery(model)), size.columns);
    const head = headOf(model);
    const text = reader.view(model, { rows: size.rows - head.length, columns: size.columns - 2 * MARGIN });
    return [...head, ...text.map((each) => line(' ', ...each))].map((each) => fitWidth(each, size.columns));
  },
  targets(model, run) {
    const file = answerOf(model.data, diffQuery(model))?.files[jumps.nth(model) ?? -1];
    return targetsOfFile(file?.path, filesRoot(run));
  },
  where(model) {
    const nth = jumps.nth(model);
    return nth === undefined ? '' : `file ${nth + 1} of ${jumps.count(model)}`;
  },
  typing: reader.typing,
  onKey: reader.onKey,
  onMouse: reader.onMouse,
};
