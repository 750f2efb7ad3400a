import type { Binding } from '../../model/binding.ts';
import { call, type Model, type StartCommand, type Step, step } from '../../model/model.ts';
import { goTo } from '../../model/place.ts';
import { withAnswer } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { toast } from '../../model/toast.ts';
import { changeForm, EMPTY_FORM, formOf, repoOf } from './form.ts';
import type { FormRow } from './formRow.ts';
import { rowsOf } from './formRows.ts';
import { formSettingsQuery, openConsents, TEMPLATES } from './formSettings.ts';
import { formView, rowAt } from './formView.ts';
import { editRequirements, readRequirements, typeRequirements } from './requirementRows.ts';
import { PERSONAS } from './roleRow.ts';
import { askAbout } from './setupRow.ts';
import {
  CREATED_RUNS,
  checkForm,
  dryRunQuery,
  lastBackendsQuery,
  previewRequest,
  STARTING,
  startRequest,
} from './startRequest.ts';

const CHECKING = 'checking';

function currentRow(model: Model): { row: FormRow | undefined; index: number; rows: readonly FormRow[] } {
  const rows = rowsOf(model);
  const index = Math.max(
    0,
    rows.findIndex(({ key }) => key === formOf(model).at),
  );
  return { row: rows[index], index, rows };
}

function move(model: Model, by: number): Step {
  const { index, rows } = currentRow(model);
  const to = rows[Math.max(0, Math.min(index + by, rows.length - 1))];
  const { failed } = formOf(model);
  return step(to === undefined ? model : changeForm(model, { at: to.key, failed }));
}

const moving = (id: string, keys: string[], help: string, by: number): Binding => ({
  id: `new.${id}`,
  keys,
  label: id,
  help,
  movement: true,
  run: (model) => move(model, by),
});

export const newRun: Screen = {
  id: 'new',
  tab: 'runs',
  key: {
    key: 'n',
    label: 'new run',
    help: 'Start a new run: first type what should change',
    // All other fields have a value.
    then: (model) => (formOf(model).requirements.text === '' ? typeRequirements(model) : step(model)),
  },
  title: () => 'New run',
  queries: (model) => [
    TEMPLATES,
    PERSONAS,
    ...(model.busy.includes(STARTING)
      ? [CREATED_RUNS]
      : [formSettingsQuery(model) ?? [], lastBackendsQuery(model) ?? [], dryRunQuery(model) ?? []].flat()),
  ],
  bindings: [
    {
      id: 'new.start',
      keys: ['C-s'],
      label: 'start',
      help: 'Start the run and go to it',
      footer: true,
      disabled: whyUnstartable,
      run: askAndStart,
    },
    {
      id: 'new.change',
      keys: ['enter', 'i'],
      label: 'change',
      footer: true,
      help: 'Change the current field',
      run: (model) => currentRow(model).row?.change(model) ?? step(model),
    },
    {
      id: 'new.edit',
      keys: ['e'],
      label: 'editor',
      footer: true,
      help: 'Write the requirements in your editor ($VISUAL, $EDITOR, or vi)',
      run: editRequirements,
    },
    {
      id: 'new.file',
      keys: ['f'],
      label: 'file',
      footer: true,
      help: 'Read the requirements from a file',
      run: readRequirements,
    },
    {
      id: 'new.clear',
      keys: ['x', 'delete'],
      label: 'clear',
      help: 'Clear the current field',
      run: (model) => step(currentRow(model).row?.clear(model) ?? model),
    },
    {
      id: 'new.check',
      keys: ['r'],
      label: 'check',
      help: 'Check the form with the daemon again',
      disabled: ({ busy }) => (busy.includes(CHECKING) ? 'the check is running' : undefined),
      run: checkAgain,
    },
    {
      id: 'new.settings',
      keys: ['s'],
      label: 'settings',
      footer: true,
      help: 'Show the settings of the repository, and which file says what',
      disabled: (model) => (formOf(model).host === undefined ? undefined : 'the repository is on another host'),
      run: (model) => step(goTo(model, { screen: 'repository', id: repoOf(model) })),
    },
    moving('next', ['tab', 'j', 'down'], 'Go to the next field', 1),
    moving('previous', ['S-tab', 'k', 'up'], 'Go to the previous field', -1),
    moving('first', ['g', 'home'], 'Go to the first field', -1_000),
    moving('last', ['G', 'end'], 'Go to the last field', 1_000),
  ],
  view: formView,
  onMouse(model, { action, row }, size) {
    if (action !== 'click') return move(model, action === 'down' ? 1 : -1);
    const clicked = rowAt(model, row, size);
    if (!clicked) return undefined;
    const { failed, at } = formOf(model);
    return clicked.key === at ? clicked.change(model) : step(changeForm(model, { at: clicked.key, failed }));
  },
};

function whyUnstartable(model: Model): string | undefined {
  if (model.busy.includes(STARTING)) return 'the run is starting';
  const verdict = checkForm(model);
  switch (verdict.state) {
    case 'good':
      return undefined;
    case 'incomplete':
      return `the form needs ${verdict.missing.join(' and ')}`;
    case 'checking':
      return 'the check is running';
    case 'refused':
      // The reason for a failed start may have gone: only another start can tell.
      return formOf(model).failed ? undefined : 'the daemon refuses this form';
    default:
      return verdict satisfies never;
  }
}

/** Before the first start, what the settings would run is a question. */
function askAndStart(model: Model): Step {
  const open = openConsents(model);
  return open.length > 0 ? askAbout(model, open, start) : start(model);
}

function start(model: Model): Step {
  const command: StartCommand = {
    type: 'start',
    params: startRequest(model),
    doing: STARTING,
    then(later, answer) {
      if (!('runId' in answer)) return step(later);
      // The next run probably has the same repository, template and checks.
      const { at, requirements, title, objective, roles, declined, parallel } = EMPTY_FORM;
      const emptied = toast(
        changeForm(later, { at, requirements, title, objective, roles, declined, parallel }),
        'good',
        `Started run ${answer.runId.slice(0, 8)}.`,
      );
      return step(later.place.screen === 'new' ? goTo(emptied, { screen: 'run', id: answer.runId }) : emptied);
    },
    failed: (later, error) => step(changeForm(later, { failed: error })),
  };
  return step(changeForm(model, {}), command);
}

function checkAgain(model: Model): Step {
  const asked = dryRunQuery(model);
  const bare = changeForm(model, {});
  if (!asked) return step(bare);
  const command = call('run.start', previewRequest(model), {
    doing: CHECKING,
    then: (later, value) => step(withAnswer(later, asked, { value })),
    failed: (later, error) => step(withAnswer(later, asked, { error })),
  });
  return step(bare, command);
}
