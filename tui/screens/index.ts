import type { Model, ScreenId } from '../model/model.ts';
import { runs } from './runs.ts';
import type { Screen } from './screen.ts';
import { session } from './session.ts';
import { sessions } from './sessions.ts';

const ALL: Partial<Record<ScreenId, Screen>> = { runs, sessions, session };

export function screenOf(model: Model): Screen {
  return ALL[model.place.screen] ?? runs;
}

/** Every screen there is, for the documents. */
export const ALL_SCREENS: readonly Screen[] = Object.values(ALL);
