import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { type Bench, createSheet } from './figure.ts';
import { makeRepository } from './phases.ts';
import { type Place, withPlace } from './place.ts';
import { playRun, timeOf } from './playRun.ts';

const REVIEWS = 5;

/** The cost of devflow itself for a review, beside that of the phase that made the change. */
export const look: Bench = {
  name: 'look',
  title: 'A review beside a phase',
  reading:
    'Five phases of an agent that changes a file, each followed by a review of one reviewer who finds nothing. The fake ' +
    'agent has a delay of 0, so what remains is devflow. A review opens worktrees for its reviewer and its verifier, ' +
    'reads the change, starts the reviewer and checks its quotes. The first phase and the first review are not counted. ' +
    'Ratios are taken within a round.',
  run: ({ rounds = 5 }) =>
    withPlace(
      async (place) => {
        writeTemplate(place);
        const repo = makeRepository(place);
        await place.devflow('up');
        const client = await place.connect();
        const sheet = createSheet();
        const backend = { worker: 'fake', reviewer: 'fake', verifier: 'fake' } as const;
        for (let round = -1; round < rounds; round += 1) {
          const events = await playRun(place, client, { repo, template: 'bench-review', backend });
          if (round < 0) continue;
          const [write, review] = [meanMs(events, 0), meanMs(events, 1)];
          sheet.add('write', write);
          sheet.add('review', review);
          sheet.add('ratio', review / write);
        }
        client.close();
        return [
          { name: 'a phase that ends with a commit', unit: 'ms', rounds: sheet.of('write') },
          { name: 'a review of it by one reviewer', unit: 'ms', rounds: sheet.of('review') },
          { name: '  beside the phase', unit: '×', rounds: sheet.of('ratio') },
        ];
      },
      { DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0', DEVFLOW_FAKE_DELAY_MS: '0', DEVFLOW_LOG_LEVEL: 'info' },
    ),
};

function writeTemplate({ paths }: Place): void {
  mkdirSync(paths.userTemplates, { recursive: true });
  const role = (id: string, ...requiredCapabilities: string[]) => ({ id, requiredCapabilities });
  const template = {
    name: 'bench-review',
    version: 1,
    roles: [
      role('worker', 'code_edit'),
      role('reviewer', 'code_review', 'evidence_check'),
      role('verifier', 'code_review', 'evidence_check'),
    ],
    phases: Array.from({ length: REVIEWS }, (_, index) => [
      {
        key: `write-${index + 1}`,
        title: `Write ${index + 1}`,
        risk: 'low',
        roles: ['worker'],
        expectedArtifact: { path: 'artifact.json', schema: 'dev/implementation@1' },
        instructions: 'Answer.',
      },
      {
        key: `review-${index + 1}`,
        title: `Review ${index + 1}`,
        kind: 'review',
        risk: 'low',
        roles: ['reviewer', 'verifier'],
        instructions: '{{review}}',
      },
    ]).flat(),
  };
  // JSON is YAML.
  writeFileSync(join(paths.userTemplates, 'bench-review@1.yaml'), JSON.stringify(template));
}

/** The mean over every second phase, from its start to that of the next one or the run's end; not the first of them. */
function meanMs(events: readonly EventView[], parity: 0 | 1): number {
  const starts = events.filter(({ type }) => type === 'phase.started');
  if (starts.length !== 2 * REVIEWS) throw new Error(`${starts.length} phases were started`);
  const took = starts.flatMap((start, index) =>
    index > 1 && index % 2 === parity ? [timeOf(starts[index + 1] ?? events.at(-1)) - timeOf(start)] : [],
  );
  return took.reduce((sum, ms) => sum + ms, 0) / took.length;
}
