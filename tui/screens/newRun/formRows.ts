import { parseArgv } from '../../../cli/client/parseArgv.ts';
import { byLastUse } from '../../../schemas/definitions/shippedTemplates.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { ApiError } from '../../model/apiError.ts';
import { field } from '../../model/field.ts';
import { type Choice, type Model, type Step, step } from '../../model/model.ts';
import { answerOf } from '../../model/query.ts';
import { toastError } from '../../model/toast.ts';
import { nameOf } from '../catalog/definitionText.ts';
import { changeForm, formOf } from './form.ts';
import { type FormRow, openChooser, openInput } from './formRow.ts';
import { checksOf, settingRow, TEMPLATES, templateOf } from './formSettings.ts';
import { FAR_BASE, FAR_REPO, hostRows } from './hostRows.ts';
import { OBJECTIVE, REQUIREMENTS, TITLE } from './requirementRows.ts';
import { roleRow } from './roleRow.ts';
import { SANDBOX, SETUP } from './setupRow.ts';
import { START_FIELDS } from './startFields.ts';

export function rowsOf(model: Model): FormRow[] {
  const { host } = formOf(model);
  const checks = [...checksOf(model).texts, ''].map((_, nth) => checkRow(nth));
  const where = host === undefined ? [REPO, BASE] : [FAR_REPO, FAR_BASE];
  return [
    ...hostRows(model),
    ...where,
    TEMPLATE,
    REQUIREMENTS,
    TITLE,
    OBJECTIVE,
    ...checks,
    ...rolesOf(model).map(roleRow),
    SETUP,
    SANDBOX,
    PARALLEL,
  ];
}

/** Roles of the chosen template. */
export function rolesOf(model: Model): readonly string[] {
  return templateOf(model)?.roles ?? [];
}

const REPO: FormRow = {
  key: 'repo',
  label: START_FIELDS['--repo'],
  does: 'type',
  change: (model) =>
    openInput(model, {
      title: 'Repository',
      field: field(formOf(model).repo ?? model.cwd),
      complete: 'directories',
      description: 'A directory in a git repository. The run works in a worktree and does not change your checkout.',
      then: (later, text) => step(changeForm(later, { repo: text === '' ? undefined : text, base: '' })),
    }),
  clear: (model) => changeForm(model, { repo: undefined, base: '' }),
};

const BASE: FormRow = {
  key: 'base',
  label: START_FIELDS['--base'],
  does: 'choose',
  change: (model) =>
    step(model, {
      type: 'branches',
      repo: formOf(model).repo ?? model.cwd,
      then(later, names) {
        if (later.place.screen !== 'new' || later.overlay) return step(later);
        const [here, ...others] = names;
        if (here === undefined) {
          return step(
            toastError(later, {
              code: 'repo_invalid',
              message: 'This directory is in no git repository with a branch.',
            }),
          );
        }
        const choices = [{ value: '', label: here, description: 'checked out' }, ...others.map(plainChoice)];
        return openChooser(later, {
          title: 'Base branch',
          choices,
          then: (then, base) => step(changeForm(then, { base })),
        });
      },
    }),
  clear: (model) => changeForm(model, { base: '' }),
};

function plainChoice(value: string): Choice {
  return { value, label: value };
}

const TEMPLATE: FormRow = {
  key: 'template',
  label: START_FIELDS['--template'],
  does: 'choose',
  change(model) {
    const settled = settingRow(model, 'template')?.value;
    const choices = [
      ...(typeof settled === 'string' ? [{ value: '', label: 'as the settings say', description: settled }] : []),
      ...byLastUse(answerOf(model.data, TEMPLATES) ?? []).map((each) => ({
        ...plainChoice(nameOf(each)),
        description: each.about ?? each.phases.join(' → '),
      })),
    ];
    // Each template has its own roles, so the choices for the old ones go.
    return openChooser(model, {
      title: 'Template',
      choices,
      then(later, chosen) {
        const template = chosen === '' ? undefined : chosen;
        return step(changeForm(later, template === formOf(later).template ? {} : { template, roles: {} }));
      },
    });
  },
  clear: (model) => changeForm(model, { template: undefined, roles: {} }),
};

const PARALLEL: FormRow = {
  key: 'parallel',
  label: START_FIELDS['--parallel'],
  does: 'switch',
  change: (model) => step(changeForm(model, { parallel: !formOf(model).parallel })),
  clear: (model) => changeForm(model, { parallel: false }),
};

function checkRow(nth: number): FormRow {
  const without = (model: Model) => changeForm(model, { verify: checksOf(model).texts.filter((_, at) => at !== nth) });
  const ask = (model: Model, text: string): Step =>
    openInput(model, {
      title: 'Command that checks the changes',
      field: field(text),
      description:
        'For example: npm test. devflow splits it as a shell would, but runs no shell. A JSON list works too.',
      then(later, typed) {
        if (typed === '') return step(without(later));
        const fault = commandError(typed);
        if (fault) return ask(toastError(later, fault), typed);
        const { texts } = checksOf(later);
        if (typed === texts[nth]) return step(later);
        return step(changeForm(later, { verify: [...texts.slice(0, nth), typed, ...texts.slice(nth + 1)] }));
      },
    });
  return {
    key: `check ${nth}`,
    label: nth === 0 ? START_FIELDS['--verify'] : '',
    does: 'type',
    change: (model) => ask(model, checksOf(model).texts[nth] ?? ''),
    clear: without,
  };
}

/** The fault of a typed command; undefined if it can run. */
function commandError(command: string): ApiError | undefined {
  try {
    parseArgv('the check', command);
    return undefined;
  } catch (error) {
    if (!(error instanceof DevflowError)) throw error;
    // The hint is about the command line.
    return { code: error.code, message: `${error.message}.` };
  }
}
