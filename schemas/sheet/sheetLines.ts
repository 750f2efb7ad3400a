import type { CommentView } from '../comments/commentView.ts';
import { commentLines } from '../comments/commentWords.ts';
import { defined } from '../defined.ts';
import type { ApprovalDecisionAction } from '../enums.ts';
import type { CheckView, SaidView, Sheet } from '../rpc/views/sheet.ts';
import { FINDING_SEVERITIES } from '../states/findings.ts';
import { stateOf } from '../states/state.ts';
import { counted } from '../text/phrases.ts';
import { duration } from '../time/duration.ts';
import { withLocalTimes } from '../time/localTime.ts';
import type { DocumentLine } from './documentLine.ts';
import { beginsAsJson, formatDocument, pointerToLine } from './formatDocument.ts';
import { markdownLines } from './markdownLines.ts';

export type SheetTone = 'muted' | 'accent' | 'good' | 'warn' | 'bad';

/** The thing of the page that a comment on the line is about. */
export type SheetPlace = { path: string } | { artifactId: string };

export interface SheetLine extends DocumentLine {
  tone?: SheetTone;
  place?: SheetPlace;
}

/** The text of an artifact; null if it is lost. */
export interface SheetDocument {
  artifactId: string;
  content: string | null;
  truncated: boolean;
  fault?: string | undefined;
  /** Why it is not valid, a sentence each. */
  errors: readonly string[];
}

export interface SheetPart {
  id:
    | 'decision'
    | 'alarms'
    | 'about'
    | 'asked'
    | 'comments'
    | 'said'
    | 'checks'
    | 'review'
    | 'measured'
    | 'walk'
    | 'change'
    | 'documents';
  title: string;
  lines: SheetLine[];
}

/** The texts of artifacts as they are written, and not formatted. */
export interface Manner {
  raw?: boolean;
}

