import { expect, test } from 'vitest';
import {
  BEGINNING,
  type Command,
  type Ending,
  isComplete,
  landed,
  moved,
  type Planned,
  type PlanState,
  type View,
} from '../../../../daemon/engine/temporal/plan.ts';
import { type HistoryEvent, listHistories, readHistory, valuesOf } from './support/recordedHistory.ts';

type Input = { view: View } | { flight: number; ending: Ending };

const attributesOf = (event: HistoryEvent): Record<string, unknown> => {
  const name = Object.keys(event).find((each) => each.endsWith('EventAttributes'));
  return (name && event[name as `${string}EventAttributes`]) || {};
};
const typeOf = ({ eventType }: HistoryEvent) => eventType.replace('EVENT_TYPE_', '');

/** Replays a history against the plan: what each workflow task must command, and what it commanded when it was recorded. */
function replayed(events: readonly HistoryEvent[]): { expected: string[][]; recorded: string[][] } {
  let state: PlanState = BEGINNING;
  let inputs: Input[] = [];
  let startedAt = 0;
  /** The flights by the event that began them. */
  const flights = new Map<string, number>();
  const expected: string[][] = [];
  const recorded: string[][] = [];
  /** Flights that the present workflow task began, in order. */
  let begun: number[] = [];

  function take({ state: next, commands }: Planned): string[] {
    state = next;
    begun.push(...commands.flatMap((command) => (command.do === 'cancel' ? [] : [command.id])));
    return commands.map(wordsOf);
  }

  /** Signals come before everything else, as in the SDK. */
  function runTask(): void {
    const hasEnded = new Set(inputs.flatMap((input) => ('flight' in input ? [`cancel ${input.flight}`] : [])));
    const isSignal = (input: Input) => 'view' in input;
    const ordered = [...inputs.filter(isSignal), ...inputs.filter((input) => !isSignal(input))];
    inputs = [];
    begun = [];
    const known = (flight: number) => state.flights.some(({ id }) => id === flight);
    const commands = ordered.flatMap((input) => {
      if ('view' in input) return take(moved(state, input.view, startedAt));
      return known(input.flight) ? take(landed(state, input.flight, input.ending, startedAt)) : [];
    });
    // The SDK cancels nothing that has ended, and says what it cancels after what it begins.
    const cancels = commands.filter((words) => words.startsWith('cancel ') && !hasEnded.has(words));
    const begins = commands.filter((words) => !words.startsWith('cancel '));
    expected.push([...begins, ...cancels, ...(isComplete(state) ? ['complete'] : [])]);
    recorded.push([]);
  }

  function began(event: HistoryEvent, words: string): void {
    flights.set(event.eventId, begun.shift() ?? Number.NaN);
    recorded.at(-1)?.push(words);
  }

  function ended(event: unknown, ending: Ending): void {
    const flight = flights.get(String(event));
    if (flight !== undefined) inputs.push({ flight, ending });
  }

  for (const event of events) {
    const facts = attributesOf(event);
    switch (typeOf(event)) {
      case 'WORKFLOW_EXECUTION_SIGNALED':
        inputs.push({ view: valuesOf(facts.input)[0] as View });
        break;
      case 'WORKFLOW_TASK_STARTED':
        startedAt = Date.parse(event.eventTime);
        break;
      case 'WORKFLOW_TASK_COMPLETED':
        runTask();
        break;
      case 'ACTIVITY_TASK_SCHEDULED': {
        const { activityType, taskQueue, input } = facts as Record<string, { name: string }>;
        began(event, [activityType?.name, ...valuesOf(input).slice(1), taskQueue?.name].join(' '));
        break;
      }
      case 'TIMER_STARTED':
        began(event, `timer ${Math.round(Number.parseFloat(String(facts.startToFireTimeout)) * 1000)}`);
        break;
      case 'ACTIVITY_TASK_CANCEL_REQUESTED':
        recorded.at(-1)?.push(`cancel ${flights.get(String(facts.scheduledEventId))}`);
        break;
      case 'TIMER_CANCELED':
        recorded.at(-1)?.push(`cancel ${flights.get(String(facts.startedEventId))}`);
        break;
      case 'ACTIVITY_TASK_COMPLETED':
        ended(facts.scheduledEventId, { view: valuesOf(facts.result)[0] as View });
        break;
      case 'TIMER_FIRED':
        ended(facts.startedEventId, { cause: 'fired' });
        break;
      case 'WORKFLOW_EXECUTION_COMPLETED':
        recorded.at(-1)?.push('complete');
        break;
      default:
    }
  }
  return { expected, recorded };
}

