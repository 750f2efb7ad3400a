import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryPoint } from '../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { TIMINGS } from '../../daemon/sessions/tmux/profile/profile.ts';
import type { PromptEnvelope } from '../../schemas/envelope.ts';
import { SCRIPTED_AGENT } from '../helpers/scriptedAgent.ts';
import { withAgents } from './agentsHere.ts';
import { type Bench, createSheet, type Figure, samplesAndP95 } from './figure.ts';

/** Longer than any wait before a paste, so that no such wait is measured. */
const REST_MS = 250;

const SHAPES: Record<string, string> = {
  'one line': 'Write the specification.',
  '100 lines': Array.from({ length: 100 }, (_, nth) => `${nth}. Look at file number ${nth}.`).join('\n'),
  '200 KB': Array.from({ length: 2500 }, (_, nth) => `${nth} `.padEnd(79, 'abcdefghij ')).join('\n'),
};

/** The time from the request to send a prompt to the proof that the agent took it. */
export const delivery: Bench = {
  name: 'delivery',
  title: 'Delivery of a prompt',
  reading:
    'The adapter of the daemon, in the process of the benchmark, and the scripted program in its pane, idle and ' +
    'quiet. Measured from `sendPrompt` until it returns: the hook has shown the prompt, and that is recorded. ' +
    `Each delivery contains a pause between paste and Enter. It ends once the composer shows the paste and the pane ` +
    `was silent for ${TIMINGS.shownMs} ms, for a paste above 16 KB after ${TIMINGS.pasteMs} ms. 10 deliveries of each ` +
    'shape, in turn. The columns are min, median and max, and the p95 has a row of its own.',
  async run({ rounds = 10 }) {
    const sheet = createSheet();
    const reached = new Map<DeliveryPoint, number>();
    const at = (point: DeliveryPoint) => reached.set(point, performance.now());
    await withAgents({ binaryPath: SCRIPTED_AGENT, at }, async ({ adapter, start }) => {
      const { input } = await start();
      for (let round = -1; round < rounds; round += 1) {
        for (const [shape, instructions] of Object.entries(SHAPES)) {
          await sleep(REST_MS);
          const begun = performance.now();
          await adapter.sendPrompt(input, envelope(instructions, round + 2, input.cwd, input.runId));
          const took = performance.now() - begun;
          if (round < 0) continue;
          sheet.add(shape, took);
          const between = (from: DeliveryPoint, to: DeliveryPoint) =>
            (reached.get(to) ?? Number.NaN) - (reached.get(from) ?? Number.NaN);
          sheet.add(`${shape} paste`, between('pasting', 'pasted'));
          sheet.add(`${shape} pause`, between('pasted', 'entering'));
          sheet.add(`${shape} proof`, between('entered', 'proven'));
        }
      }
    });
    return Object.keys(SHAPES).flatMap((shape): Figure[] => [
      ...samplesAndP95(shape, sheet.of(shape)),
      { name: '  of it the paste command', unit: 'ms', rounds: sheet.of(`${shape} paste`) },
      { name: '  of it from the paste to Enter', unit: 'ms', rounds: sheet.of(`${shape} pause`) },
      { name: '  of it from Enter to the proof', unit: 'ms', rounds: sheet.of(`${shape} proof`) },
    ]);
  },
};

function envelope(instructions: string, attempt: number, cwd: string, runId: string): PromptEnvelope {
  return {
    uuid: randomUUID(),
    runId,
    roleId: 'bench',
    phaseKey: 'spec',
    attempt,
    expectedArtifact: join(cwd, 'spec.json'),
    expectedSchema: 'dev/spec@1',
    instructions,
    dedupKey: randomUUID(),
  };
}
