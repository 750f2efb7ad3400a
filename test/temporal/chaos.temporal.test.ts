import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporalPlace } from '../daemon/engine/temporal/support/temporalPlace.ts';
import { createDice } from './chaos/dice.ts';
import { FAULTS, type FaultName } from './chaos/faults.ts';
import { playRound } from './chaos/round.ts';
import { createStory } from './chaos/world.ts';

/** `DEVFLOW_TEST_CHAOS_FAULTS=restored,powerOff` plays these alone. */
const ASKED = process.env.DEVFLOW_TEST_CHAOS_FAULTS?.split(',');
const NAMES = (Object.keys(FAULTS) as FaultName[]).filter((name) => !ASKED || ASKED.includes(name));
/**
 * A directory for the large chaos: ten rounds of 30 runs and 10 faults, about half an hour. Its `story.jsonl` has each fault and the
 * verdict about each run. A round that has its summary there is not played again.
 */
const DIRECTORY = process.env.DEVFLOW_TEST_CHAOS;
const ROUNDS = Number(process.env.DEVFLOW_TEST_CHAOS_ROUNDS ?? 10);
const [RUNS, FAULTS_EACH] = [30, 10];
const HOURS = 3_600_000;

async function play(round: Parameters<typeof playRound>[0], directory: string): Promise<void> {
  const summary = await playRound(round, temporalPlace(), createStory(directory, round.seed));
  console.log(JSON.stringify(summary));
  expect(summary.findings).toEqual([]);
  expect(summary.typed).toEqual([]);
}

test.skipIf(DIRECTORY)(
  'three hosts end all runs right through one fault of each kind, and nobody types `up`',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'devflow-chaos-story-'));
    onTestFinished(({ task }) => {
      const story = join(directory, 'story.jsonl');
      if (task.result?.state === 'fail' && existsSync(story)) console.error(readFileSync(story, 'utf8'));
      rmSync(directory, { recursive: true, force: true });
    });
    const faults = createDice('once').deal(NAMES, NAMES.length);
    await play({ seed: 1, runs: 14, faults, atOnce: 6, overlap: 0 }, directory);
  },
  1 * HOURS,
);

/** Every kind of fault comes as often as any other. */
const dealt = DIRECTORY ? createDice('large').deal(NAMES, ROUNDS * FAULTS_EACH) : [];

test.runIf(DIRECTORY).each(Array.from({ length: ROUNDS }, (_, nth) => nth))(
  'round %i',
  async (nth) => {
    const directory = DIRECTORY as string;
    const seed = 100 + nth;
    const story = join(directory, 'story.jsonl');
    const lines = existsSync(story) ? readFileSync(story, 'utf8').split('\n') : [];
    if (lines.some((line) => line.includes(`"round":${seed},`) && line.includes('"what":"summary"'))) return;
    const faults = dealt.slice(nth * FAULTS_EACH, (nth + 1) * FAULTS_EACH);
    await play({ seed, runs: RUNS, faults, atOnce: 8, overlap: 0.25 }, directory);
  },
  3 * HOURS,
);
