import type { Binding } from '../model/binding.ts';
import { type Model, type ScreenId, step } from '../model/model.ts';
import { goTo } from '../model/place.ts';
import type { Screen } from '../model/screen.ts';
import { approval } from './approvals/approval.ts';
import { approvals } from './approvals/approvals.ts';
import { personas } from './catalog/personas.ts';
import { templates } from './catalog/templates.ts';
import { contracts } from './contracts/contracts.ts';
import { doctor } from './doctor.ts';
import { createHelp } from './help.ts';
import { lab } from './lab/lab.ts';
import { loop } from './lab/loop.ts';
import { newRun } from './newRun/newRun.ts';
import { repository } from './repository/repository.ts';
import { run } from './run/run.ts';
import { runs } from './runs/runs.ts';
import { session } from './sessions/session.ts';
import { sessions } from './sessions/sessions.ts';

/** In the order of the tabs. */
const SCREENS: Readonly<Record<ScreenId, Screen>> = {
  runs,
  run,
  approvals,
  approval,
  sessions,
  session,
  templates,
  personas,
  contracts,
  doctor,
  help: createHelp(() => SCREEN_KEYS),
  lab,
  loop,
  new: newRun,
  repository,
};

export const ALL_SCREENS: readonly Screen[] = Object.values(SCREENS);

export function screenOf(model: Model): Screen {
  return SCREENS[model.place.screen];
}

/** The bindings of the current screen that apply now. */
export function activeBindings(model: Model): readonly Binding[] {
  return screenOf(model).bindings.filter(({ when }) => when?.(model) ?? true);
}

/** The keys that open a screen from every other one. */
export const SCREEN_KEYS: readonly Binding[] = ALL_SCREENS.flatMap(({ id, key: opens }) =>
  opens === undefined
    ? []
    : [
        {
          id: `go.${id}`,
          keys: [opens.key],
          label: opens.label,
          help: opens.help,
          run(model: Model) {
            const there = goTo(model, { screen: id });
            return opens.then?.(there) ?? step(there);
          },
        },
      ],
);
