import { type PatchRow, parsePatch } from '../../schemas/diff/parsePatch.ts';
import type { DiffView } from '../../schemas/rpc/views/approval.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { visible } from '../../schemas/text/visible.ts';
import { EMPTY, type Line, line, type Style, span, wrap } from '../text/line.ts';
import { type DiffPart, nearChanges } from '../text/lineDiff.ts';
import { theme } from '../text/theme.ts';

/** The difference of two texts. Long lines are wrapped. */
export function textDiffLines(parts: readonly DiffPart[], columns: number): Line[] {
  return nearChanges(parts).flatMap((part) => {
    if ('skipped' in part) return [line(span(`  ⋯ ${counted(part.skipped, 'unchanged line')}`, theme.muted))];
    const look = { ' ': undefined, '-': theme.removed, '+': theme.added }[part.sign];
    return wrap(visible(part.text, 'code'), columns - 2, look).map((each, nth) =>
      line(span(`${nth ? ' ' : part.sign} `, look), ...each),
    );
  });
}

const CUT_NOTE = 'The patch is cut off; the worktree has all of it.';

/** The files with their counts, then the patch as git wrote it. Its lines are not wrapped. */
export function codeDiffLines(diff: DiffView, cutNote = CUT_NOTE): Line[] {
  if (diff.files.length === 0) return [line(span('No files changed.', theme.muted))];
  const files = diff.files.map(({ path, insertions, deletions }) =>
    line(
      span(`${`+${insertions}`.padStart(6)} `, theme.added),
      span(`${`−${deletions}`.padStart(6)}  `, theme.removed),
      path,
    ),
  );
  const cutOff = diff.truncated ? [EMPTY, line(span(cutNote, theme.warn))] : [];
  return [line(span(diffCounts(diff), theme.title)), ...files, EMPTY, ...patchLines(diff.patch), ...cutOff];
}

/** `3 files, +12 −4`. */
function diffCounts({ files }: Pick<DiffView, 'files'>): string {
  const sum = (of: (file: DiffView['files'][number]) => number) => files.reduce((all, file) => all + of(file), 0);
  return `${counted(files.length, 'file')}, +${sum((file) => file.insertions)} −${sum((file) => file.deletions)}`;
}

function patchLines(patch: string): Line[] {
  return parsePatch(patch).rows.flatMap((row, nth) => {
    const shown = line(span(visible(row.text, 'code'), rowStyle(row)));
    return beginsFile(row) && nth > 0 ? [EMPTY, shown] : [shown];
  });
}

const beginsFile = ({ kind, text }: PatchRow): boolean => kind === 'head' && text.startsWith('diff --git ');

export function rowStyle(row: PatchRow): Style | undefined {
  if (beginsFile(row)) return { ...theme.title, ...theme.accent };
  const looks = {
    head: theme.muted,
    hunk: theme.accent,
    added: theme.added,
    removed: theme.removed,
    note: theme.muted,
  };
  return row.kind === 'context' ? undefined : looks[row.kind];
}
