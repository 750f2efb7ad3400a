import { expandPath } from '../../../cli/client/paths.ts';
import type { Backend } from '../../../schemas/enums.ts';
import type { SandboxWord } from '../../../schemas/names.ts';
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
  /** Empty: as the settings say, else the branch that is checked out. */
  readonly base: string;
  /** Absent: as the settings say. */
  readonly template?: string;
  readonly requirements: { readonly text: string; readonly from?: string };
  /** Empty: the first line of the requirements, until an agent has a title. */
  readonly title: string;
  readonly objective?: { readonly from: string; readonly value: unknown };
  /** Commands that check the changes, as typed. Empty: those of the settings. */
  readonly verify: readonly string[];
  /** Chosen by hand. An empty choice lets devflow choose; a role without one gets the backend of the last run. */
  readonly roles: Readonly<Record<string, RoleChoice>>;
  /** Absent: as the settings say. */
  readonly sandbox?: SandboxWord;
  /** The hashes of what the settings may not run in this run. */
  readonly declined: readonly string[];
  /** Start even if the repository and base branch have an open run. */
  readonly parallel: boolean;
  /** The failure of the last start. */
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
  title: '',
  verify: [],
  roles: {},
  declined: [],
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

/** The directory of the run, as the daemon reads it. */
export function repoOf(model: Model): string {
  const { host, repo = '.' } = formOf(model);
  return host === undefined ? expandPath(repo, model.cwd) : repo;
}

/** The required fields that are empty. The settings name a template. */
export function missingFields(model: Model): string[] {
  const { host, repo = '', requirements } = formOf(model);
  return [
    // A relative path says nothing about another host.
    ...(host !== undefined && !repo.startsWith('/') ? [`the repository on ${host}, as an absolute path`] : []),
    ...(requirements.text.trim() === '' ? ['the requirements'] : []),
  ];
}
