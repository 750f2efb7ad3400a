import { type Field, KEBAB_CASE } from '../document/fields.ts';
import type { DocumentSchema } from '../document/jsonSchema.ts';
import { FLOW_NAMES, POINTER_CONTRACT, STATUSES } from './pointer.ts';

const SUB_STEP_FIELDS: readonly Field[] = [
  { name: 'phase', kind: 'whole', isRequired: true, least: 0, about: '0 if the skill has not begun.' },
  { name: 'name', kind: 'text', isRequired: true, pattern: KEBAB_CASE, about: 'What the skill calls the phase.' },
  { name: 'detail', kind: 'text', isRequired: false, about: 'Anything else. May be empty.' },
];

/** The current step. Its check has words of its own, because the file is neither frontmatter nor JSON. */
const POINTER_FIELDS: readonly Field[] = [
  { name: 'flow', kind: 'line', isRequired: true, values: FLOW_NAMES, about: 'The flow of the project.' },
  { name: 'step', kind: 'whole', isRequired: true, least: 1, orText: 'done', about: 'The number of the step.' },
  { name: 'name', kind: 'line', isRequired: true, about: 'The name of the step, as the flow has it.' },
  { name: 'status', kind: 'line', isRequired: true, values: STATUSES, about: 'Where the step stands.' },
  {
    name: 'sub_step',
    kind: 'map',
    isRequired: true,
    holds: { fields: SUB_STEP_FIELDS },
    about: 'The phase inside the step.',
  },
  { name: 'retry_count', kind: 'whole', isRequired: true, least: 0, about: 'How often the step was tried again.' },
  { name: 'cycle', kind: 'whole', isRequired: true, least: 1, about: 'How often the flow has begun.' },
];

export const AUTODEV_SCHEMAS: readonly DocumentSchema[] = [
  {
    id: POINTER_CONTRACT,
    title: 'Autodev pointer',
    about: 'The fields below ## Current Step in _docs/_autodev_state.md: where the work of a repository stands.',
    fields: POINTER_FIELDS,
  },
];
