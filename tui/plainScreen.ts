import { SCREENS } from '../schemas/names.ts';
import type { ScreenId } from './model/model.ts';

/** The screen that a key of tmux opens with these words after `devflow tui`; undefined for other words. */
export function plainScreen(words: readonly string[]): ScreenId | undefined {
  if (words.length === 0) return 'runs';
  const [option, name] = words;
  return words.length === 2 && option === '--screen' ? SCREENS.find((screen) => screen === name) : undefined;
}
