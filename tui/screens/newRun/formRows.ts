import type { Backend } from '../../../schemas/enums.ts';
import type { PersonaSummary } from '../../../schemas/rpc/views/definition.ts';
import { START_FIELDS } from '../../../schemas/startFields.ts';
import { field } from '../../model/field.ts';
import type { Model } from '../../model/model.ts';
import type { Choice, OverlayOf } from '../../model/overlay.ts';
import { answerOf, query } from '../../model/query.ts';
import { type Step, step, toastError } from '../../model/step.ts';
import { shortId } from '../../text/runWords.ts';
import { nameOf } from '../catalog/definitionText.ts';
import { changeForm, commandError, formOf, lastBackends, type RoleChoice, roleOf } from './form.ts';

export const TEMPLATES = query('template.list', {});
export const PERSONAS = query('persona.list', {});
const BACKENDS: readonly Backend[] = ['codex', 'claude', 'gemini', 'opencode', 'fake'];

/** One row of the form. */
export interface FormRow {
  readonly key: string;
  readonly label: string;
  /** What Enter does, in a word. */
  readonly does: 'type' | 'choose' | 'switch';
  change(model: Model): Step;
  /** Sets the field back to its first value. */
  clear(model: Model): Model;
}

export function rowsOf(model: Model): FormRow[] {
  const { verify } = formOf(model);
  const checks = [...verify, ''].map((_, nth) => checkRow(nth));
  return [REPO, BASE, TEMPLATE, REQUIREMENTS, OBJECTIVE, ...checks, ...rolesOf(model).map(roleRow), PARALLEL];
}

/** Roles of the chosen template. */
export function rolesOf(model: Model): readonly string[] {
  const { template } = formOf(model);
  const found = answerOf(model.data, TEMPLATES)?.find((each) => nameOf(each) === template);
  return found?.roles ?? [];
}

const choose = (model: Model, overlay: Omit<OverlayOf<'choose'>, 'kind' | 'field' | 'selected'>): Step =>
  step({ ...model, overlay: { kind: 'choose', field: field(), selected: 0, ...overlay } });
const type = (model: Model, overlay: Omit<OverlayOf<'input'>, 'kind' | 'mayBeEmpty' | 'label'>): Step =>
  step({ ...model, overlay: { kind: 'input', mayBeEmpty: true, label: 'keep', ...overlay } });

const REPO: FormRow = {
  ...{ key: 'repo', label: START_FIELDS['--repo'], does: 'type' },
  change: (model) =>
    type(model, {
      ...{ title: 'Repository', field: field(formOf(model).repo ?? model.cwd), complete: 'directories' },
      description: 'A directory in a git repository. The run works in a worktree and does not change your checkout.',
      then: (later, text) => step(changeForm(later, { repo: text === '' ? undefined : text, base: '' })),
    }),
  clear: (model) => changeForm(model, { repo: undefined, base: '' }),
};

const BASE: FormRow = {
  ...{ key: 'base', label: START_FIELDS['--base'], does: 'choose' },
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
        return choose(later, { title: 'Base branch', choices, then: (then, base) => step(changeForm(then, { base })) });
      },
    }),
  clear: (model) => changeForm(model, { base: '' }),
};

function plainChoice(value: string): Choice {
  return { value, label: value };
}

const TEMPLATE: FormRow = {
  ...{ key: 'template', label: START_FIELDS['--template'], does: 'choose' },
  change(model) {
    const choices = (answerOf(model.data, TEMPLATES) ?? []).map((each) => ({
      ...plainChoice(nameOf(each)),
      description: each.phases.join(' → '),
    }));
    // Each template has its own roles, so the choices for the old ones go.
    return choose(model, {
      ...{ title: 'Template', choices },
      then: (later, template) =>
        step(changeForm(later, template === formOf(later).template ? {} : { template, roles: {} })),
    });
  },
  clear: (model) => changeForm(model, { template: undefined, roles: {} }),
};

const REQUIREMENTS: FormRow = {
  ...{ key: 'requirements', label: START_FIELDS['--requirements'], does: 'type' },
  change(model) {
    const { text } = formOf(model).requirements;
    if (text.trim().includes('\n')) return editRequirements(model);
    return type(model, {
      ...{ title: 'Requirements', field: field(text.trim()) },
      description: 'One line. For a longer text press Esc, then e for your editor or f for a file.',
      then: (later, typed) => step(changeForm(later, { requirements: { text: typed } })),
    });
  },
  clear: (model) => changeForm(model, { requirements: { text: '' } }),
};

