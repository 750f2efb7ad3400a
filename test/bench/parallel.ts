import { type Bench, createSheet } from './figure.ts';
import { makeRepository } from './phases.ts';
import { withPlace } from './place.ts';
import { timeOf } from './playRun.ts';
import { independentTasks, playTasks, writeLaneTemplates } from './playTasks.ts';

const TASKS = 8;
const DELAY_MS = 2_000;
const AGENTS = [4, 1] as const;

/** What several agents save. */
export const parallel: Bench = {
  name: 'parallel',
  title: 'Eight tasks with four agents and with one',
  reading:
    'Eight independent tasks without checks. The fake agent takes exactly 2 s for each. `lanes.max` of the template ' +
    'says how many agents work at the same time. The time is from `phase.started` of the tasks to its ' +
    '`phase.completed`, by the clock of the events: the agents, their start, the commits and the merges. Without ' +
    'devflow it would be 4 s with four agents and 16 s with one. Agents who work for minutes come closer to that.',
  run: ({ rounds = 3 }) =>
    withPlace(
      async (place) => {
        writeLaneTemplates(place, ...AGENTS);
        const repo = makeRepository(place);
        await place.devflow('up');
        const client = await place.connect();
        const sheet = createSheet();
        const play = async (lanes: number, delayMs: number) => {
          const events = await playTasks(place, client, { repo, lanes, tasks: independentTasks(TASKS, { delayMs }) });
          const last = (type: string) => events.findLast((event) => event.type === type);
          return (timeOf(last('phase.completed')) - timeOf(last('phase.started'))) / 1_000;
        };
        // The first run warms plans and code.
        await play(AGENTS[0], 0);
        for (let round = 0; round < rounds; round += 1) {
          const [four, one] = [await play(AGENTS[0], DELAY_MS), await play(AGENTS[1], DELAY_MS)];
          sheet.add('four', four);
          sheet.add('one', one);
          sheet.add('ratio', one / four);
        }
        client.close();
        return [
          { name: 'four agents', unit: 's', rounds: sheet.of('four') },
          { name: 'one agent', unit: 's', rounds: sheet.of('one') },
          { name: 'one agent beside four', unit: '×', rounds: sheet.of('ratio') },
        ];
      },
      { DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0', DEVFLOW_FAKE_DELAY_MS: '0', DEVFLOW_LOG_LEVEL: 'info' },
    ),
};
