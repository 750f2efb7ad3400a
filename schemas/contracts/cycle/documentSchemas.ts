import type { DocumentSchema } from '../document/jsonSchema.ts';
import { CYCLE_FIELDS } from './check/checkCycle.ts';
import { optional } from './check/objects.ts';
import type { CycleEventType } from './evolve/cycleEvent.ts';
import { EVENT_FIELDS } from './evolve/readEvent.ts';
import { CYCLE_CONTRACT } from './state/cyclePaths.ts';

/** The state of a cycle and the artifacts of its agents. Each artifact is an event without its type and agent. */
export const CYCLE_SCHEMAS: readonly DocumentSchema[] = [
  {
    id: CYCLE_CONTRACT,
    title: 'Cycle state',
    about: 'The state of a parallel development cycle: .workflow/.cycle/{cycleId}.json. Only devflow writes it.',
    fields: CYCLE_FIELDS,
  },
  {
    id: 'cycle/requirements@1',
    title: 'Requirements of a cycle',
    about: 'What is to be built in this iteration. Written by the requirements analyst.',
    fields: deliveredIn('requirements.updated'),
    isClosed: true,
  },
  {
    id: 'cycle/plan@1',
    title: 'Plan of a cycle',
    about: 'The tasks of this iteration, and what was found in the code. Written by the exploration planner.',
    fields: [
      ...deliveredIn('plan.updated'),
      optional('exploration', 'map', {
        holds: { fields: deliveredIn('exploration.updated') },
        about: 'What the planner found in the code.',
      }),
    ],
    isClosed: true,
  },
  {
    id: 'cycle/changes@1',
    title: 'Changes of a cycle',
    about: 'What was changed in this iteration. Written by the code developer. devflow takes the files from git.',
    fields: deliveredIn('changes.appended'),
    isClosed: true,
  },
  {
    id: 'cycle/test-results@1',
    title: 'Test results of a cycle',
    about: 'How the tests of this iteration ended. Written by the validation archivist.',
    fields: deliveredIn('tests.recorded'),
    isClosed: true,
  },
];

function deliveredIn(event: CycleEventType) {
  return EVENT_FIELDS[event].filter(({ name }) => name !== 'agent');
}
