import type { Backend } from '../../../schemas/enums.ts';
import { roleOf } from '../../../schemas/mainLane.ts';
import { BACKENDS } from '../../../schemas/names.ts';
import type { PersonaSummary } from '../../../schemas/rpc/views/definition.ts';
import { type Choice, type Model, step } from '../../model/model.ts';
import { answerOf, query } from '../../model/query.ts';
import { shortId } from '../../text/runWords.ts';
import { nameOf } from '../catalog/definitionText.ts';
import { changeForm, formOf, type RoleChoice } from './form.ts';
import { type FormRow, openChooser } from './formRow.ts';
import { START_FIELDS } from './startFields.ts';
import { lastBackends } from './startRequest.ts';

export const PERSONAS = query('persona.list', {});

/** One row for each role of the template: which persona or backend it gets. */
export function roleRow(role: string, nth: number): FormRow {
  const set = (model: Model, choice: RoleChoice | undefined) => {
    const { [role]: _, ...others } = formOf(model).roles;
    return changeForm(model, { roles: choice === undefined ? others : { ...others, [role]: choice } });
  };
  return {
    key: `role ${role}`,
    label: nth === 0 ? START_FIELDS['--backend'] : '',
    does: 'choose',
    change: (model) =>
      openChooser(model, {
        title: `Persona for ${role}`,
        choices: playersOf(answerOf(model.data, PERSONAS) ?? [], role, lastPlayer(model, role)),
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
