import { aboveScissors, SCISSORS } from '../../../../cli/client/scissors.ts';
import type { NewComment } from '../../../../schemas/comments/comment.ts';
import type { Draft } from '../../../../schemas/comments/draft.ts';
import { COMMENT_LIMITS, tooLong } from '../../../../schemas/comments/limits.ts';
import { visible } from '../../../../schemas/text/visible.ts';
import { type PlaceOfComment, WHOLE } from './spots.ts';

/** A comment as it comes back from the editor. Without an id it is new. */
interface EditedComment {
  readonly id?: string;
  readonly comment: NewComment;
}

export type EditedReview =
  | { readonly ok: true; readonly comments: readonly EditedComment[]; readonly removed: readonly string[] }
  | { readonly ok: false; readonly faults: readonly string[] };

type Written = Pick<Draft, 'id' | 'comment'>;

const HOW = [
  'Each heading is a comment: "## path", "## path:line" or "## path:first-last", with " (removed)" for lines that are gone,',
  'or "## whole". Write the text below it; "?" at its beginning asks a question. Delete a heading to delete the comment.',
  'A number in brackets is a comment that you have already. Lines with ">" quote the file.',
];
const HEADING = '## ';

/** All comments of a review as one text for the editor. `context` stands below the scissors. */
export function reviewMarkdown(gate: string, drafts: readonly Written[], context: string): string {
  return [
    `${TITLE}${oneLine(gate)}`,
    '',
    ...drafts.flatMap(({ comment }, nth) => [
      `${HEADING}${placeWords(comment)} [${nth + 1}]`,
      '',
      ...(comment.quote === '' ? [] : [...comment.quote.split('\n').map((each) => `> ${each}`), '']),
      ...textLines(comment),
      '',
    ]),
    SCISSORS,
    ...HOW,
    '',
    visible(context, 'text').trimEnd(),
    '',
  ].join('\n');
}

const FAULT = '# ! ';
const TITLE = '# Review of ';

/** The text as it came back, with its faults on top instead of those of the last time. */
export function withFaults(edited: string, faults: readonly string[]): string {
  const lines = edited.split(/\r?\n/).filter((each) => !each.startsWith(FAULT));
  const isCut = aboveScissors(edited) === undefined;
  const rest = lines.slice(lines[0]?.startsWith(TITLE) ? 1 : 0);
  return [
    ...lines.slice(0, lines.length - rest.length),
    ...faults.map((fault) => `${FAULT}${oneLine(fault)}`),
    ...rest,
    ...(isCut ? [SCISSORS, 'Your comments end above the line. Move it, if it must stand higher.', ''] : []),
  ].join('\n');
}

const oneLine = (text: string) => visible(text).replaceAll(/\s+/g, ' ');

