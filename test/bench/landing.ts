import type { EventView } from '../../schemas/rpc/views/run.ts';
import { type Bench, createSheet, type Sheet } from './figure.ts';
import { makeRepository } from './phases.ts';
import { withPlace } from './place.ts';
import { timeOf } from './playRun.ts';
import { independentTasks, playTasks, writeLaneTemplates } from './playTasks.ts';

const LANES = 12;

/** How soon all work is on the run's branch once the last lane is queued. */
export const landing: Bench = {
  name: 'landing',
  title: 'Landing of twelve lanes',
  reading:
    'Twelve independent tasks, each in a lane of its own, all lanes open at the same time, no checks. The fake agent ' +
    'has a delay of 0. The repository has one file, and each task adds one. The time is from the last ' +
    '`merge.enqueued` to the last `lane.landed`, by the clock of the events. Lanes queued before may still ' +
    'wait then. They land first.',
  run: ({ rounds = 5 }) =>
    withPlace(
      async (place) => {
        writeLaneTemplates(place, LANES);
        const repo = makeRepository(place);
        await place.devflow('up');
        const client = await place.connect();
        const sheet = createSheet();
        for (let round = -1; round < rounds; round += 1) {
          const events = await playTasks(place, client, { repo, lanes: LANES, tasks: independentTasks(LANES) });
          if (round >= 0) note(events, sheet);
        }
        client.close();
        return [
          {
            name: 'last lane queued to all landed',
            unit: 'ms',
            rounds: sheet.of('all landed'),
            aim: { below: 1_000 },
          },
          { name: '  of it until the last merge is made', unit: 'ms', rounds: sheet.of('last merge made') },
          { name: '  lanes that land in this time', unit: '', rounds: sheet.of('lanes') },
        ];
      },
      {
        DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0',
        DEVFLOW_FAKE_DELAY_MS: '0',
        DEVFLOW_LOG_LEVEL: 'info',
        DEVFLOW_MAX_CONCURRENT_AGENTS: String(LANES),
      },
    ),
};

function note(events: readonly EventView[], sheet: Sheet): void {
  const last = (type: string) => events.findLast((event) => event.type === type);
  const queued = last('merge.enqueued');
  const after = events.slice(events.lastIndexOf(queued as EventView));
  const opened = events.filter(({ type }) => type === 'lane.opened').length;
  if (opened !== LANES) throw new Error(`${opened} lanes were opened`);
  sheet.add('all landed', timeOf(last('lane.landed')) - timeOf(queued));
  sheet.add('last merge made', timeOf(last('merge.tested')) - timeOf(queued));
  sheet.add('lanes', after.filter(({ type }) => type === 'lane.landed').length);
}
