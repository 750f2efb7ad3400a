import { field } from '../../model/field.ts';
import { type Choice, type Model, step } from '../../model/model.ts';
import { answerOf, STATUS } from '../../model/query.ts';
import { changeForm, formOf } from './form.ts';
import { type FormRow, openChooser, openInput } from './formRow.ts';
import { START_FIELDS } from './startFields.ts';

/** The row that says which host gets the run; none where devflow works on one alone. */
export function hostRows(model: Model): FormRow[] {
  return hostChoices(model).length > 1 || formOf(model).host !== undefined ? [HOST] : [];
}

/** This host first. */
function hostChoices(model: Model): Choice[] {
  const hosts = answerOf(model.data, STATUS)?.hosts ?? [];
  return hosts
    .toSorted((one, other) => Number(other.here) - Number(one.here))
    .map(({ id, here, state }) => ({
      value: here ? '' : id,
      label: id,
      description: here ? 'this one' : state === 'ready' ? 'up' : state,
    }));
}

/** The name of this host, for a form that names no other. */
export function thisHost(model: Model): string {
  return answerOf(model.data, STATUS)?.hosts?.find(({ here }) => here)?.id ?? '';
}

/** Each host has its own directories and branches. */
function onHost(model: Model, host: string | undefined): Model {
  return host === formOf(model).host ? model : changeForm(model, { host, repo: undefined, base: '' });
}

const HOST: FormRow = {
  key: 'host',
  label: START_FIELDS['--host'],
  does: 'choose',
  change: (model) =>
    openChooser(model, {
      title: 'Host',
      choices: hostChoices(model),
      then: (later, id) => step(onHost(later, id === '' ? undefined : id)),
    }),
  clear: (model) => onHost(model, undefined),
};

/** The dashboard cannot look into the directories of another host. */
export const FAR_REPO: FormRow = {
  key: 'repo',
  label: START_FIELDS['--repo'],
  does: 'type',
  change(model) {
    const { host, repo = '' } = formOf(model);
    return openInput(model, {
      title: `Repository on ${host}`,
      field: field(repo),
      description: 'The absolute path of a directory in a git repository of that host.',
      then: (later, text) => step(changeForm(later, { repo: text === '' ? undefined : text, base: '' })),
    });
  },
  clear: (model) => changeForm(model, { repo: undefined, base: '' }),
};

export const FAR_BASE: FormRow = {
  key: 'base',
  label: START_FIELDS['--base'],
  does: 'type',
  change: (model) =>
    openInput(model, {
      title: 'Base branch',
      field: field(formOf(model).base),
      description: 'A branch of that repository. Empty: the one that is checked out there.',
      then: (later, base) => step(changeForm(later, { base })),
    }),
  clear: (model) => changeForm(model, { base: '' }),
};
