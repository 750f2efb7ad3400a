import { defined } from '../../../schemas/defined.ts';
import type { BindingOverride } from '../../../schemas/definitions/persona.ts';
import { gatesOf, roleInstances, type Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { AutoGate } from '../../../schemas/gates/autoGates.ts';
import { addsChecks, CHECKS } from '../../../schemas/repository/checks.ts';
import { checksPhase, isChosen } from '../../../schemas/repository/checksPhase.ts';
import type { ConsentPart, ConsentView } from '../../../schemas/repository/consent.ts';
import type { MergedSettings } from '../../../schemas/repository/mergeSettings.ts';
import { undecidedWall } from '../../../schemas/repository/undecidedWall.ts';
import type { StartSettings } from '../../../schemas/rpc/views/repository.ts';
import { sandboxWish } from '../../../schemas/sandbox.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { templateSubject } from '../../settings/consent/templateSubject.ts';
import { type SettledSettings, startSettingsOf } from '../../settings/repositorySettings.ts';
import { namedIn } from '../../settings/resolveSettings.ts';
import type { Definitions } from '../../store/definitions.ts';
import type { StartRequest } from './startRequest.ts';

export interface WithSettings {
  request: StartRequest;
  settings: StartSettings;
  warnings: string[];
  /** The run may not start with this template; absent: it may. */
  refusal?: DevflowError;
}

/** A request with what the settings add to it. The request's own values stay. Pure. */
export function withSettings(request: StartRequest, settled: SettledSettings, template: Template): WithSettings {
  const { allowed, consents, setup, agentRights } = settled;
  const isChecked = takesVerify(request, settled, template);
  const isSetUp = needsSetup(request);
  const isUsed: Partial<Record<ConsentPart, boolean>> = {
    [CHECKS]: isChecked,
    worktree: isSetUp,
    sandbox: request.sandbox === undefined,
    wrap: request.wrap === undefined,
    [TEMPLATE]: !isTemplateNamed(request),
  };
  const relevant = consents.filter(({ part }) => isUsed[part] ?? true);
  const { verify = [] } = allowed;
  const all: StartRequest = { ...request, overrides: withBackends(request.overrides, allowed.backends, template) };
  const checked = checksPhase(template);
  if (isChecked && checked && verify.length > 0) all.extra = { ...request.extra, [checked]: verify };
  if (isSetUp && setup) all.setup = setup;
  const sandbox = request.sandbox === undefined ? sandboxWish(allowed.sandbox) : request.sandbox;
  if (sandbox !== undefined) all.sandbox = sandbox;
  if (request.wrap === undefined && allowed.wrap) all.wrap = allowed.wrap;
  if (agentRights) all.agentRights = agentRights;
  const autoGates = rulesFor(allowed, template);
  if (autoGates.length > 0) all.autoGates = autoGates;
  const settings = { ...startSettingsOf(settled), consents: relevant, setup: all.setup ?? null };
  const hint = hintFor(request, settled.resolved);
  const refusal = refusalOf(request, settled, template, hint);
  const warnings = warningsOf(relevant, hint);
  if (refusal) warnings.push(`${refusal.message} ${refusal.recoveryHint}`);
  return { request: all, settings, warnings, ...defined({ refusal }) };
}

/** The person's rules for the gates that this template has. */
function rulesFor({ gates }: SettledSettings['allowed'], template: Template): AutoGate[] {
  const named = new Set(template.phases.flatMap((phase) => gatesOf(template, phase)));
  return (gates?.auto ?? []).filter(({ gate }) => named.has(gate));
}

const TEMPLATE = 'template' satisfies ConsentPart;

/** A template that the person names is the person's word. */
function isTemplateNamed({ template, draft }: StartRequest): boolean {
  return template !== undefined || draft !== undefined;
}

/**
 * Another workflow in its place would be nobody's choice, so the run does not start. `template` is the one that it would
 * have: what was allowed may have been an older version.
 */
function refusalOf(
  request: StartRequest,
  { resolved, consents }: SettledSettings,
  template: Template,
  hint: string,
): DevflowError | undefined {
  const subject = isTemplateNamed(request) ? undefined : templateSubject(resolved.merged, template);
  if (subject === undefined) return undefined;
  const state = consents.find(({ part, hash }) => part === TEMPLATE && hash === subject.hash)?.state;
  if (state === 'allowed') return undefined;
  const who = state === 'forbidden' ? 'you forbade' : 'nobody allowed';
  const message = `The run does not start, because ${who} what its template would do: ${subject.lines.join('; ')}.`;
  return new DevflowError('template_not_allowed', message, {
    recoveryHint: `${hint} Or choose a template yourself with --template.`,
  });
}

/** True if the checks of the settings are those of the run. */
function takesVerify(request: StartRequest, { resolved }: SettledSettings, template: Template): boolean {
  const { origins } = resolved.merged;
  const isWanted = addsChecks(origins.get(CHECKS)?.from, isChosen(request.template, template));
  const takes = checksPhase(template);
  return isWanted && takes !== undefined && request.change === undefined && request.extra?.[takes] === undefined;
}

/** A review reads, unless it is given commands. */
function needsSetup({ change, extra }: StartRequest): boolean {
  return change === undefined || Object.keys(extra ?? {}).length > 0;
}

/** Backends of roles that this template has, and for which nobody chose one. */
export function withBackends(
  overrides: Record<string, BindingOverride>,
  backends: SettledSettings['allowed']['backends'] = {},
  { roles }: Template,
): Record<string, BindingOverride> {
  const known = new Set(roles.flatMap((role) => [role.id, ...roleInstances(role)]));
  const all = { ...overrides };
  for (const [role, backend] of Object.entries(backends)) {
    const given = overrides[role] ?? overrides[role.replace(/#\d+$/, '')];
    if (known.has(role) && given?.backend === undefined && given?.persona === undefined)
      all[role] = { ...given, backend };
  }
  return all;
}

/** The command that allows exactly what this start reads. A review reads the settings of the commit that it compares with. */
function hintFor({ change, base }: StartRequest, { baseCommit }: { baseCommit: string }): string {
  const allow = `devflow repository allow${baseOption({ change, base }, { baseCommit })}`;
  return `Allow it with ${allow}${change === undefined ? ', or for one run with --allow-setup' : ''}.`;
}

function baseOption({ change, base }: Pick<StartRequest, 'change' | 'base'>, { baseCommit }: { baseCommit: string }) {
  const from = change === undefined ? base : baseCommit.slice(0, 12);
  return from === undefined ? '' : ` --base ${shellWord(from)}`;
}

function warningsOf(consents: readonly ConsentView[], hint: string): string[] {
  const wall = undecidedWall(consents);
  const missing = consents.filter(({ part, state }) => part !== TEMPLATE && state === 'unknown');
  const lines = missing.filter((each) => each !== wall).flatMap((each) => each.lines);
  return [
    ...(wall ? [`${wallSentence(wall)} ${hint}`] : []),
    ...(lines.length > 0 ? [`The run does without this, because nobody allowed it: ${lines.join('; ')}. ${hint}`] : []),
  ];
}

/** Throws `wrap_undecided`: no agent starts outside of what the person's own file puts around it. */
export function refuseUndecidedWall(
  request: StartRequest,
  { baseCommit, notes }: { baseCommit: string; notes: { settings?: StartSettings } },
): void {
  const wall = undecidedWall(notes.settings?.consents ?? []);
  if (wall === undefined) return;
  const forbid = `To start without it, run devflow repository forbid --only wrap${baseOption(request, { baseCommit })}.`;
  const recoveryHint = `${hintFor(request, { baseCommit })} ${forbid}`;
  throw new DevflowError('wrap_undecided', wallSentence(wall), { recoveryHint });
}

function wallSentence({ lines }: ConsentView): string {
  return `No run starts in this repository before you decide about this: ${lines.join('; ')}.`;
}

/** The template that the settings name. An error names the place. */
export async function templateOf(
  ref: string,
  { origins }: Pick<MergedSettings, 'origins'>,
  definitions: Pick<Definitions, 'getTemplate'>,
): ReturnType<Definitions['getTemplate']> {
  try {
    return await definitions.getTemplate(ref);
  } catch (error) {
    if (!(error instanceof DevflowError) || error.code !== 'template_not_found') throw error;
    throw namedIn(origins.get('template'), error);
  }
}

/** Throws that nothing names a template. */
export function noTemplate(): DevflowError {
  return new DevflowError('usage', 'Nothing says which template the run has.', {
    recoveryHint: 'Name one with --template; devflow template list shows all.',
  });
}
