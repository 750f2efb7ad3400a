import type { Backend } from '../../../schemas/enums.ts';
import type { ApiError } from '../../model/apiError.ts';
import type { Model } from '../../model/model.ts';
import { type ScreenState, screenState } from '../../model/place.ts';

/** The values that a person has filled in. They stay when the person leaves the screen. */
export interface NewForm {
  /** Key of the current row. */
  readonly at: string;
  /** The id of another host that gets the run. Absent: this one. */
  readonly host?: string;
  /** A directory of that host. Absent: the directory where the dashboard was started. */
  readonly repo?: string;
  /** Empty: the branch that is checked out. */
  readonly base: string;
  readonly template?: string;
  readonly requirements: { readonly text: string; readonly from?: string };
  readonly objective?: { readonly from: string; readonly value: unknown };
  /** Commands that check the changes, as typed. */
  readonly verify: readonly string[];
  /** Chosen by hand. An empty choice lets devflow choose; a role without one gets the backend of the last run. */
  readonly roles: Readonly<Record<string, RoleChoice>>;
  /** Start even if the repository and base branch have an open run. */
  readonly parallel: boolean;
  /** Why the last start failed. */
  readonly failed?: ApiError;
}

export interface RoleChoice {
  readonly persona?: string;
  readonly backend?: Backend;
}

export const EMPTY_FORM: NewForm = {
  at: 'repo',
  base: '',
  requirements: { text: '' },
  verify: [],
  roles: {},
  parallel: false,
};

const state: ScreenState<NewForm> = screenState('new', EMPTY_FORM, () => '');

export function formOf(model: Model): NewForm {
  return state.get(model);
}

/** Changes the form, and forgets why the last start failed. */
export function changeForm(model: Model, change: Partial<NewForm>): Model {
  return state.set(model, { failed: undefined, ...change });
}

/** The required fields that are empty. */
export function missingFields(model: Model): string[] {
  const { host, repo = '', template, requirements } = formOf(model);
  return [
    // A relative path says nothing about another host.
    ...(host !== undefined && !repo.startsWith('/') ? [`the repository on ${host}, as an absolute path`] : []),
    ...(template === undefined ? ['a template'] : []),
    ...(requirements.text.trim() === '' ? ['the requirements'] : []),
  ];
}
