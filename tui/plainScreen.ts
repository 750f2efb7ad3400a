import { SCREENS } from '../schemas/names.ts';
import type { ScreenId } from './model/model.ts';

/** The screen that the words after `devflow tui` name, if they are what a key of tmux gives; undefined for all others. */
export function plainScreen(words: readonly string[]): ScreenId | undefined {
  if (words.length === 0) return 'runs';
  const [option, name] = words;
  return words.length === 2 && option === '--screen' ? SCREENS.find((screen) => screen === name) : undefined;
}
