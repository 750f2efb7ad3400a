import { holdsFailure } from '../../../schemas/gates/gateKinds.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import { gateState } from '../../../schemas/states/gate.ts';
import { stallState } from '../../../schemas/states/stall.ts';
import { TITLE_LENGTH } from '../../../schemas/text/titleOf.ts';
import { age } from '../../../schemas/time/duration.ts';
import type { Model } from '../../model/model.ts';
import { type Line, line, type Style, span, textOf } from '../../text/line.ts';
import { gateSign, gateWord, repositoryName, shortId } from '../../text/runWords.ts';
import { stallWords } from '../../text/sessionWords.ts';
import { signSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { type Column, type Head, youngestFirst } from '../../widgets/columns.ts';
import {
  areMixed,
  type ColumnWidth,
  columnWidths,
  givingWay,
  joinCells,
  sameColumns,
  titleLine,
  withColumns,
} from '../../widgets/columnWidths.ts';
import type { ApprovalsItem } from './approvalsItems.ts';

/** The sign, and then in the order of `APPROVALS_COLUMNS`. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 1, ideal: 1, priority: 12 },
  { min: 20, ideal: 26, priority: 11, grows: true },
  { min: 10, ideal: 14, priority: 10 },
  { min: 16, ideal: 36, priority: 9.5, grows: TITLE_LENGTH },
  { min: 8, ideal: 8, priority: 9 },
  { min: 11, ideal: 24, priority: 4, reserve: 31 },
  { min: 22, ideal: 22, priority: 2, reserve: 36 },
  { min: 4, ideal: 4, priority: 5 },
];
const AGE = 4;

/** Where repositories differ, they tell the gates apart better than the phase. */
const MIXED = withColumns(WIDTHS, { 2: { priority: 3, reserve: 20 }, 5: { priority: 9.2, reserve: 11 } });

/** Repository and template give way if they are the same in all rows. */
export function approvalsWidths(items: readonly ApprovalsItem[]): readonly ColumnWidth[] {
  return givingWay(
    areMixed(items, repositoryOf) ? MIXED : WIDTHS,
    sameColumns(items, { 5: repositoryOf, 6: templateOf }),
  );
}

/** An older daemon gives none. */
const runTitleOf = (item: ApprovalsItem): string => (item.kind === 'agent' ? item.session : item.gate).runTitle ?? '';
const repositoryOf = ({ run }: ApprovalsItem): string => (run ? repositoryName(run) : '');
const templateOf = ({ run }: ApprovalsItem): string => run?.template ?? '';

/** When the wait began, or when the gate was decided. */
export function sinceOf(item: ApprovalsItem): string {
  if (item.kind === 'agent') return item.stall.since;
  const { createdAt, resolvedAt } = item.gate;
  return isOpen(item.gate) ? createdAt : (resolvedAt ?? createdAt);
}

type Gate = Extract<ApprovalsItem, { kind: 'gate' }>['gate'];

const isOpen = ({ state }: Gate): boolean => state === 'pending' || state === 'paused';

function titleOf(gate: Gate): string {
  const { gateKey } = gate;
  return isOpen(gate) ? gateKey : `${gateState(gate).word} ${gateKey}`;
}

const phaseOf = ({ phaseKey, attempt }: Gate): string => `${phaseKey || '–'} #${attempt}`;

/** The columns of `approvalsRow`; a narrow terminal leaves some out. */
export const APPROVALS_COLUMNS: readonly Column<ApprovalsItem>[] = [
  {
    title: 'gate',
    text: (item, { now }) =>
      item.kind === 'agent'
        ? `${agentName(item.session)} ${stallWords(item.stall, now)}`
        : `${titleOf(item.gate)} ${textOf(gateWord(item.gate))}`,
  },
  { title: 'phase', text: (item) => (item.kind === 'agent' ? '' : phaseOf(item.gate)) },
  { title: 'title', text: runTitleOf },
  { title: 'run', text: (item) => shortId(item.kind === 'agent' ? item.session.runId : item.gate.runId) },
  { title: 'repository', text: repositoryOf },
  { title: 'template', text: templateOf },
  {
    title: 'age',
    text: (item, { now }) => age(sinceOf(item), now),
    order: (item) => youngestFirst(sinceOf(item)),
  },
];

/** `? spec_approved  spec #1  1a2b3c4d my-repo  development@1  4m`; the question of an agent takes the columns gate and phase. */
export function approvalsRow(
  model: Model,
  item: ApprovalsItem,
  columns: number,
  { isMarked, columns: given = WIDTHS }: { isMarked: boolean; columns?: readonly ColumnWidth[] },
): Line {
  const widths = columnWidths(given, columns);
  const title = line(span(runTitleOf(item), theme.title));
  const place = [
    line(repositoryOf(item)),
    line(span(templateOf(item), theme.muted)),
    line(span(age(sinceOf(item), model.now).padStart(AGE), theme.muted)),
  ];
  if (item.kind === 'agent') {
    const { session, stall } = item;
    const [sign = 0, gate = 0, phase = 0, ...rest] = widths;
    const asked = line(span(`${agentName(session)} ${stallWords(stall, model.now)}`, theme.warn));
    const cells = [
      line(signSpan(stallState(stall.cause))),
      asked,
      title,
      line(span(shortId(session.runId), theme.accent)),
    ];
    return joinCells([...cells, ...place], [sign, phase > 0 ? gate + 1 + phase : gate, ...rest]);
  }
  const { runId } = item.gate;
  const name = line(span(titleOf(item.gate), lookOf(item.gate)));
  const sign = isMarked ? span('*', theme.accent) : gateSign(item.gate);
  const cells = [line(sign), name, line(phaseOf(item.gate)), title, line(span(shortId(runId), theme.accent))];
  return joinCells([...cells, ...place], widths);
}

function lookOf(gate: Gate): Style | undefined {
  if (!isOpen(gate)) return undefined;
  return holdsFailure(gate) ? theme.bad : theme.title;
}

interface ApprovalsHead {
  readonly decided: boolean;
  readonly head: Head;
  /** After the title of the first column. */
  readonly marks: string;
  readonly widths?: readonly ColumnWidth[];
}

export function approvalsHead(columns: number, { decided, head, marks, widths = WIDTHS }: ApprovalsHead): Line {
  const shown = (title: string) => {
    if (title === 'gate') return head('gate', decided ? 'decided' : `waiting for you${marks}`);
    return title === 'age' ? head(title).padStart(AGE) : head(title);
  };
  return titleLine(['', ...APPROVALS_COLUMNS.map(({ title }) => shown(title))], widths, columns);
}
