import { SCREENS } from '../../schemas/names.ts';
import type { ScreenId } from './model.ts';
import { type Query, query, STATUS } from './query.ts';

/** The summaries of the newest runs, for every screen that names a run. */
export const RUNS = query('run.list', { limit: 1000 });
export const SESSIONS = query('session.list', {});
export const PENDING = query('approval.list', { state: 'pending' });
/** Gates that timed out and paused their runs. */
export const PAUSED = query('approval.list', { state: 'paused' });

/** The first reads of the lists that keys of tmux open. A small program sends them while the dashboard loads. */
export const FIRST_QUERIES: Partial<Readonly<Record<ScreenId, readonly Query[]>>> = {
  runs: [STATUS, RUNS, PENDING, PAUSED],
  approvals: [STATUS, PENDING, PAUSED, RUNS, SESSIONS],
  sessions: [STATUS, SESSIONS, RUNS, PENDING],
};

/** The screen that a key of tmux opens with these words after `devflow tui`; undefined for other words. */
export function plainScreen(words: readonly string[]): ScreenId | undefined {
  if (words.length === 0) return 'runs';
  const [option, name] = words;
  return words.length === 2 && option === '--screen' ? SCREENS.find((screen) => screen === name) : undefined;
}
