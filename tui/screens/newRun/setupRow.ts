import { SANDBOX_WORDS } from '../../../schemas/names.ts';
import { settingText } from '../../../schemas/repository/settingText.ts';
import { undecidedWall } from '../../../schemas/repository/undecidedWall.ts';
import { CONSENT_STATES } from '../../../schemas/states/consent.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { toast } from '../../model/toast.ts';
import { type Line, line, span } from '../../text/line.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { askConsent } from '../repository/askConsent.ts';
import { changeForm, formOf } from './form.ts';
import { type FormRow, openChooser } from './formRow.ts';
import { consentsOf, decline, formSettingsQuery, settingPlace, settingRow, settingsOf } from './formSettings.ts';
import { START_FIELDS } from './startFields.ts';

/** The commands of the settings in the worktree, and the consent to them. */
export const SETUP: FormRow = {
  key: 'setup',
  label: START_FIELDS['--allow-setup'],
  does: 'decide',
  change(model) {
    const consents = consentsOf(model);
    if (consents.length === 0) return step(toast(model, 'warn', 'Nothing of this repository needs your consent.'));
    return askAbout(model, consents, step);
  },
  clear: (model) => changeForm(model, { declined: [] }),
};

/** Asks yes, no or never, and goes on with what is decided. */
export function askAbout(model: Model, consents: ReturnType<typeof consentsOf>, then: (model: Model) => Step): Step {
  const asked = formSettingsQuery(model);
  if (!asked) return step(model);
  return askConsent(model, {
    about: asked.params as { repo: string },
    consents,
    // The daemon would refuse that start.
    ...(!undecidedWall(consents) &&
      consents.every(({ part }) => part !== 'template') && {
        no: { key: 'n', label: 'start without', then: (later: Model) => then(changeForm(later, decline(consents))) },
      }),
    then: (later) => then(changeForm(later, { declined: [] })),
  });
}

/** The decision, and the first thing that it is about. */
export function setupValue(model: Model): Line {
  const none = (text: string) => line(span(text, theme.muted));
  const view = settingsOf(model);
  if (view === undefined) return none('…');
  const consents = consentsOf(model);
  if (consents.length === 0) return none(view.setup === null ? 'none' : 'as your own file says');
  const { declined } = formOf(model);
  const states = consents.map(({ state, hash }) => (state === 'unknown' && declined.includes(hash) ? 'no' : state));
  const state = states.find((each) => each === 'unknown') ?? states.find((each) => each !== 'allowed') ?? 'allowed';
  const word = state === 'no' ? span('✗ not in this run', theme.muted) : stateSpan(CONSENT_STATES[state]);
  const [first = '', ...rest] = consents.flatMap(({ lines }) => lines);
  return line(
    word,
    `  ${first}`,
    span(rest.length > 0 ? ` and ${counted(rest.length, 'more line')}` : '', theme.muted),
  );
}

/** The sandbox of agents and commands. */
export const SANDBOX: FormRow = {
  key: 'sandbox',
  label: START_FIELDS['--sandbox'],
  does: 'choose',
  change: (model) =>
    openChooser(model, {
      title: 'Sandbox',
      choices: [
        { value: '', label: 'as the settings say', description: settledSandbox(model) },
        ...SANDBOX_WORDS.map((value) => ({ value, label: value, description: LEVELS[value] })),
      ],
      then: (later, value) => step(changeForm(later, { sandbox: SANDBOX_WORDS.find((each) => each === value) })),
    }),
  clear: (model) => changeForm(model, { sandbox: undefined }),
};

const LEVELS = {
  off: 'agents run as you do',
  agents: 'agents see their worktree, not your files',
  all: 'the commands of the run, too',
} as const;

function settledSandbox(model: Model): string {
  const row = settingRow(model, 'sandbox');
  return row ? settingText(row.value) : 'off';
}

export function sandboxValue(model: Model): Line {
  const { sandbox } = formOf(model);
  if (sandbox !== undefined) return line(sandbox);
  const place = settingPlace(model, 'sandbox');
  return line(settledSandbox(model), place !== undefined && span(`  ${place}`, theme.muted));
}
