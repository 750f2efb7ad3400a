import { gateState } from '../../schemas/states/gate.ts';
import { stallState } from '../../schemas/states/stall.ts';
import type { Model } from '../model/model.ts';
import { age } from '../text/age.ts';
import { type Line, line, type Style, sized, span, textOf } from '../text/line.ts';
import { baseName, gateSign, gateWord, shortId } from '../text/runWords.ts';
import { stallWords } from '../text/sessionWords.ts';
import { signSpan } from '../text/stateWord.ts';
import { theme } from '../text/theme.ts';
import { type Column, type Head, youngestFirst } from '../widgets/columns.ts';
import type { InboxItem } from './inbox.ts';

const cell = (text: string, cells: number, look?: Style): Line => sized(line(span(text, look)), cells);

/** Cells of the columns whose width is always the same: sign, phase and attempt, run, age. */
const PHASE = 15;
const RUN = 9;
const AGE = 5;
const SIGN = 2;
/** Below this neither the template nor, lower still, the repository is told beside the gate. */
const WITH_TEMPLATE = 84;

interface Widths {
  readonly gate: number;
  readonly repo: number;
  readonly template: number;
}

function widthsOf(columns: number): Widths {
  const left = Math.max(0, columns - SIGN - PHASE - RUN - AGE);
  const template = columns >= WITH_TEMPLATE ? Math.min(22, Math.floor(left * 0.34)) : 0;
  const repo = Math.floor((left - template) * 0.45);
  return { template, repo, gate: left - template - repo };
}

/** When it began to wait, or was decided. */
export function sinceOf(item: InboxItem): string {
  if (item.kind === 'agent') return item.stall.since;
  const { createdAt, resolvedAt } = item.gate;
  return isOpen(item.gate) ? createdAt : (resolvedAt ?? createdAt);
}

type Gate = Extract<InboxItem, { kind: 'gate' }>['gate'];

const isOpen = ({ state }: Gate): boolean => state === 'pending' || state === 'paused';

function titleOf(gate: Gate): string {
  const { kind, gateKey } = gate;
  const name = kind === 'gate' ? gateKey : kind;
  return isOpen(gate) ? name : `${gateState(gate).word} ${name}`;
}

const phaseOf = ({ phaseKey, attempt }: Gate): string => `${phaseKey || '–'} #${attempt}`;

/** What `inboxRow` shows; a narrow terminal leaves some of it out. */
export const INBOX_COLUMNS: readonly Column<InboxItem>[] = [
  {
    title: 'gate',
    text: (item, { now }) =>
      item.kind === 'agent'
        ? `${item.session.roleId} ${stallWords(item.stall, now)}`
        : `${titleOf(item.gate)} ${textOf(gateWord(item.gate))}`,
  },
  { title: 'phase', text: (item) => (item.kind === 'agent' ? '' : phaseOf(item.gate)) },
  { title: 'run', text: (item) => shortId(item.kind === 'agent' ? item.session.runId : item.gate.runId) },
  { title: 'repository', text: ({ run }) => (run ? baseName(run.repoPath) : '') },
  { title: 'template', text: ({ run }) => run?.template ?? '' },
  {
    title: 'age',
    text: (item, { now }) => age(sinceOf(item), now),
    order: (item) => youngestFirst(sinceOf(item)),
  },
];

/** `? spec_approved  spec #1  1a2b3c4d my-repo  development@1  4m`; an agent that asks has what it asks in the gate's place. */
export function inboxRow(model: Model, item: InboxItem, columns: number, isMarked: boolean): Line {
  const { gate, repo, template } = widthsOf(columns);
  const place = [
    ...cell(item.run ? baseName(item.run.repoPath) : '', repo - 1),
    ' ',
    ...(template > 0 ? [...cell(item.run?.template ?? '', template - 1, theme.muted), ' '] : []),
  ];
  if (item.kind === 'agent') {
    const { session, stall } = item;
    return line(
      signSpan(stallState(stall.cause)),
      ' ',
      ...cell(`${session.roleId} ${stallWords(stall, model.now)}`, gate + PHASE - 1, theme.warn),
      ' ',
      ...cell(shortId(session.runId), RUN, theme.accent),
      ...place,
      ...cell(age(stall.since, model.now).padStart(AGE - 1), AGE, theme.muted),
    );
  }
  const { kind, runId } = item.gate;
  return line(
    isMarked ? span('*', theme.accent) : gateSign(item.gate),
    ' ',
    ...cell(titleOf(item.gate), gate - 1, lookOf(kind, isOpen(item.gate))),
    ' ',
    ...cell(phaseOf(item.gate), PHASE - 1),
    ' ',
    ...cell(shortId(runId), RUN, theme.accent),
    ...place,
    ...cell(age(sinceOf(item), model.now).padStart(AGE - 1), AGE, theme.muted),
  );
}

function lookOf(kind: string, isOpen: boolean): Style | undefined {
  if (!isOpen) return undefined;
  return kind === 'recovery' ? theme.bad : theme.title;
}

export function inboxHead(columns: number, decided: boolean, head: Head, marks: string): Line {
  // One cell stands before each row, for the selection.
  const { gate, repo, template } = widthsOf(columns - 1);
  const names: [string, number][] = [
    ['', SIGN + 1],
    [head('gate', decided ? 'decided' : `waits for you${marks}`), gate],
    [head('phase'), PHASE],
    [head('run'), RUN],
    [head('repository'), repo],
    [template > 0 ? head('template') : '', template],
    [head('age').padStart(AGE - 1), AGE],
  ];
  return sized(line(...names.flatMap(([name, cells]) => cell(name, cells, theme.muted))), columns);
}
