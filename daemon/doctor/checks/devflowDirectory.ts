import { createLists } from '../../store/lists.ts';
import { type Check, type Examined, pass, warn } from '../check.ts';
import { lookForDatabase } from '../databaseProbe.ts';
import { ask } from '../program.ts';

/** devflow's own place in a worktree, which it never commits. */
const OURS = '.devflow/artifacts/';
/** Runs whose repositories are looked at, the newest. */
const RUNS = 20;

/** Names another tool of that name, whose files a repository has in `.devflow`: devflow leaves them alone. */
export const devflowDirectory: Check = {
  name: 'devflow-directory',
  async run(subject) {
    const found = await Promise.all((await repositories(subject)).map((path) => lookAt(path, subject)));
    const theirs = found.filter(({ files }) => files.length > 0);
    const inTheWay = theirs.filter(({ files }) => files.some((file) => file === '.devflow' || file.startsWith(OURS)));
    if (inTheWay.length > 0) {
      return warn(inTheWay.map(said).join('; '), `devflow needs ${OURS} for itself: remove it from the repository.`);
    }
    if (theirs.length > 0) return pass(`${theirs.map(said).join('; ')}; devflow leaves them alone`);
    return pass('no other tool keeps files in .devflow here');
  },
};

interface Found {
  path: string;
  files: string[];
}

function said({ path, files }: Found): string {
  const shown = files.slice(0, 3).join(', ');
  return `${path} has files of another tool in .devflow (${shown}${files.length > 3 ? ', …' : ''})`;
}

/** What the repository has committed or staged there; nothing where there is no repository. */
async function lookAt(path: string, { env }: Examined): Promise<Found> {
  const quiet = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const ran = await ask('git', [...quiet, '-C', path, 'ls-files', '-z', '--full-name', '--', ':(top).devflow'], env);
  const files = ran?.ok
    ? ran.out.split('\0').filter((file) => file === '.devflow' || file.startsWith('.devflow/'))
    : [];
  return { path, files };
}

/** Where the person is, and those of the newest runs if the database can be asked. */
async function repositories(subject: Examined): Promise<string[]> {
  const here = subject.cwd;
  if (!subject.config) return [here];
  const database = await lookForDatabase(subject);
  if (database.state !== 'up') return [here];
  try {
    const runs = await createLists(database.pool).listRuns({ limit: RUNS });
    return [...new Set([here, ...runs.map(({ repoPath }) => repoPath)])];
  } catch {
    // Without its migrations the database knows no runs.
    return [here];
  } finally {
    await database.close();
  }
}
