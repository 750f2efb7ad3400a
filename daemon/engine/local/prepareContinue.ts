import type { Config } from '../../../schemas/config/config.ts';
import { joinTemplates } from '../../../schemas/definitions/joinTemplates.ts';
import type { BindingOverride } from '../../../schemas/definitions/persona.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import { bindAll, refusedTogether } from '../../core/binding/binding.ts';
import { fitFault, labelOf, type PersonaEntry } from '../../core/binding/candidates.ts';
import { type ContinueSignal, whyNotContinued } from '../../core/continueRun.ts';
import { soFar } from '../../core/run/soFar.ts';
import type { Run } from '../../core/run/state.ts';
import { type Definitions, type LookAgain, personasFor } from '../../store/definitions.ts';
import { checkExtra } from './checkInputs.ts';

export interface ContinueRequest {
  /** `name` or `name@version`. */
  template: string;
  /** What the phases that follow work for, beside what the run is for. */
  requirements?: string | undefined;
  extra?: Record<string, unknown> | undefined;
  overrides: Record<string, BindingOverride>;
}

/** What a continue adds to the run, and the template of the run afterwards. */
export interface PreparedContinue {
  signal: Pick<ContinueSignal, 'templateId' | 'templateHash' | 'template' | 'bindings' | 'extra' | 'requirementsMd'>;
  joined: Template;
}

/** Prepares a continue as a start is prepared. Writes nothing; throws the errors that a continue throws. */
export type PrepareContinue = (run: Run, request: ContinueRequest) => Promise<PreparedContinue>;

export function createPrepareContinue(parts: {
  config: Pick<Config, 'backends'>;
  definitions: Definitions;
  lookAgain: LookAgain;
}): PrepareContinue {
  const { config, definitions, lookAgain } = parts;
  return async (run, { template: ref, requirements, extra: given, overrides }) => {
    const { id: templateId, hash: templateHash, template } = await definitions.getTemplate(ref);
    const refused = whyNotContinued(run, template);
    if (refused) throw refused;
    const extra = withChecks(run, template, given);
    checkExtra(template, extra ?? {}, null);
    const joined = joinTemplates(run.template, template);
    const open = joined.roles.filter(({ id }) => !run.bindings.some(({ role }) => role === id));
    refuseBound(run, overrides, open);
    const bindings = await lookAgain(async () => {
      const personas = await personasFor(run.brought, definitions);
      refuseUnfit(run, joined, personas);
      const request = { runId: run.id, template: { ...joined, roles: open }, templateHash, personas, overrides };
      return bindAll({ ...request, backends: config.backends }, run.id);
    });
    const together = refusedTogether(joined, [...run.bindings, ...bindings]);
    if (together[0]) throw new DevflowError('binding_refused', `${together[0].message}.`, { runId: run.id });
    const requirementsMd = requirementsOf(run, requirements);
    return { signal: { templateId, templateHash, template, bindings, extra, requirementsMd }, joined };
  };
}

/** The checks of the work so far are those of the template that follows, unless the person names others. */
function withChecks(run: Run, next: Template, given: ContinueRequest['extra']): Record<string, unknown> | null {
  const own = run.template.phases.find(({ key, kind }) => kind === 'command' && run.extra?.[key] !== undefined);
  const takes = next.phases.find(({ key, kind }) => key === 'verify' && KIND_DEFINITIONS[kind].commands === 'own');
  if (given !== undefined || !own || !takes) return given ?? null;
  return { [takes.key]: run.extra?.[own.key] };
}

/** An agent that works in the run already stays as it is. */
function refuseBound(run: Run, overrides: ContinueRequest['overrides'], open: readonly { id: string }[]): void {
  const bound = Object.keys(overrides).find(
    (role) =>
      run.bindings.some((each) => each.role === role || each.roleId === role) && !open.some(({ id }) => id === role),
  );
  if (bound === undefined) return;
  const binding = run.bindings.find(({ role, roleId }) => role === bound || roleId === bound);
  const message = `The agent of ${bound} goes on as ${binding?.personaName}@${binding?.personaVersion}, so it takes no other.`;
  throw new DevflowError('usage', message, { runId: run.id, recoveryHint: `Leave ${bound} out.` });
}

function refuseUnfit(run: Run, joined: Template, personas: readonly PersonaEntry[]): void {
  for (const role of joined.roles) {
    const bound = run.bindings.find((each) => each.role === role.id);
    const entry = bound && personas.find(({ id }) => id === bound.personaId);
    const fault = entry && fitFault(entry, role, joined);
    if (!fault) continue;
    const message = `The agent of ${role.id} (${labelOf(entry)}) cannot go on: ${fault.message}.`;
    throw new DevflowError('binding_refused', message, {
      runId: run.id,
      recoveryHint: 'Choose another template, or start a run of its own for it.',
    });
  }
}

/** A run that began without a text is for what its agents were asked. Null: what it is for stays. */
function requirementsOf(run: Run, given: string | undefined): string | null {
  const before =
    run.requirementsMd.trim() === ''
      ? run.sessions
          .map(({ id }) => soFar(run, id))
          .join('\n\n')
          .trim()
      : '';
  const texts = [run.requirementsMd.trim() === '' ? before : run.requirementsMd, given?.trim() ?? ''].filter(Boolean);
  const all = texts.join('\n\n');
  if (all === '') {
    throw new DevflowError('requirements_missing', `Nothing says what run ${run.id} is for.`, {
      runId: run.id,
      recoveryHint: 'Say it: -m "…".',
    });
  }
  return all === run.requirementsMd ? null : all;
}
