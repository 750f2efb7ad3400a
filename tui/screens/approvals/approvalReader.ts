import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, type Size, type Step, step } from '../../model/model.ts';
import { EMPTY, fitWidth, type Line, line, type Span, span, spread, withStyle } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { type ChangedFile, createFileJumps } from '../../widgets/fileJumps.ts';
import { createHorizontalScroll } from '../../widgets/horizontalScroll.ts';
import { createScroll } from '../../widgets/scroll.ts';
import { createSearch, SEARCH_START } from '../../widgets/search.ts';
import { sectionsLine } from '../../widgets/sections.ts';
import { approvalHeadLines } from './approvalHead.ts';
import { approvalOf } from './approvalQueries.ts';
import { type Section, sectionsOf } from './approvalSections.ts';
import { approvalState as state } from './approvalState.ts';
import { isRead, readWords } from './comments/readMarks.ts';
import type { ReviewRow } from './comments/reviewRows.ts';
import { shownFiles } from './comments/shownDiff.ts';
import { draftsOf, takesComments } from './comments/takesComments.ts';
import { diffOf } from './diffOf.ts';
import { MARGIN, reviewRowsOf, shownSection, textOf, textOfSection } from './reviewedSection.ts';

/** The text keeps at least these rows. */
const LEAST_ROWS = 5;
const HEAD_SHARE = 3;
const NONE: readonly Line[] = [];

/** The cursor stays among the rows that are seen. */
export function cursorOf(model: Model): number {
  const count = textOf(model).length;
  const rows = visibleRows(model);
  const top = scroll.topOf(model, rows, count);
  return Math.max(0, Math.min(Math.max(state.get(model).cursor, top), top + rows - 1, count - 1));
}

/** Moves the cursor, and scrolls no more than it takes. */
export function moveCursor(model: Model, row: number): Model {
  const count = textOf(model).length;
  const to = Math.max(0, Math.min(row, count - 1));
  const rows = visibleRows(model);
  const top = scroll.topOf(model, rows, count);
  const seen = to < top ? scroll.to(model, to) : to >= top + rows ? scroll.to(model, to - rows + 1) : model;
  return state.set(seen, { cursor: to });
}

/** The rows of the section that are seen. */
export const visibleRows = (model: Model): number => {
  const approval = approvalOf(model);
  const size = bodySize(model);
  const below = search.bar(model) ? 1 : 0;
  return approval ? Math.max(1, size.rows - headCount(model, approval, size) - below) : size.rows;
};

const headCount = (model: Model, approval: ApprovalDetail, { columns, rows }: Size): number =>
  shownHead(model, approval, { columns, rows }).length + 1;

/** At most a third of the rows, so that the text keeps the most. */
function shownHead(model: Model, approval: ApprovalDetail, { columns, rows }: Size): Line[] {
  const isSheet = shownSection(model, approval)?.id === 'sheet';
  const most = Math.max(1, Math.min(Math.floor(rows / HEAD_SHARE), rows - LEAST_ROWS));
  return approvalHeadLines(model, approval, columns, isSheet).slice(0, most);
}

const scroll = createScroll({ name: 'approval', state, count: (model) => textOf(model).length, rows: visibleRows });

const search = createSearch({
  name: 'approval',
  state,
  lines: textOf,
  topOf: (model) => scroll.topOf(model, visibleRows(model), textOf(model).length),
  show: (model, row) => state.set(scroll.to(model, row - (visibleRows(model) >> 1)), { cursor: row }),
});

/** The lines of a section that cuts long lines instead of wrapping them. */
const longLines = (model: Model): readonly Line[] => {
  const approval = approvalOf(model);
  return approval && shownSection(model, approval)?.long ? textOf(model) : NONE;
};

const sideways = createHorizontalScroll({
  name: 'approval',
  state,
  lines: longLines,
  columns: (model) => model.size.columns - 2 * MARGIN,
});

