import { maskSecrets } from '../../transcript/maskSecrets.ts';
import type { AgentStatus } from '../profile/evidence.ts';
import { plain, type Screen } from '../profile/screen.ts';

/** Enough for a question. Its end says more than its beginning. */
const MOST_CHARACTERS = 600;

/** What the agent said at the end of the turn since then: by its program, else by its screen. One line. Pure. */
export function lastWords({ signals }: AgentStatus, screen: Screen, since: number): string {
  const reported = signals.findLast(({ endsTurn, words, at }) => endsTurn && words !== undefined && at >= since)?.words;
  return tidy(reported ?? shownWords(screen)) || 'it said nothing';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROLS = /\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function tidy(text: string): string {
  const line = maskSecrets(text).replaceAll(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= MOST_CHARACTERS ? line : `…${characters.slice(1 - MOST_CHARACTERS).join('')}`;
}

const SHOWN_ROWS = 12;
const RULE = /^[╭╰├]?[─━═]{8,}/;

/** The last rows above the composer. */
function shownWords({ lines }: Screen): string {
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
    .slice(-SHOWN_ROWS)
    .join(' ');
}
