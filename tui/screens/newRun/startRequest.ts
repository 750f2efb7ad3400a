import { parseArgv } from '../../../cli/client/parseArgv.ts';
import { defined } from '../../../schemas/defined.ts';
import type { Backend } from '../../../schemas/enums.ts';
import { roleOf } from '../../../schemas/mainLane.ts';
import type { RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { DryRun } from '../../../schemas/rpc/methods/runStart.ts';
import type { ApiError } from '../../model/apiError.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, errorOf, type QueryOf, query } from '../../model/query.ts';
import { formOf, missingFields, repoOf } from './form.ts';
import { formSettingsQuery, openConsents } from './formSettings.ts';

/** The footer shows this while the run starts. */
export const STARTING = 'starting the run';
/** Runs without a worktree yet. */
export const CREATED_RUNS = query('run.list', { state: 'created' });

export function startRequest(model: Model): RpcParams<'run.start'> {
  const { host, base, template, requirements, title, objective, verify, sandbox, parallel } = formOf(model);
  const { bind, backend } = chosenRoles(model);
  const last = lastBackends(model).map(({ roleId, backend: id }) => [roleId, id]);
  return {
    repo: repoOf(model),
    requirements: requirements.text,
    ...defined({
      template,
      host,
      base: base || undefined,
      title: title || undefined,
      objective: objective?.value,
      extra: verify.length === 0 ? undefined : { verify: verify.map((text) => parseArgv('the check', text)) },
      sandbox,
      parallel: parallel || undefined,
    }),
    bind,
    backend: { ...Object.fromEntries(last), ...backend },
  };
}

function chosenRoles(model: Model): { bind: Record<string, string>; backend: Record<string, Backend> } {
  const chosen = Object.entries(formOf(model).roles);
  return {
    bind: Object.fromEntries(chosen.flatMap(([role, { persona }]) => (persona ? [[role, persona]] : []))),
    backend: Object.fromEntries(chosen.flatMap(([role, { backend }]) => (backend ? [[role, backend]] : []))),
  };
}

/** Asks for the backends of the last runs of the repository, for roles without a choice. */
export function lastBackendsQuery(model: Model): QueryOf<'run.lastBackends'> | undefined {
  const { host, base, template } = formOf(model);
  const asked = formSettingsQuery(model);
  if (!asked || answerOf(model.data, asked) === undefined) return undefined;
  const where = defined({ template, base: base || undefined, host });
  return query('run.lastBackends', { repo: repoOf(model), ...where, ...chosenRoles(model) });
}

/** The backends of the last runs that the form uses. */
export function lastBackends(model: Model): RpcResult<'run.lastBackends'>['remembered'] {
  const asked = lastBackendsQuery(model);
  const { roles } = formOf(model);
  const found = (asked && answerOf(model.data, asked)?.remembered) ?? [];
  return found.filter(({ roleId }) => roles[roleOf(roleId)] === undefined);
}

/** Asks the daemon about the filled form. It runs again after each changed field, not after each letter. */
export function dryRunQuery(model: Model): QueryOf<'run.start'> | undefined {
  const asked = lastBackendsQuery(model);
  if (missingFields(model).length > 0 || !asked) return undefined;
  // The answer changes the request; asking now would ask the daemon twice.
  const isAnswered = answerOf(model.data, asked) !== undefined || errorOf(model.data, asked) !== undefined;
  return isAnswered ? query('run.start', previewRequest(model)) : undefined;
}

/** Previews the run with the consent that the form asks for before the start. */
export function previewRequest(model: Model): RpcParams<'run.start'> & { dryRun: true } {
  const isAsked = openConsents(model).length > 0;
  return { ...startRequest(model), ...defined({ allowSetup: isAsked || undefined }), dryRun: true };
}

export type FormCheck =
  | { readonly state: 'incomplete'; readonly missing: readonly string[] }
  | { readonly state: 'checking' }
  | { readonly state: 'refused'; readonly why: ApiError }
  | { readonly state: 'good'; readonly plan: DryRun };

/** The state of the form, with the daemon's check of it. */
export function checkForm(model: Model): FormCheck {
  const settings = formSettingsQuery(model);
  const unusable = settings && errorOf(model.data, settings);
  if (unusable) return { state: 'refused', why: unusable };
  const lacking = missingFields(model);
  if (lacking.length > 0) return { state: 'incomplete', missing: lacking };
  const { failed } = formOf(model);
  if (failed) return { state: 'refused', why: failed };
  const asked = dryRunQuery(model);
  if (!asked) return { state: 'checking' };
  const why = errorOf(model.data, asked);
  if (why) return { state: 'refused', why };
  const plan = answerOf(model.data, asked);
  return plan && 'dryRun' in plan ? { state: 'good', plan } : { state: 'checking' };
}
