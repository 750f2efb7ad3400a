import type { Field } from '../../document/fields.ts';

/** Where a project is. The slash at the end may be missing. */
const PROJECT_DIR = /^\.claude\/projects\/\d{4}-\d{2}-\d{2}-[a-z0-9]+(-[a-z0-9]+)*\/?$/;

/** Fields of a brief, which a review repeats. */
export const TASK_FIELDS: readonly Field[] = [
  { name: 'task', kind: 'line', isRequired: true, about: 'The task, in one line.' },
  {
    name: 'slug',
    kind: 'slug',
    isRequired: true,
    about: 'The short name of the task, in the name of the project directory.',
  },
  {
    name: 'project_dir',
    kind: 'line',
    isRequired: true,
    pattern: PROJECT_DIR,
    about: 'The project directory: .claude/projects/{date}-{slug}/.',
  },
];

/** The id of a finding of a review. */
export const FINDING_ID = /^[0-9a-f]{40}$/;
