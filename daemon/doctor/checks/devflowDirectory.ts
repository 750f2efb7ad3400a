import { GIT_SETTINGS, gitVariables } from '../../../schemas/config/gitSettings.ts';
import { ARTIFACTS } from '../../../schemas/names.ts';
import { createLists } from '../../store/lists.ts';
import { type Check, type Examined, pass, warn } from '../probe/check.ts';
import { lookForDatabase } from '../probe/databaseProbe.ts';
import { ask } from '../probe/program.ts';

/** The number of newest runs to check. */
const RUNS = 20;

/** Names files of another tool in `.devflow`. devflow does not change them. */
export const devflowDirectory: Check = {
  name: 'devflow-directory',
  async run(subject) {
    const found = await Promise.all((await repositories(subject)).map((path) => lookAt(path, subject)));
    const theirs = found.filter(({ files }) => files.length > 0);
    const inTheWay = theirs.filter(({ files }) =>
      files.some((file) => file === '.devflow' || file.startsWith(`${ARTIFACTS}/`)),
    );
    if (inTheWay.length > 0) {
      return warn(
        inTheWay.map(describeFound).join('; '),
        `devflow needs ${ARTIFACTS}/ for itself. Remove it from the repository.`,
      );
    }
    if (theirs.length > 0) return pass(`${theirs.map(describeFound).join('; ')}; devflow leaves them alone`);
    return pass('no other tool keeps files in .devflow here');
  },
};

interface Found {
  path: string;
  files: string[];
}

function describeFound({ path, files }: Found): string {
  const shown = files.slice(0, 3).join(', ');
  return `${path} has files of another tool in .devflow (${shown}${files.length > 3 ? ', …' : ''})`;
}

/** The committed or staged files there. Empty if there is no repository. */
async function lookAt(path: string, { env }: Examined): Promise<Found> {
  const words = ['-C', path, 'ls-files', '-z', '--full-name', '--', ':(top).devflow'];
  const ran = await ask('git', [...GIT_SETTINGS, ...words], gitVariables(env));
  const files = ran?.ok
    ? ran.out.split('\0').filter((file) => file === '.devflow' || file.startsWith('.devflow/'))
    : [];
  return { path, files };
}

/** The person's directory and, if the database answers, the repositories of the newest runs. */
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
