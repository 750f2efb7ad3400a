import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Binding } from '../../model/binding.ts';
import type { Model, Size } from '../../model/model.ts';
import { goTo } from '../../model/navigate.ts';
import { answerOf, errorOf, query } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { step } from '../../model/step.ts';
import { EMPTY, fitWidth, type Line, line, span, spread, withStyle, wrap } from '../../text/line.ts';
import { gateName } from '../../text/runWords.ts';
import { earliest } from '../../text/soonest.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt } from '../../text/time.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { createFileJumps } from '../../widgets/fileJumps.ts';
import { createHorizontalScroll } from '../../widgets/horizontalScroll.ts';
import { createScroll } from '../../widgets/scroll.ts';
import { createSearch, SEARCH_START } from '../../widgets/search.ts';
import { sectionsLine } from '../../widgets/sections.ts';
import { attachBindings } from '../sessions/attachBindings.ts';
import { mergeTargets, NO_TARGETS, type Targets, targetBindings } from '../targets/targets.ts';
import { targetsOfDecision, targetsOfFile, targetsOfGate, targetsOfRunDetail } from '../targets/targetsOf.ts';
import { approvalHeadLines } from './approvalHead.ts';
import { approvalOf, approvalQueries, approvalQuery, isAboutAgent, sessionIdOf } from './approvalQueries.ts';
import { codeLines, type Section, sectionsOf } from './approvalSections.ts';
import { approvalState as state } from './approvalState.ts';
import { nextGate, WAITING_QUERIES } from './approvalsItems.ts';
import { decidableAt, showGate } from './decide.ts';
import { decisionBindings } from './decisionBindings.ts';

/** Left margin, so that a patch cannot look like part of the frame. */
const MARGIN = 1;
const LEAST_ROWS = 5;
const NONE: readonly Line[] = [];

function sectionOf(model: Model, approval: ApprovalDetail): Section | undefined {
  const sections = sectionsOf(model, approval);
  return sections.find(({ id }) => id === state.get(model).section) ?? sections[0];
}

function textOf(model: Model): readonly Line[] {
  const approval = approvalOf(model);
  const section = approval && sectionOf(model, approval);
  return section?.lines(model.size.columns - 2 * MARGIN, state.get(model).raw) ?? NONE;
}

/** The lines above the text: the question and the section names. */
function above(model: Model, approval: ApprovalDetail, { columns, rows }: Size): Line[] {
  const sections = sectionsOf(model, approval);
  const shown = sectionOf(model, approval);
  const head = approvalHeadLines(model, approval, columns).slice(0, Math.max(1, rows - LEAST_ROWS));
  const tabs = line(' ', ...sectionsLine(sections, shown?.id ?? ''));
  return [...head, spread(tabs, line(span(`${whereOf(model, shown)} `, theme.muted)), columns)];
}

const rowsOf = (model: Model): number => {
  const approval = approvalOf(model);
  const size = bodySize(model);
  const below = search.bar(model) ? 1 : 0;
  return approval ? Math.max(1, size.rows - headCount(model, approval, size) - below) : size.rows;
};

const headCount = (model: Model, approval: ApprovalDetail, { columns, rows }: Size): number =>
  Math.min(approvalHeadLines(model, approval, columns).length, Math.max(1, rows - LEAST_ROWS)) + 1;

const scroll = createScroll({ name: 'approval', state, count: (model) => textOf(model).length, rows: rowsOf });

const search = createSearch({
  ...{ name: 'approval', state, lines: textOf },
  topOf: (model) => scroll.topOf(model, rowsOf(model), textOf(model).length),
  show: (model, row) => scroll.to(model, row - (rowsOf(model) >> 1)),
});

/** The lines of a section that cuts long lines instead of wrapping them. */
const longLines = (model: Model): readonly Line[] => {
  const approval = approvalOf(model);
  return approval && sectionOf(model, approval)?.long ? textOf(model) : NONE;
};

