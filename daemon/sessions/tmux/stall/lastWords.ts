import type { AgentStatus, Signal } from '../profile/evidence.ts';
import { plain, type Screen } from '../profile/screen.ts';
import { endOf, tidy, tidyLines } from './tidy.ts';

/** The agent's last words in its turn since then, by its program, else by its screen. One line. Pure. */
export function lastWords({ signals }: AgentStatus, screen: Screen, since: number): string {
  const reported = signals.findLast((each) => each.words !== undefined && isEndSince(each, since))?.words;
  // The end says more than the beginning.
  return endOf(tidy(reported ?? shownWords(screen))) || 'it said nothing';
}

/** Bytes of an agent's last words. The end says more than the beginning. */
const MOST_BYTES = 16 * 1024;

/** What the agent said last, in lines: by its program, else by its screen. `at` is of the steady clock. Pure. */
export function wordsSaid(
  { signals, since }: Pick<AgentStatus, 'signals' | 'since'>,
  screen: Screen,
): { text: string; at: number; by: 'record' | 'screen' } | undefined {
  const reported = signals.findLast(({ words }) => words !== undefined);
  const record = tidyLines(reported?.words ?? '', MOST_BYTES);
  if (reported && record !== '') return { text: record, at: reported.at, by: 'record' };
  const shown = tidyLines(shownRows(screen).join('\n'), MOST_BYTES);
  return shown === '' ? undefined : { text: shown, at: since, by: 'screen' };
}

/** True if the signal is of the end of a turn, reported or likely, at that time or later. Pure. */
export function isEndSince({ endsTurn, mayEndTurn, at }: Signal, since: number): boolean {
  return (endsTurn ?? mayEndTurn ?? false) && at >= since;
}

const SHOWN_ROWS = 12;
const RULE = /^[╭╰├]?[─━═]{8,}/;

function shownWords(screen: Screen): string {
  return shownRows(screen).join(' ');
}

/** The last rows above the composer. */
function shownRows({ lines }: Screen): string[] {
  const rows = lines.map(plain);
  const lower = rows.findLastIndex((row) => RULE.test(row));
  const upper = rows.slice(0, Math.max(0, lower)).findLastIndex((row) => RULE.test(row));
  const above = upper < 0 ? rows : rows.slice(0, upper);
  // The prompt itself says nothing.
  const prompt = above.findLastIndex((row) => row.includes('DEVFLOW_PROMPT_END'));
  return above
    .slice(prompt + 1)
    .map((row) => row.replaceAll(/[\u2500-\u259f\u2800-\u28ff]/g, ' ').trim())
    .filter((row) => row !== '')
    .slice(-SHOWN_ROWS);
}
