import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../cli/client/connect.ts';
import { type Bench, createSheet } from './figure.ts';
import { writeOnePhase } from './onePhase.ts';
import { ownMemoryOf } from './ownMemory.ts';
import { type Place, withPlace } from './place.ts';
import { playRuns } from './playRuns.ts';
import { forgetPeak, peakMegabytes } from './processes.ts';
import { makeRepository } from './repository.ts';

const RUNS = 1_000;
const AT_ONCE = 8;
const FRAMES = 40;
const FRAME_BYTES = 7_000_000;
/** The daemon collects garbage after five quiet seconds. */
const SETTLE_MS = 15_000;

/** What the daemon keeps of work that is over. */
export const kept: Bench = {
  name: 'kept',
  title: 'Memory that the daemon keeps',
  reading:
    `The memory of the daemon that is in no file (heaps and stacks), 15 s after its start, after ${RUNS} runs of one phase with ` +
    `the fake agent, ${AT_ONCE} at a time, and after ${FRAMES} messages of 7 MB, which ${AT_ONCE} clients send at once. The peak is of ` +
    'its resident set, which has the program, too.',
  run: ({ rounds = 1 }) =>
    withPlace(
      async (place) => {
        const sheet = createSheet();
        writeOnePhase(place, { name: 'bench-one', backend: 'fake' });
        const repos = Array.from({ length: AT_ONCE }, (_, nth) => makeRepository(place, `repo-${nth}`));
        const { daemon } = JSON.parse((await place.devflow('up', '--json')).stdout);
        const note = async (name: string) => {
          await sleep(SETTLE_MS);
          sheet.add(name, ownMemoryOf([daemon.pid]).anonymous);
        };
        for (let round = 0; round < rounds; round += 1) {
          await note('start');
          await playRuns(place, repos, RUNS);
          await note('runs');
          forgetPeak(daemon.pid);
          await sendFrames(place);
          sheet.add('peak', peakMegabytes(daemon.pid));
          await note('frames');
        }
        return [
          { name: 'after the start', unit: 'MB', rounds: sheet.of('start') },
          { name: `after ${RUNS} runs`, unit: 'MB', rounds: sheet.of('runs') },
          { name: 'at the peak of large messages (RSS)', unit: 'MB', rounds: sheet.of('peak') },
          { name: 'after them', unit: 'MB', rounds: sheet.of('frames'), aim: { below: 100 } },
        ];
      },
      {
        DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0',
        DEVFLOW_FAKE_DELAY_MS: '0',
        DEVFLOW_LOG_LEVEL: 'info',
        DEVFLOW_MAX_CONCURRENT_RUNS: String(2 * AT_ONCE),
        DEVFLOW_MAX_CONCURRENT_AGENTS: String(AT_ONCE),
      },
    ),
};

async function sendFrames(place: Place): Promise<void> {
  const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => place.connect()));
  const text = JSON.stringify({ summary: 'x'.repeat(FRAME_BYTES) });
  const validate = (client: Client) => client.call('artifact.validate', { schema: 'dev/spec@1', text });
  for (let sent = 0; sent < FRAMES; sent += AT_ONCE) await Promise.all(clients.map(validate));
  for (const client of clients) client.close();
}
