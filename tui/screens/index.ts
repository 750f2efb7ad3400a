import type { Model, ScreenId } from '../model/model.ts';
import { approval } from './approval.ts';
import { approvals } from './approvals.ts';
import { doctor } from './doctor.ts';
import { help } from './help.ts';
import { newRun } from './newRun.ts';
import { personas } from './personas.ts';
import { run } from './run.ts';
import { runs } from './runs.ts';
import type { Screen } from './screen.ts';
import { session } from './session.ts';
import { sessions } from './sessions.ts';
import { templates } from './templates.ts';

const ALL: Partial<Record<ScreenId, Screen>> = {
  runs,
  run,
  approvals,
  approval,
  sessions,
  session,
  templates,
  personas,
  doctor,
  new: newRun,
  help,
};

export function screenOf(model: Model): Screen {
  return ALL[model.place.screen] ?? runs;
}

/** Every screen there is, for the documents. */
export const ALL_SCREENS: readonly Screen[] = Object.values(ALL);
