import { parseArgv } from '../../../cli/client/argv.ts';
import { expandPath } from '../../../cli/client/path.ts';
import type { Backend } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { DryRun } from '../../../schemas/rpc/methods/run.start.ts';
import type { Model } from '../../model/model.ts';
import { type ApiError, answerOf, errorOf, type QueryOf, query } from '../../model/query.ts';
import { type ScreenState, screenState } from '../../model/state.ts';

/** What a person has filled in; it stays when the screen is left. */
export interface NewForm {
  /** Key of the row one is on. */
  readonly at: string;
  /** Absent: where the dashboard was started. */
  readonly repo?: string;
  /** Empty: the branch that is checked out. */
  readonly base: string;
  readonly template?: string;
  readonly requirements: { readonly text: string; readonly from?: string };
  readonly objective?: { readonly from: string; readonly value: unknown };
  /** Commands that check the change, as they are written. */
  readonly verify: readonly string[];
  /** By hand; an empty choice is devflow's own. Other roles get the backend of the last run. */
  readonly roles: Readonly<Record<string, RoleChoice>>;
  /** Also beside an open run of the repository and base branch. */
  readonly parallel: boolean;
  /** Why the last start came to nothing. */
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

/** A change makes the last refusal history. */
export function fill(model: Model, change: Partial<NewForm>): Model {
  return state.set(model, { failed: undefined, ...change });
}

/** What is still needed, in words; empty when the daemon can judge it. */
export function missing(model: Model): string[] {
  const { template, requirements } = formOf(model);
  return [
    ...(template === undefined ? ['a template'] : []),
    ...(requirements.text.trim() === '' ? ['the requirements'] : []),
  ];
}

/** What a start is called while it goes on. */
export const STARTING = 'starting the run';
/** Runs that have no worktree yet. */
export const BEGINNING = query('run.list', { state: 'created' });

export type Request = RpcParams<'run.start'>;
type LastBackends = RpcResult<'run.lastBackends'>;

export function requestOf(model: Model): Request {
  const { base, template = '', requirements, objective, verify, parallel } = formOf(model);
  const { bind, backend } = chosenOf(model);
  const last = rememberedOf(model).map(({ roleId, backend: id }) => [roleId, id]);
  return {
    repo: repoOf(model),
    template,
    requirements: requirements.text,
    ...(base === '' ? {} : { base }),
    ...(objective === undefined ? {} : { objective: objective.value }),
    ...(verify.length === 0 ? {} : { extra: { verify: verify.map((text) => parseArgv('the check', text)) } }),
    ...(parallel ? { parallel } : {}),
    bind,
    backend: { ...Object.fromEntries(last), ...backend },
  };
}

function repoOf(model: Model): string {
  return expandPath(formOf(model).repo ?? '.', model.cwd);
}

function chosenOf(model: Model): { bind: Record<string, string>; backend: Record<string, Backend> } {
  const chosen = Object.entries(formOf(model).roles);
  return {
    bind: Object.fromEntries(chosen.flatMap(([role, { persona }]) => (persona ? [[role, persona]] : []))),
    backend: Object.fromEntries(chosen.flatMap(([role, { backend }]) => (backend ? [[role, backend]] : []))),
  };
}

/** The backends of the last runs of the repository, for what is not chosen by hand. */
export function lastOf(model: Model): QueryOf<'run.lastBackends'> | undefined {
  const { template } = formOf(model);
  return template === undefined
    ? undefined
    : query('run.lastBackends', { repo: repoOf(model), template, ...chosenOf(model) });
}

/** Of these, the ones that the form takes over. */
export function rememberedOf(model: Model): LastBackends['remembered'] {
  const asked = lastOf(model);
  const { roles } = formOf(model);
  const found = (asked && answerOf(model.data, asked)?.remembered) ?? [];
  return found.filter(({ roleId }) => roles[roleOf(roleId)] === undefined);
}

/** The role of an instance: `coder` of `coder#1`. */
export function roleOf(roleId: string): string {
  return roleId.replace(/#\d+$/, '');
}

/** Asked again by itself for everything that is filled in; only whole values are, so that no letter asks the daemon. */
export function dryRunOf(model: Model): QueryOf<'run.start'> | undefined {
  const asked = lastOf(model);
  if (missing(model).length > 0 || !asked) return undefined;
  // Else the daemon would be asked twice.
  const isAnswered = answerOf(model.data, asked) !== undefined || errorOf(model.data, asked) !== undefined;
  return isAnswered ? query('run.start', { ...requestOf(model), dryRun: true }) : undefined;
}

export type Verdict =
  | { readonly state: 'incomplete'; readonly missing: readonly string[] }
  | { readonly state: 'checking' }
  | { readonly state: 'refused'; readonly why: ApiError }
  | { readonly state: 'good'; readonly plan: DryRun };

/** What the daemon says of the form as it stands. */
export function verdictOf(model: Model): Verdict {
  const lacking = missing(model);
  if (lacking.length > 0) return { state: 'incomplete', missing: lacking };
  const { failed } = formOf(model);
  if (failed) return { state: 'refused', why: failed };
  const asked = dryRunOf(model);
  if (!asked) return { state: 'checking' };
  const why = errorOf(model.data, asked);
  if (why) return { state: 'refused', why };
  const plan = answerOf(model.data, asked);
  return plan && 'dryRun' in plan ? { state: 'good', plan } : { state: 'checking' };
}

/** The words of a command, or why they are none. */
export function faultOf(command: string): ApiError | undefined {
  try {
    parseArgv('the check', command);
    return undefined;
  } catch (error) {
    if (!(error instanceof DevflowError)) throw error;
    // Its hint is of the command line.
    return { code: error.code, message: `${error.message}.` };
  }
}
