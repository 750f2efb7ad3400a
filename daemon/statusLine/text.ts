import { isTerminal } from '../../schemas/enums.ts';
import { holdsFailure } from '../../schemas/gates/gateKinds.ts';
import { needsPerson } from '../../schemas/states/stall.ts';
import { STATUS_LINE, serverAwayStatus } from '../../schemas/states/statusLine.ts';
import { visible } from '../../schemas/text/visible.ts';
import { escapeFormat } from '../../tmux/command/command.ts';
import { gatesOfPerson } from '../core/rules/rulesAt.ts';
import type { Run } from '../core/run/state.ts';
import { runTitle } from '../core/run/title.ts';

/** Counts each open run once, under the most urgent heading. */
export interface Tally {
  /** Something went wrong, an agent waits in its pane for a person, or a message may not have arrived. */
  trouble: number;
  /** Finished work waits for a decision. */
  approvals: number;
  running: number;
}

export type Charset = 'utf-8' | 'ascii';

/** The runs that have not begun, and which of them need a person. */
export type QueuedRuns = ReadonlyMap<string, { needsPerson: boolean }>;
const NONE: QueuedRuns = new Map();

export function tallyOf(runs: readonly Run[], queued: QueuedRuns = NONE): Tally {
  const tally: Tally = { trouble: 0, approvals: 0, running: 0 };
  for (const run of runs) {
    const column = columnOf(run, queued);
    if (column !== undefined) tally[column] += 1;
  }
  return tally;
}

function columnOf(run: Run, queued: QueuedRuns): keyof Tally | undefined {
  if (isTerminal(run.state)) return undefined;
  const waiting = queued.get(run.id);
  if (waiting) return waiting.needsPerson ? 'trouble' : undefined;
  const gates = gatesOfPerson(run);
  if (gates.some(holdsFailure)) return 'trouble';
  if (run.sessions.some(({ stall }) => stall !== null && needsPerson(stall.cause))) return 'trouble';
  if (run.messages.some(({ state }) => state === 'uncertain')) return 'trouble';
  if (gates.some(({ state }) => state === 'pending')) return 'approvals';
  // The person who paused it knows.
  return run.state === 'paused' ? undefined : 'running';
}

/** Cells of a title in a status line. */
const TITLE_CELLS = 24;

/** The title of the run that needs a person, if there is exactly one. */
export function titleInNeed(runs: readonly Run[], queued: QueuedRuns = NONE): string | undefined {
  const inNeed = runs.filter((run) => ['trouble', 'approvals'].includes(columnOf(run, queued) ?? ''));
  const [only, ...others] = inNeed;
  return only === undefined || others.length > 0 ? undefined : runTitle(only);
}

/** tmux draws the text of a status line: nothing in a title is a style. */
function shownTitle(title: string, charset: Charset): string {
  const text = charset === 'utf-8' ? visible(title) : visible(title).replaceAll(/[^\x20-\x7e]/gu, '?');
  let cells = 0;
  const fitting = [...text].filter((character) => {
    cells += isNarrow(character) ? 1 : 2;
    return cells <= TITLE_CELLS;
  });
  return escapeFormat(`${fitting.join('')}${cells > TITLE_CELLS ? (charset === 'utf-8' ? '…' : '..') : ''}`, {
    drawn: true,
  });
}

/** Letters, and the signs that `visible` makes. Of all others, devflow does not know what a terminal does. */
const isNarrow = (character: string): boolean => character < '\u1100' || /^[\u2010-\u2bff]$/.test(character);

/**
 * `▸2 ?1 !1`: two runs work, one waits for a decision, one is in trouble. Each character of it is one cell wide. `title`
 * is that of the only run that needs a person. `awaySince`: since then the server of the engine does not answer.
 */
export function statusText(
  tally: Tally,
  charset: Charset,
  { awaySince, title }: { awaySince?: string | undefined; title?: string | undefined } = {},
): string {
  const parts = Object.entries(STATUS_LINE) as [keyof Tally, (typeof STATUS_LINE)[keyof Tally]][];
  const counts = parts
    .filter(([part]) => tally[part] > 0)
    .map(([part, { sign, ascii }]) => `${charset === 'utf-8' ? sign : ascii}${tally[part]}`);
  const named = title === undefined ? [] : [shownTitle(title, charset)];
  return [...counts, ...named, ...(awaySince ? [serverAwayStatus(awaySince)] : [])].join(' ');
}
