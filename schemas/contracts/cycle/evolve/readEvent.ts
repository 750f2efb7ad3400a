import { DevflowError } from '../../../errors.ts';
import { shorten } from '../../../text/phrases.ts';
import { checkFields, type Field, isMap } from '../../document/fields.ts';
import { notAnObject } from '../../document/json.ts';
import { CHANGE } from '../check/checkChanges.ts';
import { TASK } from '../check/checkPlan.ts';
import { optional, required } from '../check/objects.ts';
import { AGENTS, FEEDBACK_TYPES } from '../state/cycleState.ts';
import { DEEPEST_PART } from '../state/readState.ts';
import type { CycleEvent, CycleEventType } from './cycleEvent.ts';

const WRITTEN = [optional('agent', 'text', { values: AGENTS })];
const AGENT_NEWS = [
  required('agent', 'text', { values: AGENTS }),
  optional('message', 'text'),
  optional('output_files', 'texts'),
  optional('files_modified', 'whole', { least: 0 }),
  optional('error', 'text'),
];
const ID = required('id', 'text', { isFilled: true });

/** A task and a change as an agent gives them: the cycle adds the rest. */
const GIVEN_TASK = withOptional(TASK, ['depends_on', 'status', 'files']);
const GIVEN_CHANGE = withOptional(CHANGE, ['timestamp', 'description']).filter(
  ({ name }) => name !== 'iteration' && name !== 'agent',
);

/** The fields of each event. The rest is checked where each part of the state is made. */
export const EVENT_FIELDS: Readonly<Record<CycleEventType, readonly Field[]>> = {
  'iteration.started': WRITTEN,
  'iteration.completed': [...WRITTEN, optional('issues_found', 'texts'), optional('resolved', 'boolean')],
  'agent.started': AGENT_NEWS,
  'agent.waiting': AGENT_NEWS,
  'agent.completed': AGENT_NEWS,
  'agent.failed': [...AGENT_NEWS.slice(0, -1), required('error', 'text')],
  'requirements.updated': [
    ...WRITTEN,
    required('specification', 'text', { about: 'The requirements, as Markdown.' }),
    optional('edge_cases', 'texts', { about: 'Cases that are easy to forget, one in each text.' }),
  ],
  'exploration.updated': [
    ...WRITTEN,
    required('architecture_summary', 'text', { about: 'How the code is built, as far as the task needs it.' }),
    optional('integration_points', 'texts', { about: 'Where the change meets the rest.' }),
    optional('identified_risks', 'texts', { about: 'What may go wrong.' }),
  ],
  'plan.updated': [
    ...WRITTEN,
    required('tasks', 'list', {
      holds: { fields: GIVEN_TASK },
      about: 'The tasks, such as TASK-001. None may wait for itself.',
    }),
    required('total_estimated_effort', 'text', { about: 'How much work all tasks are, in words.' }),
    optional('critical_path', 'texts', { about: 'The ids of the tasks that decide how long it takes.' }),
  ],
  'changes.appended': [
    ...WRITTEN,
    required('changes', 'list', { holds: { fields: GIVEN_CHANGE }, about: 'Each file that was changed, and how.' }),
  ],
  'tests.recorded': [
    ...WRITTEN,
    required('pass_rate', 'number', { about: 'How many percent of the tests pass: 0 to 100.' }),
    required('coverage', 'number', { about: 'How many percent of the code the tests run: 0 to 100.' }),
    optional('failed_tests', 'texts', { about: 'The names of the tests that fail.' }),
    required('total_tests', 'number', { about: 'How many tests there are.' }),
  ],
  'feedback.logged': [
    ...WRITTEN,
    required('source', 'text'),
    required('target', 'text'),
    required('content', 'text'),
    required('feedback', 'text', { values: FEEDBACK_TYPES }),
  ],
  'decision.opened': [...WRITTEN, ID, required('description', 'text'), required('options', 'texts')],
  'decision.made': [...WRITTEN, ID, required('option', 'text'), required('by', 'text')],
  'blocker.opened': [...WRITTEN, ID, required('description', 'text'), required('by', 'text')],
  'blocker.resolved': [...WRITTEN, ID, required('resolution', 'text'), optional('workaround', 'boolean')],
};

/** An event as somebody wrote it. Refuses one that is not known, or lacks something, or has too much. */
export function readEvent(value: unknown): CycleEvent {
  if (!isMap(value)) throw wrong(`The event is ${notAnObject(value)}.`);
  if (isDeep(value, DEEPEST_PART)) throw wrong(`The event is nested more than ${DEEPEST_PART} levels deep.`);
  const type = Object.hasOwn(value, 'type') ? value.type : undefined;
  if (typeof type !== 'string') throw wrong('The event has no type.');
  if (!Object.hasOwn(EVENT_FIELDS, type)) throw wrong(`There is no event “${shorten(type)}”.`);
  const fields = EVENT_FIELDS[type as CycleEventType];
  const known = ['type', ...fields.map(({ name }) => name)];
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(`${type} has no field “${shorten(unknown)}”.`);
  const [fault] = checkFields(fields, value);
  if (fault) throw wrong(`${type}: ${fault.message}`);
  return value as unknown as CycleEvent;
}

function withOptional(fields: readonly Field[], names: readonly string[]): Field[] {
  return fields.map((field) => (names.includes(field.name) ? { ...field, isRequired: false } : field));
}

/** It looks no deeper than it must. */
function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((each) => isDeep(each, left - 1));
}

function wrong(message: string): DevflowError {
  const recoveryHint = `The events are ${Object.keys(EVENT_FIELDS).join(', ')}.`;
  return new DevflowError('usage', message, { recoveryHint });
}
