import { TITLE_LENGTH } from '../../../schemas/text/titleOf.ts';
import { field } from '../../model/field.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { toastError } from '../../model/toast.ts';
import { changeForm, formOf } from './form.ts';
import { type FormRow, openInput } from './formRow.ts';
import { START_FIELDS } from './startFields.ts';

export const REQUIREMENTS: FormRow = {
  key: 'requirements',
  label: START_FIELDS['--requirements'],
  does: 'type',
  change(model) {
    const { text } = formOf(model).requirements;
    if (text.trim().includes('\n')) return editRequirements(model);
    return typeRequirements(model);
  },
  clear: (model) => changeForm(model, { requirements: { text: '' } }),
};

export function typeRequirements(model: Model): Step {
  const { text } = formOf(model).requirements;
  return openInput(changeForm(model, { at: REQUIREMENTS.key }), {
    title: 'Requirements',
    field: field(text.trim()),
    description: 'What should change. To read it from a file press Esc, then f.',
    manyLines: true,
    editor: (later, typed) => editText(later, typed),
    then: (later, typed) => step(changeForm(later, { requirements: { text: typed } })),
  });
}

export function editRequirements(model: Model): Step {
  return editText(model, formOf(model).requirements.text);
}

function editText(model: Model, text: string): Step {
  return step(model, {
    type: 'edit',
    text,
    suffix: '.md',
    then: (later, edited) => step(changeForm(later, { requirements: { text: edited } })),
  });
}

export function readRequirements(model: Model): Step {
  return openInput(model, {
    title: 'Requirements from a file',
    field: field(formOf(model).requirements.from ?? ''),
    complete: 'files',
    then(later, path) {
      if (path === '') return step(later);
      return step(later, {
        type: 'readFile',
        path,
        then: (then, text) =>
          step(
            typeof text === 'string'
              ? changeForm(then, { requirements: { text, from: path }, at: 'requirements' })
              : toastError(then, text),
          ),
      });
    },
  });
}

export const TITLE: FormRow = {
  key: 'title',
  label: START_FIELDS['--title'],
  does: 'type',
  change: (model) =>
    openInput(model, {
      title: 'Title',
      field: field(formOf(model).title),
      description: `What lists call the run, in at most ${TITLE_LENGTH} characters. No agent changes it.`,
      then: (later, typed) => step(changeForm(later, { title: typed.trim() })),
    }),
  clear: (model) => changeForm(model, { title: '' }),
};

export const OBJECTIVE: FormRow = {
  key: 'objective',
  label: START_FIELDS['--objective'],
  does: 'type',
  change: (model) =>
    openInput(model, {
      title: 'Objective',
      field: field(formOf(model).objective?.from ?? ''),
      complete: 'files',
      description: 'A JSON file with a measurable objective. Most runs have none.',
      then(later, from) {
        if (from === '') return step(changeForm(later, { objective: undefined }));
        return step(later, {
          type: 'readFile',
          path: from,
          then(then, text) {
            if (typeof text !== 'string') return step(toastError(then, text));
            try {
              return step(changeForm(then, { objective: { from, value: JSON.parse(text) } }));
            } catch (error) {
              return step(
                toastError(then, { code: 'usage', message: `${from} is not JSON: ${(error as Error).message}` }),
              );
            }
          },
        });
      },
    }),
  clear: (model) => changeForm(model, { objective: undefined }),
};