export function editRequirements(model: Model): Step {
  const { text } = formOf(model).requirements;
  return step(model, {
    type: 'edit',
    text,
    suffix: '.md',
    then: (later, edited) => step(changeForm(later, { requirements: { text: edited } })),
  });
}

export function readRequirements(model: Model): Step {
  return type(model, {
    ...{ title: 'Requirements from a file', field: field(formOf(model).requirements.from ?? ''), complete: 'files' },
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

const OBJECTIVE: FormRow = {
  ...{ key: 'objective', label: START_FIELDS['--objective'], does: 'type' },
  change: (model) =>
    type(model, {
      ...{ title: 'Objective', field: field(formOf(model).objective?.from ?? ''), complete: 'files' },
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

const PARALLEL: FormRow = {
  ...{ key: 'parallel', label: START_FIELDS['--parallel'], does: 'switch' },
  change: (model) => step(changeForm(model, { parallel: !formOf(model).parallel })),
  clear: (model) => changeForm(model, { parallel: false }),
};

function checkRow(nth: number): FormRow {
  const without = (model: Model) => changeForm(model, { verify: formOf(model).verify.filter((_, at) => at !== nth) });
  const ask = (model: Model, text: string): Step =>
    type(model, {
      ...{ title: 'Command that checks the changes', field: field(text) },
      description:
        'For example: npm test. devflow splits it as a shell would, but runs no shell. A JSON list works too.',
      then(later, typed) {
        if (typed === '') return step(without(later));
        const fault = commandError(typed);
        if (fault) return ask(toastError(later, fault), typed);
        const { verify } = formOf(later);
        return step(changeForm(later, { verify: [...verify.slice(0, nth), typed, ...verify.slice(nth + 1)] }));
      },
    });
  return {
    ...{ key: `check ${nth}`, label: nth === 0 ? START_FIELDS['--verify'] : '', does: 'type' },
    change: (model) => ask(model, formOf(model).verify[nth] ?? ''),
    clear: without,
  };
}

function roleRow(role: string, nth: number): FormRow {
  const set = (model: Model, choice: RoleChoice | undefined) => {
    const { [role]: _, ...others } = formOf(model).roles;
    return changeForm(model, { roles: choice === undefined ? others : { ...others, [role]: choice } });
  };
  return {
    ...{ key: `role ${role}`, label: nth === 0 ? START_FIELDS['--backend'] : '', does: 'choose' },
    change: (model) =>
      choose(model, {
        ...{
          title: `Persona for ${role}`,
          choices: playersOf(answerOf(model.data, PERSONAS) ?? [], role, lastPlayer(model, role)),
        },
        then(later, value) {
          const [kind, name] = value.split(' ');
          if (kind === 'persona') return step(set(later, { persona: name }));
          if (kind === 'backend') return step(set(later, { backend: name as Backend }));
          return step(set(later, kind === 'last' ? undefined : {}));
        },
      }),
    clear: (model) => set(model, undefined),
  };
}

/** Offers the backend that the role had in the last run. */
function lastPlayer(model: Model, role: string): Choice[] {
  // The answer for a form without a choice for this role.
  const { [role]: _, ...others } = formOf(model).roles;
  const last = lastBackends(changeForm(model, { roles: others })).find(({ roleId }) => roleOf(roleId) === role);
  if (!last) return [];
  return [{ value: 'last', label: `any on ${last.backend}`, description: `as in run ${shortId(last.runId)}` }];
}

function playersOf(personas: readonly PersonaSummary[], role: string, last: readonly Choice[]): Choice[] {
  const can = personas.filter(({ allowedRoles }) => allowedRoles === null || allowedRoles.includes(role));
  return [
    ...last,
    { value: '', label: 'devflow chooses' },
    ...can.map((each) => ({
      value: `persona ${nameOf(each)}`,
      label: nameOf(each),
      description: `${each.backend}: ${each.capabilities.join(', ')}`,
    })),
    ...BACKENDS.map((backend) => ({
      value: `backend ${backend}`,
      label: `any on ${backend}`,
      description: 'the best persona for that backend',
    })),
  ];
}
