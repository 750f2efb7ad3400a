import { type Diagnosis, fail, warn } from './check.ts';
import { isBelow, readVersion, type Version } from './program.ts';

/** The first server with activities outside of workflows. Hosts use them to ask each other. */
const OLDEST_SERVER: Version = [1, 30];
const NEWEST_MAJOR = 1;

/** An installed package of the SDK. */
interface Installed {
  name: string;
  version: string;
  /** The version that devflow is tested with. */
  tested: string;
}

/** The fault of these versions; undefined if devflow is tested with them. */
export function judgeVersions(
  server: string,
  packages: readonly Installed[],
  installLine: string,
): Diagnosis | undefined {
  const install = `Run ${installLine}`;
  const wrong = packages.find(({ version, tested }) => readVersion(version)?.[0] !== readVersion(tested)?.[0]);
  if (wrong) return fail(`${wrong.name} ${wrong.version} does not fit: devflow needs ${wrong.tested}`, install);
  const found = readVersion(server);
  if (!found) return warn(`the Temporal server has an unknown version: ${server}`, UPGRADE);
  if (isBelow(found, OLDEST_SERVER)) return fail(`Temporal ${server} is too old: devflow needs 1.30`, UPGRADE);
  if (found[0] > NEWEST_MAJOR) return warn(`Temporal ${server} is newer than any that devflow is tested with`, UPGRADE);
  const other = packages.find(({ version, tested }) => version !== tested);
  if (other) return warn(`${other.name} is ${other.version}, but devflow is tested with ${other.tested}`, install);
  return undefined;
}

const UPGRADE = 'Use a Temporal server of version 1.30 or a later 1.x.';