/** A line that would be read as a heading or a quote, or as one that is escaped already, begins with a backslash. */
function textLines({ kind, text }: Pick<NewComment, 'kind' | 'text'>): string[] {
  const asked = kind === 'question' ? `? ${text}` : text.replace(/^\s*(?=\?)/, '\\');
  return asked.split(/\r?\n/).map((line) => (/^(?:## |# ! |>|\\[#>\\]|-+ >8)/.test(line) ? `\\${line}` : line));
}

const unescaped = (line: string) => line.replace(/^\\(?=## |# ! |>|\\|-+ >8)/, '');

function placeWords({ path, side, line, endLine, artifact, pointer }: PlaceOfComment): string {
  if (artifact !== null) return `document ${artifact.slice(0, 12)}${pointer === null ? '' : ` ${pointer}`}`;
  if (path === null) return 'whole';
  const isPlain = !/[\p{Cc}"\\]|^\s|\s$|^whole$|^document |:\d+(?:-\d+)?$|\(removed\)$|\]$/u.test(path);
  const lines = line === null ? '' : endLine === null ? `:${line}` : `:${line}-${endLine}`;
  return `${isPlain ? path : JSON.stringify(path)}${lines}${side === 'old' ? ' (removed)' : ''}`;
}

/** Reads the text back. A fault names what to mend; then nothing is taken. */
export function readReviewMarkdown(edited: string, drafts: readonly Written[]): EditedReview {
  const text = aboveScissors(edited);
  if (text === undefined) {
    return { ok: false, faults: ['The line with >8 is missing, so devflow cannot find the end of your comments.'] };
  }
  const faults: string[] = [];
  const comments: EditedComment[] = [];
  for (const { heading, body } of sectionsOf(text)) {
    const read = readOne(heading, body, drafts);
    if (read === undefined) continue;
    if (typeof read === 'string') faults.push(read);
    // A heading that was copied is a comment of its own.
    else if (comments.some(({ id }) => id !== undefined && id === read.id)) comments.push({ comment: read.comment });
    else comments.push(read);
  }
  if (faults.length > 0) return { ok: false, faults };
  const removed = drafts.map(({ id }) => id).filter((id) => !comments.some((each) => each.id === id));
  return { ok: true, comments, removed };
}

interface Section {
  heading: string;
  body: string[];
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ heading: 'whole', body: [] }];
  text.split('\n').forEach((line, nth) => {
    if (line.startsWith(FAULT) || (nth === 0 && line.startsWith(TITLE))) return;
    if (line.startsWith(HEADING)) sections.push({ heading: line.slice(HEADING.length).trim(), body: [] });
    else sections.at(-1)?.body.push(line);
  });
  return sections;
}

/** Undefined for a section without text: a comment that was emptied, or the text before the first heading. */
function readOne(
  heading: string,
  body: readonly string[],
  drafts: readonly Written[],
): EditedComment | string | undefined {
  const [, words = heading, number] = /^(.*?)\s*\[(\d+)\]$/s.exec(heading) ?? [];
  const said = body
    .filter((line) => !line.startsWith('>'))
    .map(unescaped)
    .join('\n')
    .trim();
  if (said === '') return undefined;
  const [, question] = /^\?\s*([\s\S]*)$/.exec(said) ?? [];
  const kind = question === undefined ? 'change' : 'question';
  const text = question ?? said.replace(/^\\(?=\?)/, '');
  if (text === '') return `${heading}: the question is empty.`;
  if (text.length > COMMENT_LIMITS.text) return `${heading}: ${tooLong(text)}`;
  const draft = number === undefined ? undefined : drafts[Number(number) - 1];
  if (draft && placeWords(draft.comment) === words) return { id: draft.id, comment: { ...draft.comment, kind, text } };
  const place = readPlace(words);
  if (typeof place === 'string') return `${heading}: ${place}`;
  const comment = { ...place, kind, text } as const;
  return draft ? { id: draft.id, comment } : { comment };
}

function readPlace(words: string): PlaceOfComment | string {
  if (words === 'whole') return WHOLE;
  if (words.startsWith('document ')) return 'a comment on a document is made in the dashboard.';
  const [, before = words, removed] = /^(.*?)( \(removed\))?$/s.exec(words) ?? [];
  const [, name = '', first, last] = /^(.*?)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/s.exec(before) ?? [];
  const path = name.startsWith('"') ? quotedPath(name) : name;
  if (path === undefined || path === '') return 'it names no file.';
  const [line, end] = [first, last].map((each) => (each === undefined ? null : Number(each)));
  if (line === 0) return 'lines count from 1.';
  if (removed !== undefined && line === null) return 'it names no removed line.';
  if (line !== null && end !== null && line !== undefined && end !== undefined && end < line)
    return 'its last line is before its first one.';
  return {
    ...WHOLE,
    path,
    side: removed === undefined ? 'new' : 'old',
    line: line ?? null,
    endLine: end === line ? null : (end ?? null),
  };
}

function quotedPath(written: string): string | undefined {
  try {
    const path: unknown = JSON.parse(written);
    return typeof path === 'string' ? path : undefined;
  } catch {
    return undefined;
  }
}