const sideways = createHorizontalScroll({
  name: 'approval',
  state,
  lines: longLines,
  columns: (model) => model.size.columns - 2 * MARGIN,
});

/** The position in the section. */
function whereOf(model: Model, section: Section | undefined): string {
  const count = textOf(model).length;
  const rows = rowsOf(model);
  const left = sideways.leftOf(model);
  const side = section?.long && sideways.width(model) > model.size.columns ? `< > column ${left + 1}  ` : '';
  const nth = jumps.nth(model);
  const file = nth === undefined ? '' : `file ${nth + 1} of ${jumps.count(model)}  `;
  if (count <= rows) return side + file;
  const top = scroll.topOf(model, rows, count);
  return `${side}${file}${Math.round((Math.min(count, top + rows) / count) * 100)}%`;
}

function turn(by: 1 | -1): Binding['run'] {
  return (model) => {
    const approval = approvalOf(model);
    if (!approval) return step(model);
    const sections = sectionsOf(model, approval);
    const at = sections.findIndex(({ id }) => id === sectionOf(model, approval)?.id);
    const next = sections[(at + by + sections.length) % sections.length];
    return step(state.set(model, { ...SEARCH_START, section: next?.id, top: 0, left: 0, follow: false }));
  };
}

const artifactSection = (model: Model): Section | undefined => {
  const gate = approvalOf(model);
  return gate && sectionsOf(model, gate).find(({ id }) => id === 'artifact');
};

const jumps = createFileJumps({
  ...{ name: 'approval', state },
  files: (model) => approvalOf(model)?.diff?.files ?? [],
  lines(model) {
    const diff = approvalOf(model)?.diff;
    return diff ? codeLines(diff) : NONE;
  },
  isShown: isCode,
  topOf: (model) => scroll.topOf(model, rowsOf(model), textOf(model).length),
  show: (model, row) =>
    scroll.to(isCode(model) ? model : state.set(model, { ...SEARCH_START, section: 'code', left: 0 }), row),
});

function isCode(model: Model): boolean {
  const approval = approvalOf(model);
  return approval !== undefined && sectionOf(model, approval)?.id === 'code';
}

const runQuery = ({ runId }: ApprovalDetail) => query('run.get', { runId });

/** The current file first, then everything that the decision is about. */
function targetsOf(model: Model): Targets {
  const gate = approvalOf(model);
  if (!gate) return NO_TARGETS;
  const run = answerOf(model.data, runQuery(gate));
  const file = gate.diff?.files[jumps.nth(model) ?? -1];
  return mergeTargets(
    targetsOfFile(file?.path, run?.worktreeRoot),
    targetsOfGate(gate),
    targetsOfDecision(gate),
    targetsOfRunDetail(run) ?? NO_TARGETS,
  );
}

const unread = (model: Model) => (approvalOf(model) ? undefined : 'the gate is not loaded yet');

const sessionOf = (model: Model) => {
  const approval = approvalOf(model);
  const sessionId = approval && sessionIdOf(approval);
  return sessionId === undefined ? undefined : answerOf(model.data, query('session.get', { sessionId }));
};

