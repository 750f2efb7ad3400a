import type { EXAMPLE_KINDS } from '../../names.ts';
import { PHASES, ROLES } from './templateParts.ts';

export type ExampleKind = (typeof EXAMPLE_KINDS)[number];

interface Parts {
  about: string;
  settings?: string;
  roles: readonly (keyof typeof ROLES)[];
  phases: readonly (keyof typeof PHASES)[];
}

const EXAMPLES: Readonly<Record<ExampleKind, Parts>> = {
  quick: {
    about: 'One agent makes a change, and a person looks at it.',
    roles: ['implementer'],
    phases: ['implement', 'verify'],
  },
  plan: {
    about: 'An agent plans, a person approves the plan, and another agent carries it out.',
    roles: ['planner', 'implementer'],
    phases: ['plan', 'implementPlan', 'verify'],
  },
  lanes: {
    about: 'An agent cuts the change into tasks, and several agents do them at the same time.',
    roles: ['planner', 'implementer', 'resolver'],
    phases: ['graph', 'lanes', 'verify'],
  },
  review: {
    about: 'One agent makes a change; others look for defects, and it fixes them.',
    roles: ['implementer', 'reviewer', 'verifier'],
    phases: ['implement', 'review', 'verify'],
  },
  loop: {
    about: 'An agent improves the code until a measurement meets the objective of the run.',
    settings: `# These phases begin again until the objective is met. It also says how often.
iterate: { phases: [improve, measure], until: objective-met }
`,
    roles: ['implementer'],
    phases: ['baseline', 'improve', 'measure', 'verify'],
  },
};

/** A commented template that lint has nothing to say about. */
export function exampleTemplate(name: string, kind: ExampleKind, version = 1): string {
  const { about, settings = '', roles, phases } = EXAMPLES[kind];
  return `# Check it: devflow template lint ${name}. A published version never changes: a change is a new version in a new file.
name: ${name}
version: ${version}
# What lists say about it.
description: ${about}
${settings}roles:
${roles.map((role) => ROLES[role]).join('')}phases:
${phases.map((phase) => PHASES[phase]).join('\n')}`;
}
