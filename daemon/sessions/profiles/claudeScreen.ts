import type { AgentState } from '../tmux/profile/evidence.ts';
import type { ScreenReading } from '../tmux/profile/profile.ts';
import { composerBetweenRules, plain, type Screen } from '../tmux/profile/screen.ts';
import {
  CONTINUES,
  DIALOGS,
  FAILURE_WORDS,
  LIMIT_CHOICE,
  LIMIT_MENU,
  LIMITS,
  LOGGED_OUT,
  RESTING_TITLE,
  WORKING,
  WORKING_TITLE,
} from './claudeSigns.ts';
import { limitOf } from './failureSigns.ts';

export function readClaudeTitle(title: string): AgentState | undefined {
  if (WORKING_TITLE.test(title)) return 'BUSY';
  return RESTING_TITLE.test(title) ? 'READY' : undefined;
}

export function readClaudeScreen(screen: Screen, shownAt: number): ScreenReading {
  const rows = screen.lines.map(plain);
  const text = rows.join('\n');
  // This question stands between two rules, like the composer.
  if (/^Enter to select/.test(rows.findLast((row) => row.trim() !== '') ?? '')) return { dialog: 'question' };
  // A dialog's marked choice begins like the composer, so a dialog's rows must not count as one.
  const composer = composerBetweenRules(screen, /^[❯›>]\s?/);
  if (composer === undefined) return readMenu(rows, shownAt) ?? readDialog(text);
  if (rows.some((row) => WORKING.some((pattern) => pattern.test(row)))) return { composer, state: 'BUSY' };
  const sentence = limitSentence(rows);
  if (sentence !== undefined) {
    const after = rows.some((row) => CONTINUES.test(row)) ? { after: 'BUSY' as const } : {};
    return { composer, ...limitOf(sentence, shownAt, FAILURE_WORDS), ...after };
  }
  const hint = rows.map((row) => LOGGED_OUT.exec(row)?.[1]).findLast((found) => found !== undefined);
  if (hint !== undefined) return { composer, state: 'LOGIN', detail: hint };
  return { composer, state: 'READY' };
}

function readDialog(text: string): ScreenReading {
  const dialog = DIALOGS.find(([pattern]) => pattern.test(text))?.[1];
  return dialog === undefined ? {} : { dialog };
}

/** A menu has no composer. It belongs to a limit if it offers what only a limit leads to. */
function readMenu(rows: readonly string[], shownAt: number): ScreenReading | undefined {
  const start = rows.findLastIndex((row) => LIMIT_MENU.test(row));
  const choices = rows.slice(start + 1).filter((row) => LIMIT_CHOICE.test(row));
  if (start < 0 || choices.length === 0) return undefined;
  const sentence = limitSentence(rows.slice(0, start)) ?? choices.map((row) => row.trim()).join('; ');
  const { state, detail, until } = limitOf(sentence, shownAt, FAILURE_WORDS);
  return { dialog: 'limit', state, detail: `${detail} (its menu is open: choose in its pane)`, until };
}

/** The newest row of the most telling kind, with the rows on which it goes on. */
function limitSentence(rows: readonly string[]): string | undefined {
  for (const pattern of LIMITS) {
    const start = rows.findLastIndex((row) => pattern.test(row));
    if (start < 0) continue;
    const end = rows.findIndex((row, nth) => nth > start && !/^ {4,}\S/.test(row));
    const joined = rows.slice(start, end < 0 ? undefined : end).map((row) => row.trim());
    return joined.join(' ').replace(/^\W+(?=\w)/, '');
  }
  return undefined;
}