/** The parts of a page in their order. What is empty is left out. The only writer: every reader shows these lines. */
export function sheetParts(sheet: Sheet, documents: readonly SheetDocument[], manner: Manner = {}): SheetPart[] {
  const parts: SheetPart[] = [
    { id: 'decision', title: 'Decision', lines: leadsToLines(sheet) },
    { id: 'alarms', title: 'Look twice', lines: alarmLines(sheet) },
    { id: 'about', title: 'About this gate', lines: aboutLines(sheet) },
    { id: 'asked', title: 'Asked', lines: askedLines(sheet) },
    { id: 'comments', title: 'Comments', lines: sheet.comments.flatMap(commentPart) },
    {
      id: 'said',
      title: 'The agent says',
      lines: sheet.said.flatMap((said) => saidLines(said, sheet.said.length > 1)),
    },
    { id: 'checks', title: 'Checks', lines: sheet.checks.flatMap(checkLines) },
    { id: 'review', title: 'Review', lines: reviewLines(sheet) },
    { id: 'measured', title: 'Measured', lines: sheet.measured.map((each) => text(each)) },
    { id: 'walk', title: 'Rehearsal', lines: sheet.walk.map((each) => text(each)) },
    { id: 'change', title: 'Changes', lines: changeLines(sheet) },
    {
      id: 'documents',
      title: 'Documents',
      lines: allDocumentLines({ documents: sheet.documents.filter(({ isSaid }) => !isSaid) }, documents, manner),
    },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** The question, and the whole page below it. */
export function sheetLines(sheet: Sheet, documents: readonly SheetDocument[], manner: Manner = {}): SheetLine[] {
  const parts = sheetParts(sheet, documents, manner);
  return [...questionLines(sheet), ...parts.flatMap(partLines)];
}

/** A part below its title, with an empty line before. The decision stands right below the question. */
export function partLines({ id, title, lines }: SheetPart): SheetLine[] {
  return id === 'decision' ? [BLANK, ...lines] : [BLANK, heading(title), ...lines];
}

export function questionLines({ decides }: Pick<Sheet, 'decides'>): SheetLine[] {
  return withLocalTimes(decides)
    .split('\n')
    .map((each) => text(each));
}

/** All lines of all artifacts, also of those that the page has elsewhere. */
export function allDocumentLines(
  sheet: Pick<Sheet, 'documents'>,
  documents: readonly SheetDocument[],
  manner: Manner = {},
): SheetLine[] {
  return apart(sheet.documents.map((each) => documentLines(each, documents, manner)));
}

/** Groups of lines, with an empty line between them. */
function apart(groups: readonly SheetLine[][]): SheetLine[] {
  return groups.flatMap((lines, nth) => (nth === 0 ? lines : [BLANK, ...lines]));
}

const BLANK: SheetLine = { pointer: '', text: '', as: 'text', depth: 0 };

function heading(title: string): SheetLine {
  return { pointer: '', text: title, as: 'heading', depth: 0 };
}

/** One line: a line break in it is shown as a sign, so that nothing can pretend to be a line of the page. */
function text(body: string, more: Partial<SheetLine> = {}): SheetLine {
  return { pointer: '', text: body.replaceAll(/\r?\n/g, '␊'), as: 'text', depth: 0, ...more };
}

function item(body: string, more: Partial<SheetLine> = {}): SheetLine {
  return text(body, { as: 'item', mark: '•', ...more });
}

export const ACTION_WORDS: Readonly<Record<ApprovalDecisionAction, string>> = {
  approve: 'approve',
  request_changes: 'request changes',
  reject: 'reject',
  abort: 'abort',
};

function leadsToLines({ leadsTo }: Sheet): SheetLine[] {
  return leadsTo.map(({ action, sentence }) => text(sentence, { mark: `${ACTION_WORDS[action] ?? action}:` }));
}

function alarmLines({ alarms }: Sheet): SheetLine[] {
  return alarms.map(({ sentence }) => text(withLocalTimes(sentence), { mark: '!', tone: 'warn' }));
}

const TONES: Readonly<Record<string, SheetTone | undefined>> = { error: 'bad', hint: 'warn' };

function aboutLines({ about }: Sheet): SheetLine[] {
  return about.flatMap(({ name, text: body, isCode }) => {
    if (isCode) return [text(body, { as: 'code' })];
    const shown = withLocalTimes(body);
    if (name === null) return [item(shown)];
    const look = defined({ tone: TONES[name] });
    return shown
      .split('\n')
      .map((each, nth) => text(each, nth === 0 ? { ...look, mark: `${name}:` } : { ...look, depth: 1 }));
  });
}

/** A person has written the requirements and knows them; the whole is one command away. */
const MOST_ASKED = 12;

function askedLines({ asked: { requirements, changes } }: Sheet): SheetLine[] {
  const all = requirements.trim() === '' ? [] : markdownLines(requirements.trim(), { pointer: '', depth: 0 });
  const rest = all.length - MOST_ASKED;
  const shown: SheetLine[] = rest > 1 ? all.slice(0, MOST_ASKED) : all;
  return [
    ...shown,
    ...(rest > 1 ? [text(`… ${counted(rest, 'more line')}`, { tone: 'muted' })] : []),
    ...(changes === null ? [] : changesLines(changes)),
  ];
}

/** A comment with its answers. */
function commentPart(comment: CommentView): SheetLine[] {
  const [first = '', ...rest] = commentLines(comment);
  const tone = comment.state === 'unanswered' ? ('warn' as const) : undefined;
  return [
    text(first, { ...defined({ tone }) }),
    ...rest.map((each) => text(each.replace(/^ {2}/, ''), { as: 'code', depth: 1 })),
  ];
}

function changesLines(changes: string): SheetLine[] {
  const [first = '', ...rest] = changes.trim().split(/\r?\n/);
  const begin = text(first, { mark: 'You asked for:', tone: 'accent' });
  return [begin, ...rest.map((each) => text(each, { tone: 'accent', depth: 1 }))];
}

function saidLines({ roleId, laneId, summary, howToCheck, left }: SaidView, isOneOfMany: boolean): SheetLine[] {
  const who = laneId === null ? roleId : `${roleId}, ${laneId}`;
  return [
    ...(isOneOfMany ? [text(`${who}:`, { tone: 'muted' })] : []),
    ...markdownLines(summary.trim(), { pointer: '/summary', depth: 0 }),
    ...listLines('How to check:', howToCheck),
    ...listLines('Left over:', left),
  ];
}

function listLines(title: string, items: readonly string[]): SheetLine[] {
  return items.length === 0 ? [] : [text(title, { tone: 'muted' }), ...items.flatMap(itemLines)];
}

function itemLines(body: string): SheetLine[] {
  const [first = '', ...rest] = body.split(/\r?\n/);
  return [item(first), ...rest.map((each) => text(each, { depth: 1 }))];
}

function checkLines({ argv, exitCode, reason, tail, ms, laneId }: CheckView): SheetLine[] {
  const runs = exitCode === null && ms === null && reason === null;
  const isGood = exitCode === 0;
  const where = laneId === null ? '' : `, in ${laneId}`;
  const end = runs ? 'runs' : exitCode === null ? (reason ?? 'ended by a signal') : `exit ${exitCode}`;
  const time = ms === null ? '' : `, ${duration(ms)}`;
  const command = text(argv.join(' '), {
    as: 'code',
    mark: runs ? '·' : isGood ? '✓' : '✗',
    tone: runs ? 'muted' : isGood ? 'good' : 'bad',
  });
  const lines = tail === null ? [] : tail.split('\n');
  return [
    command,
    text(`${end}${time}${where}`, { depth: 1, tone: isGood || runs ? 'muted' : 'bad' }),
    ...lines.map((each) => text(each, { as: 'code', depth: 1 })),
  ];
}

function reviewLines({ review }: Sheet): SheetLine[] {
  if (review === null) return [];
  const blockers = review.blockers.map(({ severity, place, summary }) =>
    item(`${stateOf(FINDING_SEVERITIES, severity).word}  ${place}  ${summary}`, { tone: 'bad' }),
  );
  return [...review.lines.map((each) => text(each)), ...blockers];
}

function changeLines({ change }: Sheet): SheetLine[] {
  if (change === null) return [];
  const { base, head, files, more, insertions, deletions } = change;
  const sum = `${counted(files.length + more, 'file')}, +${insertions} −${deletions}, from ${base.slice(0, 12)} to ${head.slice(0, 12)}`;
  return [
    text(sum, { tone: 'muted' }),
    ...files.map(({ path, ...of }) =>
      text(`${path}  +${of.insertions} −${of.deletions}`, { as: 'code', depth: 0, place: { path } }),
    ),
    ...(more > 0 ? [text(`… ${counted(more, 'more file')}`, { tone: 'muted' })] : []),
  ];
}

function documentLines(
  { artifactId, schema, path, hash, edited }: Sheet['documents'][number],
  documents: readonly SheetDocument[],
  { raw = false }: Manner,
): SheetLine[] {
  const place = { artifactId };
  const found = documents.find((each) => each.artifactId === artifactId);
  const by = edited ? `  edited by you (${hash.slice(0, 12)})` : '';
  const name = text(`${schema}  ${path.split('/').at(-1) ?? ''}${by}`, { tone: edited ? 'accent' : 'muted', place });
  if (!found || found.content === null) {
    return [name, text(found?.fault ?? 'The file is missing.', { tone: 'bad', place })];
  }
  const { content, truncated, errors } = found;
  const shown: DocumentLine[] = raw ? rawLines(content) : formatDocument(content, schema);
  return [
    name,
    ...errors.map((each) => text(each, { tone: 'bad', place })),
    ...shown.map((each) => ({ ...each, place })),
    ...(truncated ? [text(`Only the beginning is shown. The whole file: ${path}`, { tone: 'warn', place })] : []),
  ];
}

function rawLines(content: string): DocumentLine[] {
  const isJson = beginsAsJson(content);
  return content
    .replace(/\n$/, '')
    .split('\n')
    .map((each, nth) => ({ pointer: isJson ? '' : pointerToLine(nth), text: each, as: 'code', depth: 0 }));
}