/** The position in the section. */
function positionOf(model: Model, section: Section | undefined): string {
  const count = textOf(model).length;
  const rows = visibleRows(model);
  const left = sideways.leftOf(model);
  const side = section?.long && sideways.width(model) > model.size.columns ? `< > column ${left + 1}  ` : '';
  const nth = jumps.nth(model);
  const file = `${reviewWords(model, section)}${nth === undefined ? '' : `file ${nth + 1} of ${jumps.count(model)}  `}`;
  if (count <= rows) return side + file;
  const top = scroll.topOf(model, rows, count);
  return `${side}${file}${Math.round((Math.min(count, top + rows) / count) * 100)}%`;
}

/** How many comments wait to be sent, and beside the changes how many files the person has read. */
function reviewWords(model: Model, section: Section | undefined): string {
  const gate = approvalOf(model);
  if (!gate || !takesComments(gate)) return '';
  const { length } = draftsOf(model, gate);
  const diff = section?.id === 'code' ? diffOf(model, gate) : null;
  const read = diff ? readWords(diff, model.reviews.get(gate.id)?.read ?? []) : '';
  return [length === 0 ? '' : counted(length, 'comment'), read ?? ''].map((each) => each && `${each}  `).join('');
}

function showSection(by: 1 | -1): Binding['run'] {
  return (model) => {
    const approval = approvalOf(model);
    if (!approval) return step(model);
    const sections = sectionsOf(model, approval);
    const at = sections.findIndex(({ id }) => id === shownSection(model, approval)?.id);
    const next = sections[(at + by + sections.length) % sections.length];
    return step(
      state.set(model, {
        ...SEARCH_START,
        section: next?.id,
        top: 0,
        left: 0,
        follow: false,
        cursor: 0,
        from: undefined,
      }),
    );
  };
}

const artifactSection = (model: Model): Section | undefined => {
  const gate = approvalOf(model);
  return gate && sectionsOf(model, gate).find(({ id }) => id === 'artifact');
};

const jumps = createFileJumps({
  name: 'approval',
  state,
  files: (model) => filesOf(model),
  lines(model) {
    const approval = approvalOf(model);
    const code = approval && sectionsOf(model, approval).find(({ id }) => id === 'code');
    return approval && code ? textOfSection(model, approval, code) : NONE;
  },
  isShown: isCode,
  topOf: (model) => scroll.topOf(model, visibleRows(model), textOf(model).length),
  show(model, row) {
    const there = isCode(model) ? model : state.set(model, { ...SEARCH_START, section: 'code', left: 0 });
    return state.set(scroll.to(there, row), { cursor: row, from: undefined });
  },
});

function isCode(model: Model): boolean {
  const approval = approvalOf(model);
  return approval !== undefined && shownSection(model, approval)?.id === 'code';
}

export const whyNotLoaded = (model: Model) => (approvalOf(model) ? undefined : 'the gate is not loaded yet');

export const sectionBindings: readonly Binding[] = [
  {
    id: 'approval.section',
    keys: ['tab'],
    label: 'next section',
    footer: true,
    help: 'Show the next section: sheet, changes, documents, since the previous attempt, output, about',
    disabled: whyNotLoaded,
    run: showSection(1),
  },
  {
    id: 'approval.sectionBefore',
    keys: ['S-tab'],
    label: 'previous section',
    help: 'Show the previous section',
    disabled: whyNotLoaded,
    run: showSection(-1),
  },
  {
    id: 'approval.raw',
    keys: ['r'],
    label: 'as written',
    help: 'Show the documents as written, or formatted',
    disabled: (model) => (artifactSection(model) ? undefined : 'the gate has no document'),
    run: (model) =>
      step(
        state.set(model, {
          ...SEARCH_START,
          raw: !state.get(model).raw,
          section: 'artifact',
          top: 0,
          cursor: 0,
          from: undefined,
        }),
      ),
  },
];

export const movementBindings: readonly Binding[] = [
  ...jumps.bindings,
  ...search.bindings,
  ...sideways.bindings,
  ...scroll.bindings,
];

/** The files of the patch, in its order. */
function filesOf(model: Model): readonly ChangedFile[] {
  const approval = approvalOf(model);
  const diff = approval && diffOf(model, approval);
  return diff ? shownFiles(diff) : [];
}

