import type { EventView } from '../../schemas/rpc/views/run.ts';
import { type Bench, createSheet } from './figure.ts';
import { makeRepository, PHASES, phaseMs, writeTemplates } from './phases.ts';
import { withPlace } from './place.ts';
import { playRun, timeOf } from './playRun.ts';
import { independentTasks, playTasks, taskChain, writeLaneTemplates } from './playTasks.ts';

const TASKS = PHASES;
const STEPS = {
  'session.ready': 'agent ready',
  'artifact.validated': 'artifact validated',
  'task.completed': 'commit',
};

/** The cost of devflow itself per task, beside that of a phase that does the same. */
export const tasks: Bench = {
  name: 'tasks',
  title: 'A task in a lane beside a phase',
  reading:
    'Ten tasks, one after the other, beside the ten phases with a commit of the section above. The fake agent has a ' +
    'delay of 0, so what remains is devflow. In one run each task depends on the one before, so they share a lane and ' +
    'its agent, as phases do. In the other run the tasks are independent and `lanes.max` is 1. Each of them gets a ' +
    'worktree, a branch and an agent, and lands through the merge queue. The first task is not counted. Ratios are ' +
    'taken within a round.',
  run: ({ rounds = 5 }) =>
    withPlace(
      async (place) => {
        writeTemplates(place);
        writeLaneTemplates(place, 1);
        const repo = makeRepository(place);
        await place.devflow('up');
        const client = await place.connect();
        const sheet = createSheet();
        for (let round = -1; round < rounds; round += 1) {
          const ofPhases = await playRun(place, client, { repo, template: 'bench-write', backend: { worker: 'fake' } });
          const chain = await playTasks(place, client, { repo, lanes: 1, tasks: taskChain(TASKS) });
          const own = await playTasks(place, client, { repo, lanes: 1, tasks: independentTasks(TASKS) });
          if (round < 0) continue;
          const ms = {
            phase: phaseMs(ofPhases),
            chain: taskMs(chain, 'task.completed'),
            own: taskMs(own, 'lane.landed'),
          };
          for (const [name, value] of Object.entries(ms)) sheet.add(name, value);
          sheet.add('chain ratio', ms.chain / ms.phase);
          sheet.add('own ratio', ms.own / ms.phase);
          for (const [type, step] of Object.entries(STEPS)) sheet.add(step, untilMs(own, type));
        }
        client.close();
        return [
          { name: 'a phase that ends with a commit', unit: 'ms', rounds: sheet.of('phase') },
          { name: 'a task that continues a lane', unit: 'ms', rounds: sheet.of('chain') },
          { name: '  beside the phase', unit: '×', rounds: sheet.of('chain ratio') },
          { name: 'a task with a lane of its own, until it landed', unit: 'ms', rounds: sheet.of('own') },
          { name: '  beside the phase, with its own lane', unit: '×', rounds: sheet.of('own ratio') },
          ...Object.values(STEPS).map((step) => ({
            name: `  of it until ${step}`,
            unit: 'ms' as const,
            rounds: sheet.of(step),
          })),
        ];
      },
      { DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0', DEVFLOW_FAKE_DELAY_MS: '0', DEVFLOW_LOG_LEVEL: 'info' },
    ),
};

/** From the start of the second task to the end of the last, divided by their number. */
function taskMs(events: readonly EventView[], end: 'task.completed' | 'lane.landed'): number {
  const [, ...counted] = startsOf(events);
  const last = events.findLast(({ type }) => type === end);
  return (timeOf(last) - timeOf(counted[0])) / counted.length;
}

/** The mean time from the start of a task to the next event of the type. Each task has a lane of its own. */
function untilMs(events: readonly EventView[], type: string): number {
  const [, ...counted] = startsOf(events);
  const took = counted.map((start) => {
    const step = events.find((event) => event.seq > start.seq && event.type === type);
    return timeOf(step) - timeOf(start);
  });
  return took.reduce((sum, ms) => sum + ms, 0) / took.length;
}

function startsOf(events: readonly EventView[]): EventView[] {
  const starts = events.filter(({ type }) => type === 'task.started');
  if (starts.length !== TASKS) throw new Error(`${starts.length} tasks were started`);
  return starts;
}
