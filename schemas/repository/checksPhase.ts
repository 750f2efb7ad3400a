import { isLedTemplate, type Template } from '../definitions/template.ts';
import { KIND_DEFINITIONS } from '../kinds/index.ts';
import { CHECKS, checksKey } from './checks.ts';

/** The phase of a template that takes the checks of the repository; undefined: none does. */
export function checksPhase({ phases }: Pick<Template, 'phases'>): string | undefined {
  return checksKey(phases.filter(({ kind }) => KIND_DEFINITIONS[kind].commands === 'own').map(({ key }) => key));
}

/** The commands given at start. Those of `--verify` go to the phase that takes them. */
export function withChecks(
  extra: Record<string, unknown> | undefined,
  template: Pick<Template, 'phases'>,
): Record<string, unknown> | undefined {
  const key = checksPhase(template);
  if (extra?.[CHECKS] === undefined || key === undefined || key === CHECKS || extra[key] !== undefined) return extra;
  const { [CHECKS]: checks, ...others } = extra;
  return { ...others, [key]: checks };
}

/** Nobody chooses the template of an agent that they lead: it is what `devflow start` has. */
export function isChosen(name: string | undefined, template: Pick<Template, 'phases'>): boolean {
  return name !== undefined && !isLedTemplate(template);
}
