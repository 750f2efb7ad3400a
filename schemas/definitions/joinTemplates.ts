import { defined } from '../defined.ts';
import { KIND_DEFINITIONS } from '../kinds/index.ts';
import { gatesOf, Template, type TemplateRole } from './template.ts';

/** The template of a run in which the phases of `next` follow those of `first`. It has the name of the newer one. Pure. */
export function joinTemplates(first: Template, next: Template): Template {
  const { name, version, description, iterate } = next;
  const own = first.roles.map((role) => bothRoles(role, next));
  const added = next.roles.filter(({ id }) => !first.roles.some((role) => role.id === id));
  return {
    name,
    version,
    ...defined({ description, iterate }),
    roles: [...own, ...added],
    phases: [...withGates(first), ...withGates(next)],
    // Each phase has its gates written out: the defaults of one template are not those of the other.
    defaultGates: [],
  };
}

function bothRoles(role: TemplateRole, { roles }: Template): TemplateRole {
  const again = roles.find(({ id }) => id === role.id);
  if (!again) return role;
  return { ...role, requiredCapabilities: [...new Set([...role.requiredCapabilities, ...again.requiredCapabilities])] };
}

function withGates(template: Template): Template['phases'] {
  return template.phases.map((phase) => ({ ...phase, gates: gatesOf(template, phase) }));
}

/** Why `next` cannot follow `first`, as a sentence; undefined if it can. */
export function whyNotJoined(first: Template, next: Template): string | undefined {
  const name = `${next.name}@${next.version}`;
  const [step] = next.phases.filter(({ kind }) => KIND_DEFINITIONS[kind].isOwnWork);
  const measured = next.phases.find(({ kind }) => KIND_DEFINITIONS[kind].commands === 'measures');
  const clash = next.phases.find(({ key }) => first.phases.some((phase) => phase.key === key));
  const other = next.roles.find(({ id, count }) => first.roles.some((role) => role.id === id && role.count !== count));
  if (next.exchange || next.flow) return `${name} keeps a contract from its beginning on.`;
  if (first.exchange || first.flow) return 'The run keeps a contract, which no other template can go on with.';
  if (step) return `Phase ${step.key} of ${name} needs a run of its own.`;
  if (measured) return `Phase ${measured.key} of ${name} needs an objective.`;
  if (clash) return `${name} has a phase ${clash.key}, and so has the run.`;
  if (other) return `Role ${other.id} of ${name} has another number of agents than in the run.`;
  const checked = Template.safeParse(joinTemplates(first, next));
  return checked.success ? undefined : `${name} cannot follow here: ${checked.error.issues[0]?.message}.`;
}
