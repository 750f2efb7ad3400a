import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { type Bench, createSheet } from './figure.ts';
import { type Place, withPlace } from './place.ts';
import { playRun, timeOf } from './playRun.ts';

export const PHASES = 10;

/** The cost of devflow itself per phase: ten phases of a fake agent that answers at once. */
export const phases: Bench = {
  name: 'phases',
  title: 'A run of ten phases',
  reading:
    'Ten phases without gates, the fake agent with a delay of 0, and `DEVFLOW_ARTIFACT_DEBOUNCE_MS=0`. What ' +
    'remains is the engine: its transactions, the watch for the file, the check and the copy of the artifact, ' +
    "git, and the fake agent's own journal. The time of a phase is from its `phase.started` to that of the next " +
    "phase (or the run's end), by the clock of the events. A round is the mean over the phases of one run except " +
    'the first, which also starts the agent. In the second run every phase changes a file and ends with a commit, ' +
    'and most of its time is git.',
  run: ({ rounds = 7 }) =>
    withPlace(
      async (place) => {
        writeTemplates(place);
        const repo = makeRepository(place);
        await place.devflow('up');
        const client = await place.connect();
        const sheet = createSheet();
        for (let round = -1; round < rounds; round += 1) {
          for (const name of ['bench-read', 'bench-write']) {
            const events = await playRun(place, client, { repo, template: name, backend: { worker: 'fake' } });
            if (round >= 0) note(events, (what, ms) => sheet.add(`${name} ${what}`, ms));
          }
        }
        client.close();
        const parts = ['prompt sent', 'artifact validated', 'phase completed'];
        return [
          {
            name: 'a phase that changes no file',
            unit: 'ms',
            rounds: sheet.of('bench-read phase'),
            aim: { below: 10 },
          },
          ...parts.map((part) => ({
            name: `  of it until ${part}`,
            unit: 'ms' as const,
            rounds: sheet.of(`bench-read ${part}`),
          })),
          { name: 'a phase that ends with a commit', unit: 'ms', rounds: sheet.of('bench-write phase') },
          { name: 'the whole run, start to end', unit: 'ms', rounds: sheet.of('bench-read run') },
        ];
      },
      { DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0', DEVFLOW_FAKE_DELAY_MS: '0', DEVFLOW_LOG_LEVEL: 'info' },
    ),
};

/** Events have times in milliseconds. The mean of nine phases gives tenths. */
function note(events: readonly EventView[], add: (what: string, ms: number) => void): void {
  const starts = startsOf(events);
  add('run', timeOf(events.at(-1)) - timeOf(events[0]));
  add('phase', phaseMs(events));
  const steps: Record<string, string> = {
    'prompt.sent': 'prompt sent',
    'artifact.validated': 'artifact validated',
    'phase.completed': 'phase completed',
  };
  for (const [type, what] of Object.entries(steps)) {
    const took = starts.slice(1).flatMap((start) => {
      const step = events.find((event) => event.type === type && event.phaseId === start.phaseId);
      return step ? [timeOf(step) - timeOf(start)] : [];
    });
    if (took.length > 0) add(what, took.reduce((sum, ms) => sum + ms, 0) / took.length);
  }
}

/** The mean over the phases of a run except the first. */
export function phaseMs(events: readonly EventView[]): number {
  return (timeOf(events.at(-1)) - timeOf(startsOf(events)[1])) / (PHASES - 1);
}

function startsOf(events: readonly EventView[]): EventView[] {
  const starts = events.filter(({ type }) => type === 'phase.started');
  if (starts.length !== PHASES) throw new Error(`${starts.length} phases were started`);
  return starts;
}

export function writeTemplates({ paths }: Place): void {
  mkdirSync(paths.userTemplates, { recursive: true });
  for (const [name, schema, capability] of [
    ['bench-read', 'dev/spec@1', 'spec_write'],
    ['bench-write', 'dev/implementation@1', 'code_edit'],
  ] as const) {
    const template = {
      name,
      version: 1,
      roles: [{ id: 'worker', requiredCapabilities: [capability], preferredBackends: ['fake'] }],
      phases: Array.from({ length: PHASES }, (_, index) => ({
        key: `phase-${index + 1}`,
        title: `Phase ${index + 1}`,
        risk: 'low',
        roles: ['worker'],
        expectedArtifact: { path: 'artifact.json', schema },
        instructions: 'Answer.',
      })),
    };
    // JSON is YAML.
    writeFileSync(join(paths.userTemplates, `${name}@1.yaml`), JSON.stringify(template));
  }
}

export function makeRepository({ home }: Place): string {
  const repo = join(home, 'repo');
  mkdirSync(repo);
  writeFileSync(join(repo, 'README.md'), '# A project\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repo, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Bench');
  git('config', 'user.email', 'bench@localhost');
  git('add', '-A');
  git('-c', 'commit.gpgsign=false', 'commit', '-q', '-m', 'First');
  return repo;
}