/** The changed file at the top of the section. */
export function currentFile(model: Model): ChangedFile | undefined {
  return filesOf(model)[jumps.nth(model) ?? -1];
}

/** Goes to a row of any section. */
export function showRow(model: Model, section: string, row: number): Model {
  const isHere = shownSectionId(model) === section;
  const there = isHere ? model : state.set(model, { ...SEARCH_START, section, top: 0, left: 0, follow: false });
  const moved = moveCursor(state.set(there, { from: undefined }), row);
  // Some lines above show where it is.
  return isHere ? moved : state.set(scroll.to(moved, row - (visibleRows(moved) >> 2)), { cursor: row });
}

function shownSectionId(model: Model): string | undefined {
  const approval = approvalOf(model);
  return approval && shownSection(model, approval)?.id;
}

export const { typing, onKey } = search;

export function onMouse(
  model: Model,
  { action, row }: { action: 'click' | 'up' | 'down'; row: number },
): Step | undefined {
  if (action !== 'click') return scroll.onMouse(model, action, textOf(model).length);
  const gate = approvalOf(model);
  if (!gate || !reviewRowsOf(model)) return undefined;
  const below = row - headCount(model, gate, bodySize(model));
  const count = textOf(model).length;
  const to = scroll.topOf(model, visibleRows(model), count) + below;
  return below < 0 || to >= count ? undefined : step(moveCursor(model, to));
}

/** The head of the gate and the section that is shown. */
export function gateLines(model: Model, gate: ApprovalDetail, size: Size): Line[] {
  const head = headLines(model, gate, size).map((each) => fitWidth(each, size.columns));
  const text = textOf(model);
  const bar = search.bar(model);
  const rows = Math.max(1, size.rows - head.length - (bar ? 1 : 0));
  const top = scroll.topOf(model, rows, text.length);
  const long = shownSection(model, gate)?.long === true;
  const fileRow = jumps.row(model);
  const reviewed = reviewRowsOf(model);
  const marginOf = reviewed ? margins(model, gate, reviewed) : () => span(' ');
  const shown = text.slice(top, top + rows).map((each, nth) => {
    const found = search.mark(model, top + nth === fileRow ? withStyle(each, { underline: true }) : each, top + nth);
    const isDraft = reviewed?.[top + nth]?.draft !== undefined;
    const body = long && !isDraft ? sideways.shift(model, found) : found;
    return fitWidth(line(marginOf(top + nth), ...body), size.columns);
  });
  if (!bar) return [...head, ...shown];
  const filled = Array.from({ length: rows }, (_, row) => shown[row] ?? EMPTY);
  return [...head, ...filled, fitWidth(line(' ', ...bar), size.columns)];
}

/** The sign of the cursor, of the range that begins elsewhere, and of files that are read. */
function margins(model: Model, gate: ApprovalDetail, rows: readonly ReviewRow[]): (row: number) => Span {
  const cursor = cursorOf(model);
  const { from = cursor } = state.get(model);
  const [first, last] = [Math.min(from, cursor), Math.max(from, cursor)];
  const marks = model.reviews.get(gate.id)?.read ?? [];
  const diff = diffOf(model, gate);
  return (row) => {
    if (row === cursor) return span('❯', theme.key);
    if (row >= first && row <= last) return span('│', theme.key);
    const spot = rows[row]?.spot;
    const isName = spot?.is === 'file' && spot.isName === true && rows[row]?.draft === undefined;
    return isName && diff && isRead(diff, spot.path, marks) ? span('✓', theme.good) : span(' ');
  };
}

/** The lines above the text: the question and the section names. */
function headLines(model: Model, approval: ApprovalDetail, { columns, rows }: Size): Line[] {
  const sections = sectionsOf(model, approval);
  const shown = shownSection(model, approval);
  const head = shownHead(model, approval, { columns, rows });
  const tabs = line(' ', ...sectionsLine(sections, shown?.id ?? ''));
  return [...head, spread(tabs, line(span(`${positionOf(model, shown)} `, theme.muted)), columns)];
}
