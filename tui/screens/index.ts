import type { Model, ScreenId } from '../model/model.ts';
import type { Screen } from '../model/screen.ts';
import { approval } from './approvals/approval.ts';
import { approvals } from './approvals/approvals.ts';
import { personas } from './catalog/personas.ts';
import { templates } from './catalog/templates.ts';
import { doctor } from './doctor.ts';
import { help } from './help.ts';
import { newRun } from './newRun/newRun.ts';
import { run } from './run/run.ts';
import { runs } from './runs/runs.ts';
import { session } from './sessions/session.ts';
import { sessions } from './sessions/sessions.ts';

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
