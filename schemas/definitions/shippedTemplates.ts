import { compareText } from '../text/compareText.ts';

/** A sentence on each shipped template, whose files never change. In the order in which a newcomer should read them. */
export const SHIPPED_TEMPLATES: Readonly<Record<string, string>> = {
  'quick-change@2': 'A small change: one agent makes it, another one reviews it.',
  'quick-change@1': 'A small change: one agent makes it, and you look at the diff.',
  'direct@1': 'An agent that you lead yourself, in a worktree of its own.',
  'development@2': 'A specification, a plan of tasks, agents side by side, tests and a review.',
  'development@1': 'A specification, a plan, the code and its tests, with your approval after each.',
  'parallel-development@1': 'A specification and a graph of tasks that several agents do at the same time.',
  'review@1': 'A review of a change that exists already; nobody fixes what it finds.',
  'backtest-strategy@1': 'Improves what a command measures until the measurements meet an objective.',
  'pipeline@1': 'A brief, research, a plan, its execution and a review, handed over as checked documents.',
  'dev-cycle@1': 'Requirements, a plan, code and tests, again until all tests pass or you are content.',
  'template-factory@2': 'Writes a template for a repository and proves it before you approve it.',
  'template-factory@1': 'Writes a template for a repository; an older version of the factory.',
  'autodev-existing-code@1': 'A feature in existing code, by the steps of the autodev flow existing-code.',
  'autodev-greenfield@1': 'New software from a problem, by the steps of the autodev flow greenfield.',
  'autodev-meta-repo@1': 'The care of a repository of repositories, by the autodev flow meta-repo.',
};

interface Listed {
  name: string;
  version: number;
  /** Null if no run has used it; an older daemon does not say. */
  lastUsedAt?: string | null | undefined;
}

const PLACES = new Map(Object.keys(SHIPPED_TEMPLATES).map((ref, nth) => [ref, nth]));

/** The template that was used last comes first, then your own, then the shipped ones. */
export function byLastUse<T extends Listed>(templates: readonly T[]): T[] {
  const used = ({ lastUsedAt }: T) => lastUsedAt ?? '';
  const place = ({ name, version }: T) => PLACES.get(`${name}@${version}`) ?? -1;
  return templates.toSorted((a, b) => {
    if (used(a) !== used(b)) return used(a) < used(b) ? 1 : -1;
    return place(a) - place(b) || compareText(a.name, b.name) || b.version - a.version;
  });
}

/** A sentence on a template: its own, devflow's own, or its phases. */
export function aboutTemplate({
  name,
  version,
  description,
  phases,
}: {
  name: string;
  version: number;
  description?: string | undefined;
  phases: readonly { title: string }[];
}): string {
  const shipped = SHIPPED_TEMPLATES[`${name}@${version}`];
  return description ?? shipped ?? `${phases.map(({ title }) => title).join(', ')}.`;
}
