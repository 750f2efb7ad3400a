import type { Registry } from '../../../schemas/definitions/registry.ts';
import { isReviewTemplate, type Template, type TemplatePhase } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import type { ChangeRequest } from '../../../schemas/rpc/views/start.ts';
import { nearest } from '../../../schemas/text/nearest.ts';
import { checkPolicy } from '../../policy/policy.ts';
import { checkObjective, commandOfObjective } from './checkObjective.ts';

interface Inputs {
  base?: string;
  change?: ChangeRequest;
  extra?: Record<string, unknown>;
  objective?: unknown;
}

/**
 * Refuses inputs that the template ignores and commands that the policy blocks. A person learns of a mistake before the
 * work starts.
 */
export function checkInputs(
  template: Template,
  { extra = {}, objective, base, change }: Inputs,
  registry: Pick<Registry, 'validateArtifact'>,
): void {
  checkChange(template, { base, change });
  checkObjective(template, objective, registry);
  checkExtra(template, extra, objective);
}

/** The commands of a phase: what the objective has measured, or first the template's, then those given at start. */
export function commandsGiven(
  { key, kind, commands }: TemplatePhase,
  extra: Inputs['extra'] = {},
  objective?: unknown,
): string[][] {
  const { commands: takes } = KIND_DEFINITIONS[kind];
  const measured = takes === 'measures' ? commandOfObjective(objective) : undefined;
  if (measured) return [measured];
  const given = takes === 'none' ? undefined : extra[key];
  return [...commands.map((command) => command.argv), ...(isArgvLists(given) ? given : [])];
}

function checkChange(template: Template, { base, change }: Pick<Inputs, 'base' | 'change'>): void {
  const refuse = (message: string, recoveryHint: string) => new DevflowError('usage', message, { recoveryHint });
  if (isReviewTemplate(template)) {
    const only = `${nameOf(template)} only reviews, so it needs a change to review.`;
    if (!change) throw refuse(only, 'Use devflow review, or give run.start the param change.');
    if (base === undefined) return;
    throw refuse('The base of a review belongs to its change.', 'Give run.start change.base instead of base.');
  }
  if (!change) return;
  throw refuse(
    `${nameOf(template)} makes a change itself, so it takes no change to review.`,
    'Choose a template whose phases are all of kind review, such as review@1.',
  );
}

/** Refuses commands that the template does not take, and those that the policy blocks. */
export function checkExtra(template: Template, extra: Record<string, unknown>, objective: unknown): void {
  const measuring = measuringPhase(template, objective);
  const takes = template.phases
    .filter(
      (phase) => KIND_DEFINITIONS[phase.kind].commands === 'own' || phase === measuring || isReviewTemplate(template),
    )
    .map(({ key }) => key);
  if (measuring && commandsGiven(measuring, extra).length !== 1) {
    throw new DevflowError('usage', `Nothing says how ${nameOf(template)} measures.`, {
      recoveryHint: `Name the command as measure.argv of the objective, or one as extra.${measuring.key}.`,
    });
  }
  for (const [key, value] of Object.entries(extra)) {
    if (!takes.includes(key)) throw unknownInput(template, key, takes);
    if (isArgvLists(value)) continue;
    throw new DevflowError(
      'usage',
      `extra.${key} must be a list of commands, each a list of words: [["npm","test"]].`,
      {
        recoveryHint: 'Fix the file given as --extra.',
      },
    );
  }
  for (const phase of template.phases) {
    for (const argv of commandsGiven(phase, extra, objective)) assertPhaseCommand(phase, argv);
  }
}

/**
 * The phase that takes the measuring command at the start. Undefined if the objective names the command, or nothing is
 * measured.
 */
function measuringPhase({ phases, iterate }: Template, objective: unknown): TemplatePhase | undefined {
  if (commandOfObjective(objective)) return undefined;
  return phases.find(
    ({ key, kind }) => KIND_DEFINITIONS[kind].commands === 'measures' && iterate?.phases.includes(key),
  );
}

function unknownInput(template: Template, key: string, takes: readonly string[]): DevflowError {
  const what = key === 'verify' ? '--verify (extra.verify)' : `extra.${key}`;
  const taken = takes.length === 0 ? 'no commands at start' : `only ${takes.map((each) => `extra.${each}`).join(', ')}`;
  const near = nearest(key, takes);
  return new DevflowError('usage', `${nameOf(template)} does not take ${what}: it takes ${taken}.`, {
    recoveryHint: near === undefined ? `Leave ${what} out, or choose another template.` : `Did you mean extra.${near}?`,
    data: { input: key, takes },
  });
}

function assertPhaseCommand(phase: TemplatePhase, argv: string[]): void {
  const { allowed, rule, reason } = checkPolicy(argv);
  if (allowed) return;
  const code = rule === 'secret_access' ? 'secret_access_blocked' : 'destructive_command_blocked';
  const message = `Phase ${phase.key} would run "${argv.join(' ')}", which is blocked by policy: ${reason}.`;
  throw new DevflowError(code, message, { data: { rule, argv, phase: phase.key } });
}

function nameOf({ name, version }: Template): string {
  return `Template ${name}@${version}`;
}

function isArgvLists(value: unknown): value is string[][] {
  const isArgv = (argv: unknown) =>
    Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === 'string');
  return Array.isArray(value) && value.every(isArgv);
}