export const approval: Screen = {
  id: 'approval',
  tab: 'approvals',
  title(model) {
    const gate = approvalOf(model);
    return gate ? `Gate ${gateName(gate)}` : 'Gate';
  },
  queries(model) {
    const gate = approvalOf(model);
    return [...approvalQueries(model, model.place.id ?? ''), ...WAITING_QUERIES, ...(gate ? [runQuery(gate)] : [])];
  },
  streams(model) {
    const gate = approvalOf(model);
    const sessionId = gate && isAboutAgent(gate) ? sessionIdOf(gate) : undefined;
    return gate && sessionId !== undefined ? [{ type: 'transcript', sessionId, runId: gate.runId }] : [];
  },
  bindings: [
    ...decisionBindings,
    {
      ...{ id: 'approval.section', keys: ['tab'], label: 'next section', footer: true },
      help: 'Show the next section: artifact, changes since the previous attempt, code, commands, facts',
      disabled: unread,
      run: turn(1),
    },
    {
      ...{
        id: 'approval.sectionBefore',
        keys: ['S-tab'],
        label: 'previous section',
        help: 'Show the previous section',
      },
      disabled: unread,
      run: turn(-1),
    },
    {
      ...{ id: 'approval.raw', keys: ['r'], label: 'as written' },
      help: 'Show the artifact as written, or formatted',
      disabled: (model) => (artifactSection(model) ? undefined : 'the gate has no artifact'),
      run: (model) =>
        step(state.set(model, { ...SEARCH_START, raw: !state.get(model).raw, section: 'artifact', top: 0 })),
    },
    {
      ...{ id: 'approval.next', keys: [']'], label: 'next gate', help: 'Open the next gate that waits for you' },
      disabled: (model) => (nextGate(model, model.place.id ?? '') ? undefined : 'no other gate waits for you'),
      run(model) {
        const next = nextGate(model, model.place.id ?? '');
        return step(next ? showGate(model, next.id) : model);
      },
    },
    ...attachBindings('approval', sessionOf),
    {
      ...{
        id: 'approval.session',
        keys: ['s'],
        label: 'session',
        help: 'Open the session of the agent that did the work',
      },
      disabled: (model) => (sessionOf(model) ? undefined : 'the gate has no session'),
      run(model) {
        const session = sessionOf(model);
        return step(session ? goTo(model, { screen: 'session', id: session.sessionId }) : model);
      },
    },
    {
      ...{ id: 'approval.run', keys: ['u'], label: 'run', help: 'Open the run of the gate' },
      disabled: unread,
      run(model) {
        const gate = approvalOf(model);
        return step(gate ? goTo(model, { screen: 'run', id: gate.runId }) : model);
      },
    },
    ...targetBindings('approval', targetsOf),
    ...jumps.bindings,
    ...search.bindings,
    ...sideways.bindings,
    ...scroll.bindings,
  ],
  changesAt(model) {
    const gate = approvalOf(model);
    if (!gate) return undefined;
    const times = [gate.createdAt, ...gate.decisions.map(({ decidedAt }) => decidedAt)];
    return earliest([decidableAt(model), ...times.map((time) => ageChangesAt(time, model.now))]);
  },
  view(model, size) {
    const gate = approvalOf(model);
    if (!gate) {
      const error = errorOf(model.data, approvalQuery(model.place.id ?? ''));
      const say = error ? `${error.message} ${error.hint ?? ''}` : 'Loading…';
      return wrap(say, size.columns - 4, error ? theme.bad : theme.muted).map((each) => line('  ', ...each));
    }
    const head = above(model, gate, size).map((each) => fitWidth(each, size.columns));
    const text = textOf(model);
    const bar = search.bar(model);
    const rows = Math.max(1, size.rows - head.length - (bar ? 1 : 0));
    const top = scroll.topOf(model, rows, text.length);
    const long = sectionOf(model, gate)?.long === true;
    const here = jumps.row(model);
    const shown = text.slice(top, top + rows).map((each, nth) => {
      const found = search.mark(model, top + nth === here ? withStyle(each, { underline: true }) : each, top + nth);
      return fitWidth(line(' ', ...(long ? sideways.shift(model, found) : found)), size.columns);
    });
    if (!bar) return [...head, ...shown];
    const filled = Array.from({ length: rows }, (_, row) => shown[row] ?? EMPTY);
    return [...head, ...filled, fitWidth(line(' ', ...bar), size.columns)];
  },
  typing: search.typing,
  onKey: search.onKey,
  onMouse(model, { action }) {
    return action === 'click' ? undefined : scroll.onMouse(model, action, textOf(model).length);
  },
};
