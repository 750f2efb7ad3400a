import type { NewComment } from '../../../../schemas/comments/comment.ts';
import type { CommentView } from '../../../../schemas/comments/commentView.ts';
import { COMMENT_LIMITS } from '../../../../schemas/comments/limits.ts';
import { type PatchRow, parsePatch } from '../../../../schemas/diff/parsePatch.ts';
import type { DiffView } from '../../../../schemas/rpc/views/approval.ts';
import type { ArtifactContent } from '../../../../schemas/rpc/views/artifact.ts';
import { beginsAsJson } from '../../../../schemas/sheet/formatDocument.ts';
import type { SheetLine } from '../../../../schemas/sheet/sheetLines.ts';
import { cutTo } from '../../../../schemas/text/phrases.ts';
import { memoize } from '../../../text/memoize.ts';

/** What a comment on a row of a section is about. */
export type Spot =
  | { readonly is: 'whole' }
  /** `isName`: the row names the file, in the list or above its patch. */
  | { readonly is: 'file'; readonly path: string; readonly isName?: true }
  /** A comment of an earlier gate. */
  | { readonly is: 'comment'; readonly comment: CommentView }
  /** A row of a patch. `hunk` is the row of its `@@`: a range stays below one. */
  | { readonly is: 'line'; readonly path: string; readonly row: PatchRow; readonly hunk: number }
  | {
      readonly is: 'document';
      readonly artifact: string;
      readonly pointer: string;
      readonly text: string;
      /** The row is about all of it: its name, or a sentence of devflow's. */
      readonly isWhole?: true;
    };

export type PlaceOfComment = Omit<NewComment, 'kind' | 'text'>;

/** The place of a comment on the whole. */
export const WHOLE: PlaceOfComment = {
  path: null,
  side: 'new',
  line: null,
  endLine: null,
  artifact: null,
  pointer: null,
  quote: '',
};

/** A spot for each row of `codeDiffLines`; undefined for a row that says nothing about the change. */
export function codeSpots(diff: DiffView): (Spot | undefined)[] {
  if (diff.files.length === 0) return [{ is: 'whole' }];
  const { files, rows } = parsePatch(diff.patch);
  let hunk = 0;
  const ofPatch = rows.flatMap((row, nth): (Spot | undefined)[] => {
    const file = files[row.file];
    if (!file) return [undefined];
    if (row.kind === 'hunk') hunk = nth;
    const ofFile: Spot = { is: 'file', path: file.path };
    const name: Spot = { ...ofFile, isName: true };
    // An empty row stands before each file but the first.
    if (nth === file.row) return nth === 0 ? [name] : [undefined, name];
    if (file.noLines !== null || row.kind === 'head' || row.kind === 'hunk' || row.kind === 'note') return [ofFile];
    return [{ is: 'line', path: file.path, row, hunk }];
  });
  return [
    { is: 'whole' },
    ...diff.files.map(({ path }): Spot => ({ is: 'file', path, isName: true })),
    undefined,
    ...ofPatch,
    ...(diff.truncated ? [undefined, undefined] : []),
  ];
}

type SpotArtifact = Pick<ArtifactContent, 'artifactId' | 'hash' | 'content'>;

/** The spot of a line of a document; the name of the document stands for all of it. */
export function documentSpot(
  { place, pointer, text, as }: SheetLine,
  artifacts: readonly SpotArtifact[],
): Spot | undefined {
  if (!place || !('artifactId' in place) || (text === '' && as === 'text')) return undefined;
  const artifact = artifacts.find(({ artifactId }) => artifactId === place.artifactId);
  if (!artifact) return undefined;
  const source = pointer === '' ? undefined : sourceLines(artifact)[Number(pointer.slice(1)) - 1];
  // Lines of JSON as it is written have no pointer either.
  const whole = pointer === '' && as !== 'code' ? { isWhole: true as const } : {};
  return { is: 'document', artifact: artifact.hash, pointer, text: source ?? text, ...whole };
}

/** The lines of a document that is not JSON, without which no quote of Markdown could be found in it again. */
const sourceLines = memoize(({ content }: SpotArtifact): readonly string[] =>
  content === null || beginsAsJson(content) ? [] : content.split(/\r?\n/),
);

/** The place of a comment on these rows, or why there can be none. */
export function placeOf(spots: readonly (Spot | undefined)[]): PlaceOfComment | { readonly why: string } {
  const given = spots.filter((each) => each !== undefined);
  const [first] = given;
  if (!first) return { why: 'this row shows nothing that a comment can be about' };
  if (given.length === 1 && first.is === 'whole') return WHOLE;
  if (first.is === 'comment') return ofComment(first.comment, given);
  if (first.is === 'file' && given.every((each) => each.is === 'file' && each.path === first.path)) {
    return { ...WHOLE, path: first.path };
  }
  const rows = given.flatMap((each) => (each.is === 'line' ? [each] : []));
  if (rows.length === given.length) return ofLines(rows);
  const parts = given.flatMap((each) => (each.is === 'document' ? [each] : []));
  if (parts.length === given.length) return ofDocument(parts);
  return { why: 'a range has only lines of one hunk, or of one document' };
}

/** Another comment on the place of an earlier one. The daemon quotes its lines as they are now. */
function ofComment(comment: CommentView, given: readonly Spot[]): PlaceOfComment | { readonly why: string } {
  if (given.some((each) => each.is !== 'comment' || each.comment.id !== comment.id)) {
    return { why: 'a range stays in one comment' };
  }
  const { path, side, now } = comment;
  if (path === null) return WHOLE;
  const isLost = now === null || now.as === 'outdated';
  const lines = isLost ? {} : { path: now.path, line: now.line, endLine: now.endLine };
  return { ...WHOLE, path, ...lines, side: !isLost && now.line !== null ? side : 'new' };
}

function ofLines(rows: readonly Extract<Spot, { is: 'line' }>[]): PlaceOfComment | { readonly why: string } {
  const [first] = rows;
  if (!first || rows.some(({ hunk }) => hunk !== first.hunk)) return { why: 'a range stays in one hunk' };
  const side = rows.some(({ row }) => row.newLine !== null) ? 'new' : 'old';
  const lineOf = ({ row }: (typeof rows)[number]) => (side === 'new' ? row.newLine : row.oldLine);
  const shown = rows.filter((each) => lineOf(each) !== null);
  const [line, end] = [shown[0], shown.at(-1)].map((each) => (each ? lineOf(each) : null));
  if (line === undefined || line === null) return { why: 'the range has no line' };
  const quote = cutTo(shown.map(({ row }) => row.text.slice(1)).join('\n'), COMMENT_LIMITS.quote);
  return { ...WHOLE, path: first.path, side, line, endLine: end === line ? null : (end ?? null), quote };
}

/** A comment names one value. A range over several names the first, and quotes them all. */
function ofDocument(parts: readonly Extract<Spot, { is: 'document' }>[]): PlaceOfComment | { readonly why: string } {
  const [first] = parts;
  if (!first || parts.some(({ artifact }) => artifact !== first.artifact)) {
    return { why: 'a range stays in one document' };
  }
  const shown = parts.filter(({ isWhole }) => isWhole !== true);
  const pointer = first.pointer === '' || first.pointer.length > COMMENT_LIMITS.pointer ? null : first.pointer;
  const quote = cutTo(shown.map(({ text }) => text).join('\n'), COMMENT_LIMITS.quote);
  return { ...WHOLE, artifact: first.artifact, pointer, quote };
}