function wordsOf(command: Command): string {
  switch (command.do) {
    case 'perform':
      return [command.type, command.key, command.seq, command.queue].join(' ');
    case 'timer':
      return `timer ${command.ms}`;
    case 'cancel':
      return `cancel ${command.id}`;
    default:
      return [command.do, command.key].join(' ');
  }
}

test.each(listHistories())('%s: the plan commands what was recorded', (name) => {
  const { expected, recorded } = replayed(readHistory(name));
  expect(recorded.flat().length).toBeGreaterThan(10);
  expect(expected).toEqual(recorded);
});

type Task = { views?: View[]; result?: { of: number; view: View }; begins?: [string, number][]; cancels?: number[] };

/** A history, given what reached each workflow task and what it commanded. Flights count from 1. */
function historyOf(tasks: readonly Task[]): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  const scheduled: string[] = [];
  const payloads = (...values: unknown[]) => ({
    payloads: values.map((value) => ({ data: Buffer.from(JSON.stringify(value)).toString('base64') })),
  });
  const add = (type: string, attributes = {}) => {
    const eventId = String(events.length + 1);
    events.push({ eventId, eventTime: AT, eventType: type, someEventAttributes: attributes });
    return eventId;
  };
  for (const { views = [], result, begins = [], cancels = [] } of tasks) {
    for (const view of views) add('WORKFLOW_EXECUTION_SIGNALED', { input: payloads(view) });
    if (result)
      add('ACTIVITY_TASK_COMPLETED', { scheduledEventId: scheduled[result.of - 1], result: payloads(result.view) });
    add('WORKFLOW_TASK_STARTED');
    add('WORKFLOW_TASK_COMPLETED');
    for (const [key, seq] of begins) {
      const facts = { activityType: { name: 'x' }, taskQueue: { name: 'q' }, input: payloads('run', key, seq) };
      scheduled.push(add('ACTIVITY_TASK_SCHEDULED', facts));
    }
    for (const flight of cancels) add('ACTIVITY_TASK_CANCEL_REQUESTED', { scheduledEventId: scheduled[flight - 1] });
  }
  return events;
}

const AT = '2026-01-01T00:00:00.000Z';
/** As the first versions made it. */
const viewBefore = (seq: number, keys: string[], life?: number): View => ({
  ...{ seq, ended: false, queue: 'q', wanted: keys.map((key) => ({ key, type: 'x' })) },
  ...(life === undefined ? {} : { life }),
});

test.each<[string, Task[]]>([
  [
    'a new daemon on a restored backup',
    [{ views: [viewBefore(20, ['z'], 1)], begins: [['z', 20]] }, { views: [viewBefore(11, ['a'], 2)] }],
  ],
  [
    'a decision of another host that came before the first view of a new daemon',
    [
      { views: [viewBefore(20, ['z'], 1)], begins: [['z', 20]] },
      { views: [viewBefore(21, ['z'])] },
      { views: [viewBefore(20, ['z', 'b'], 2)] },
    ],
  ],
  [
    'a newer view of a former daemon',
    [
      { views: [viewBefore(20, ['z'], 2)], begins: [['z', 20]] },
      { views: [viewBefore(21, ['y'], 1)], begins: [['y', 21]], cancels: [1] },
    ],
  ],
  [
    'an attempt that found less than was known when it began',
    [
      { views: [viewBefore(20, ['z'], 1)], begins: [['z', 20]] },
      { result: { of: 1, view: viewBefore(11, ['a'], 1) }, begins: [['z', 20]] },
      { result: { of: 2, view: viewBefore(11, ['a'], 2) }, begins: [['z', 20]] },
    ],
  ],
])('%s: a history of an older version goes on as it began', (_, tasks) => {
  const { expected, recorded } = replayed(historyOf(tasks));
  expect(expected).toEqual(recorded);
});

test('finds a plan that would command something else', () => {
  const [name = ''] = listHistories();
  const changed = readHistory(name).filter(({ eventType }, at, all) => {
    const isSignal = (type: string) => type.endsWith('_SIGNALED');
    return !isSignal(eventType) || at === all.findIndex((event) => isSignal(event.eventType));
  });
  const { expected, recorded } = replayed(changed);
  expect(expected).not.toEqual(recorded);
});
