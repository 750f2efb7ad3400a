import { directoryOf, inDirectory, nameOf, upwards } from '../../discovery/candidate/paths.ts';
import type { Ecosystem, GuessInput, PlacedInstall } from './install.ts';
import { nodeInstall } from './nodeInstall.ts';
import { pythonInstall } from './pythonInstall.ts';
import { phpInstall, rubyInstall } from './rubyAndPhpInstall.ts';

/** Go, Rust, Maven and Gradle fetch what they need when they build. */
const ECOSYSTEMS: readonly Ecosystem[] = [nodeInstall, pythonInstall, rubyInstall, phpInstall];

const MOST_INSTALLS = 8;
const MOST_DEPTH = 3;
/** Directories with projects of their own that no test of the repository needs. */
const ASIDE = new Set(
  'node_modules vendor third_party fixtures __fixtures__ testdata test tests __tests__ example examples dist build target docs doc website site demo demos playground'.split(
    ' ',
  ),
);

/** The installs of the projects of a commit, those near the root first. Pure. */
export function guessInstalls(input: GuessInput): PlacedInstall[] {
  return ECOSYSTEMS.flatMap((ecosystem) => installsOf(ecosystem, input)).slice(0, MOST_INSTALLS);
}

/** False if a test, which the file `from` names, lacks packages that none of the installs brings. Pure. */
export function hasPackages(
  directory: string,
  from: string,
  installs: readonly PlacedInstall[],
  input: GuessInput,
): boolean {
  const isIn = ({ manifests }: Ecosystem) => manifests.some((name) => input.paths.has(inDirectory(directory, name)));
  const named = ECOSYSTEMS.filter(({ manifests }) => manifests.includes(nameOf(from)));
  const needed = directoryOf(from) === directory ? named : ECOSYSTEMS.filter(isIn);
  const above = upwards(directory);
  return needed.every(
    (ecosystem) =>
      ecosystem.needsNone?.(directory, input) ||
      installs.some((each) => each.ecosystem === ecosystem && above.includes(each.directory)),
  );
}

/** A project below an installed one belongs to it. */
function installsOf(ecosystem: Ecosystem, input: GuessInput): PlacedInstall[] {
  const installs = new Map<string, PlacedInstall>();
  for (const directory of directoriesWith(ecosystem.manifests, input.paths)) {
    if (upwards(directory).some((each) => installs.has(each))) continue;
    const install = ecosystem.installOf(directory, input);
    if (install !== undefined) installs.set(directory, { ...install, directory, ecosystem });
  }
  return [...installs.values()];
}

function directoriesWith(manifests: readonly string[], paths: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    if (!manifests.includes(nameOf(path))) continue;
    const directory = directoryOf(path);
    const parts = directory === '.' ? [] : directory.split('/');
    if (parts.length <= MOST_DEPTH && !parts.some((part) => ASIDE.has(part) || part.startsWith('.')))
      found.add(directory);
  }
  const depthOf = (directory: string) => (directory === '.' ? 0 : directory.split('/').length);
  return [...found].sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
}
