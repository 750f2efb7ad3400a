import type { Model, ScreenId } from '../model/model.ts';
import { runs } from './runs.ts';
import type { Screen } from './screen.ts';

const ALL: Partial<Record<ScreenId, Screen>> = { runs };

export function screenOf(model: Model): Screen {
  return ALL[model.place.screen] ?? runs;
}

/** Every screen there is, for the documents. */
export const ALL_SCREENS: readonly Screen[] = Object.values(ALL);
