import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, type Size, type Step, step } from '../../model/model.ts';
import { EMPTY, fitWidth, type Line, line, type Span, span, spread, withStyle } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { createFileJumps } from '../../widgets/fileJumps.ts';
import { createHorizontalScroll } from '../../widgets/horizontalScroll.ts';
import { createScroll } from '../../widgets/scroll.ts';
import { createSearch, SEARCH_START } from '../../widgets/search.ts';
import { sectionsLine } from '../../widgets/sections.ts';
import { approvalHeadLines } from './approvalHead.ts';
import { approvalOf } from './approvalQueries.ts';
import { type Section, sectionsOf } from './approvalSections.ts';
import { approvalState as state } from './approvalState.ts';
import { readWords } from './comments/readMarks.ts';
import { type ReviewRow, type ReviewRows, reviewRows } from './comments/reviewRows.ts';
import { draftsOf, takesComments } from './comments/takesComments.ts';

/** Left margin, so that a patch cannot look like part of the frame. */
const MARGIN = 1;
/** The text keeps at least these rows. */
const LEAST_ROWS = 5;
const HEAD_SHARE = 3;
const NONE: readonly Line[] = [];

function shownSection(model: Model, approval: ApprovalDetail): Section | undefined {
  const sections = sectionsOf(model, approval);
  return sections.find(({ id }) => id === state.get(model).section) ?? sections[0];
}

function textOf(model: Model): readonly Line[] {
  const approval = approvalOf(model);
  const section = approval && shownSection(model, approval);
  return approval && section ? textOfSection(model, approval, section) : NONE;
}

function textOfSection(model: Model, approval: ApprovalDetail, section: Section): readonly Line[] {
  return rowsOfSection(model, approval, section)?.lines ?? section.lines(...formOf(model));
}

/** The rows of a section that a person can comment on, with the comments. */
function rowsOfSection(model: Model, approval: ApprovalDetail, section: Section): ReviewRows | undefined {
  if (section.spots === undefined || !takesComments(approval)) return undefined;
  const form = formOf(model);
  return reviewRows(section.lines(...form), section.spots(...form), draftsOf(model, approval), form[0]);
}

const formOf = (model: Model): [columns: number, raw: boolean] => [
  model.size.columns - 2 * MARGIN,
  state.get(model).raw,
];

/** The rows below the cursor; undefined in a section without one. */
export function reviewRowsOf(model: Model): readonly ReviewRow[] | undefined {
  const approval = approvalOf(model);
  const section = approval && shownSection(model, approval);
  return approval && section && rowsOfSection(model, approval, section)?.rows;
}

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
  const read = section?.id === 'code' && gate.diff ? readWords(gate.diff, model.reviews.get(gate.id)?.read ?? []) : '';
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
  files: (model) => approvalOf(model)?.diff?.files ?? [],
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

/** Number of the changed file at the top of the section. */
export const currentFile = jumps.nth;

export const { typing, onKey } = search;

export function onWheel(model: Model, action: 'click' | 'up' | 'down'): Step | undefined {
  return action === 'click' ? undefined : scroll.onMouse(model, action, textOf(model).length);
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
  const marginOf = reviewed ? margins(model) : () => span(' ');
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

/** The sign of the cursor, and of the range that begins elsewhere. */
function margins(model: Model): (row: number) => Span {
  const cursor = cursorOf(model);
  const { from = cursor } = state.get(model);
  const [first, last] = [Math.min(from, cursor), Math.max(from, cursor)];
  return (row) => {
    if (row === cursor) return span('❯', theme.key);
    return row >= first && row <= last ? span('│', theme.key) : span(' ');
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
