import { basename, dirname, isAbsolute, join } from 'node:path';
import { isAtOrBelow, isBelow, type Mount, shownAt } from './mounts.ts';
import { factsOf, namesIn, realPathOf } from './systemPlaces.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Below the person's home: programs and libraries that tools keep there, and settings without secrets. Caches of packages
 * are missing: most tools must write there, but a program inside must not change what others install.
 */
const IN_HOME = [
  ...['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes'],
  ...['.local/bin', '.local/lib', '.local/pipx', '.local/share/pipx', '.local/share/uv', '.local/share/mise'],
  ...['.local/share/pnpm', '.local/share/fnm', '.local/state/fnm_multishells'],
  ...['.nvm', '.fnm', '.volta', '.asdf', '.n', '.bun/bin', '.deno/bin', '.npm-global', '.yarn/bin'],
  ...['.pyenv', '.rbenv', '.rvm', '.gem', '.phpenv', '.composer/vendor', '.config/composer/vendor', '.sdkman', '.jenv'],
  ...['.cargo/bin', '.cargo/env', '.cargo/config.toml', '.rustup', 'go/bin', '.goenv', '.dotnet'],
  ...['.nix-profile', '.ghcup', '.cabal/bin', '.elan', '.juliaup', '.cache/ms-playwright', '.cache/Cypress'],
];

/** Caches inside of such directories: each sandbox has its own. */
export const OWN_CACHES: readonly string[] = ['.local/share/pnpm/store'];

/** Settings of npm for all who use one Node, such as the tokens of registries. */
const NPM = 'etc/npmrc';
/** Tokens and private keys that tools keep there. `*`: each directory. */
const SECRETS = [
  ...['.gem/credentials', '.local/share/uv/credentials', '.dotnet/corefx'],
  ...['.n', '.nvm/versions/node/*', '.volta/tools/image/node/*', '.asdf/installs/nodejs/*'].map(withNpm),
  ...['.local/share/mise/installs/node/*', '.local/share/pnpm/nodejs/*', '.npm-global'].map(withNpm),
  ...['.local/share/fnm', '.fnm'].map((directory) => withNpm(`${directory}/node-versions/*/installation`)),
];

function withNpm(directory: string): string {
  return `${directory}/${NPM}`;
}

/** Variables that name a file which programs read. */
const FILES = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'GOOGLE_APPLICATION_CREDENTIALS'];

export interface ToolInput {
  env: Env;
  /** The person's home; undefined if there is none. */
  home?: string;
  /** Absolute paths of programs that run inside. */
  programs: readonly string[];
  /** Directories that nothing may show, together with those above them. */
  hidden: readonly string[];
}

/** The programs and libraries outside of the system's own directories, for reading. */
export function toolPlaces({ env, home, programs, hidden }: ToolInput): Mount[] {
  const inHome = home === undefined ? [] : IN_HOME.map((name) => join(home, name));
  const onPath = (env.PATH ?? '').split(':').filter(isAbsolute).flatMap(placeOnPath);
  const ofPrograms = programs.flatMap((path) => placesOf(path));
  const files = FILES.flatMap((name) => env[name] ?? []).filter(isAbsolute);
  const above = [...hidden, ...(home === undefined ? [] : [home, join(home, '.local'), join(home, '.config')])];
  const isTooMuch = (path: string) => path === '/' || above.some((each) => isAtOrBelow(each, path));
  const isSecret = (path: string) => hidden.some((each) => isBelow(path, each));
  return [...inHome, ...onPath, ...ofPrograms, ...files]
    .filter((path) => factsOf(path) !== undefined && !isTooMuch(path) && !isSecret(path))
    .map((path) => ({ path, how: 'read' }));
}

/** Covers the secrets in places that are shown for their programs. */
export function secretsOfTools(home: string | undefined, tools: readonly Mount[]): Mount[] {
  const inHome = home === undefined ? [] : SECRETS.flatMap((name) => matching(home, name.split('/')));
  const there = [...inHome, ...tools.map(({ path }) => join(path, NPM))].filter(factsOf);
  return shownAt(tools, there, (path) => realPathOf(path) ?? path).map((path): Mount => {
    return { path, how: factsOf(path)?.isDirectory() ? 'empty' : 'nothing' };
  });
}

function matching(directory: string, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return [directory];
  const names = name === '*' ? namesIn(directory) : [name];
  return names.flatMap((each) => matching(join(directory, each), rest));
}

/** A directory of PATH, and what its programs need beside it. */
function placeOnPath(directory: string): string[] {
  const packages = packagesWith(directory);
  const prefix = dirname(directory);
  const hasLibraries = ['lib/node_modules', 'pyvenv.cfg'].some((name) => factsOf(join(prefix, name)) !== undefined);
  return [packages ?? (basename(directory) === 'bin' && hasLibraries ? prefix : directory)];
}

/** The directories of a program: where its name is, and where its files are. */
function placesOf(program: string): string[] {
  const real = realPathOf(program) ?? program;
  const directory = dirname(real);
  const prefix = basename(directory) === 'bin' ? dirname(directory) : directory;
  return [dirname(program), directory, packagesWith(real) ?? prefix];
}

/** The outermost `node_modules` with this path: packages of it need each other. */
function packagesWith(path: string): string | undefined {
  const parts = path.split('/');
  const at = parts.indexOf('node_modules');
  return at < 0 ? undefined : parts.slice(0, at + 1).join('/');
}
