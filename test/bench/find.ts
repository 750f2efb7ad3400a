import { join } from 'node:path';
import { openDatabase } from '../../daemon/db/open.ts';
import { derivedId } from '../../schemas/ids.ts';
import { type Replayed, replayRuns } from '../helpers/replayRuns.ts';
import { type Bench, createSheet } from './figure.ts';
import { type Place, ROOT, withPlace } from './place.ts';
import { openPty } from './pty.ts';
import { makeRepository } from './repository.ts';

const RUNS = 300;
const REPOSITORIES = 5;
/** A word of the requirements of one run. No title has it. */
const WORD = 'flamingo';
const FOUND = 123;

/** How fast a person finds one of many runs by what it was about. */
export const find: Bench = {
  name: 'find',
  title: 'Find one of 300 runs by a word of its requirements',
  reading:
    `${RUNS} ended runs of ${REPOSITORIES} repositories; one has the word in its requirements, and none in its title. At a shell: ` +
    'the whole command `devflow ls --search`. In the dashboard: from the key Enter after `/` and the word until its row stands alone, ' +
    'and the same with the start of the dashboard.',
  run: ({ rounds = 5 }) =>
    withPlace(
      async (place) => {
        await place.devflow('up');
        await fill(place);
        const client = await place.connect();
        const values = createSheet();
        for (let round = -1; round < rounds; round += 1) {
          const { ms, stdout } = await place.devflow('ls', '--search', WORD, '--json');
          if (JSON.parse(stdout).length !== 1) throw new Error(`found ${stdout}`);
          const begun = performance.now();
          await client.call('run.list', { search: WORD });
          const asked = performance.now() - begun;
          const { painted, whole } = await findInDashboard(place);
          if (round < 0) continue;
          for (const [name, value] of Object.entries({ ms, asked, painted, whole })) values.add(name, value);
        }
        client.close();
        return [
          { name: 'devflow ls --search', unit: 'ms', rounds: values.of('ms'), aim: { below: 3_000 } },
          { name: '  run.list of it', unit: 'ms', rounds: values.of('asked') },
          { name: 'in the dashboard', unit: 'ms', rounds: values.of('painted'), aim: { below: 3_000 } },
          { name: '  with its start', unit: 'ms', rounds: values.of('whole'), aim: { below: 3_000 } },
        ];
      },
      { DEVFLOW_LOG_LEVEL: 'info' },
    ),
};

async function fill(place: Place): Promise<void> {
  const { postgresData: dataDir, postgresSocketDir: socketDir, databaseLog: logFile } = place.paths;
  const repos = Array.from({ length: REPOSITORIES }, (_, nth) => makeRepository(place, `repo-${nth}`));
  const runs = Array.from({ length: RUNS }, (_, nth): Replayed => {
    const word = nth === FOUND ? ` Mind the ${WORD}.` : '';
    return {
      ...{ runId: derivedId('found', nth), repoPath: repos[nth % REPOSITORIES] as string, workspaceRoot: place.home },
      ...{ baseCommit: '0'.repeat(40), head: 'f'.repeat(40) },
      requirementsMd: `# Greet person ${nth} by name\n\nBe polite.${word}`,
    };
  });
  // The server of the daemon is adopted, and stays.
  const database = await openDatabase({
    mode: 'embedded',
    dataDir,
    socketDir,
    logFile,
    binariesCacheDir: place.paths.binariesCache,
  });
  try {
    await replayRuns(database, runs);
  } finally {
    await database.close();
  }
}

async function findInDashboard({ env }: Place): Promise<{ painted: number; whole: number }> {
  const { NO_COLOR: _, ...colourful } = env;
  const devflow = join(ROOT, 'bin', 'devflow');
  const terminal = await openPty(`${devflow} tui`, { env: colourful, columns: 160, rows: 50 });
  try {
    const begun = performance.now();
    await terminal.answers('\n', 'Greet person');
    await terminal.answers(`/${WORD}`, WORD);
    const painted = await terminal.answers('\r', `Greet person ${FOUND} by name`);
    return { painted, whole: performance.now() - begun };
  } finally {
    await terminal.close();
  }
}
