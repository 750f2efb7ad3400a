import { mkdirSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { makeInside, writeInside } from '../../schemas/files/insideRoot.ts';
import { readRegular } from '../../schemas/files/openRegular.ts';
import { bubblewrapArguments } from './bubblewrap.ts';
import { type Exchanged, exchangeFiles } from './exchangedFiles.ts';
import { makeMountPoints } from './mountPoints.ts';
import { around, inOrder, isAtOrBelow, type Mount, shownAt, withHidden } from './mounts.ts';
import { homeIn, type OwnPlace, ownPlaces, placeOf, recordPlaces } from './ownPlaces.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { systemCallFilter } from './seccomp.ts';
import { seatbeltWords, startWords, type Written } from './startScript.ts';
import { factsOf, openSockets, realPathOf, systemPlaces } from './systemPlaces.ts';
import { OWN_CACHES, secretsOfTools, toolPlaces } from './toolPlaces.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The programs that make sandboxes on this machine: bubblewrap on Linux, Seatbelt on macOS. */
export type SandboxTools = Bubblewrap | { kind: 'seatbelt'; program: string };

export interface Bubblewrap {
  kind: 'bubblewrap';
  bubblewrap: string;
  perl: string;
  /** False where the system cannot: abstract sockets then stay open while the network is on. */
  closesAbstractSockets: boolean;
}

/** The files of its user that a program needs. */
export interface ProgramPlaces {
  /** Directories of its state. Each sandbox has its own. Those below the home need no entry. */
  own?: readonly string[];
  /** Only for reading: settings, instructions, plugins. */
  read?: readonly string[];
  /** Files that it changes in place, and shares with the same program outside: log-ins. */
  shared?: readonly string[];
  /** The same, which it replaces. */
  exchanged?: readonly string[];
  /** Files of which it gets a copy at each start, because it also writes them: settings with a memory. */
  copied?: readonly string[];
  /** It makes sandboxes of its own. */
  nests?: boolean;
}

export interface SandboxInput {
  /** A directory of devflow for the files of this sandbox. */
  directory: string;
  cwd: string;
  /** Of the programs that make the sandbox, and of the places that it shows. Nothing in it may be of an agent. */
  env: Env;
  /** Of the program inside. */
  inside: Env;
  network: boolean;
  /** Absolute paths of the programs that run inside. */
  programs: readonly string[];
  needs: ProgramPlaces;
  /** The worktree, its git, and what else devflow gives to it. */
  places: readonly Mount[];
  /** The person's home, if the program has another one. Its tools are shown. */
  home?: string;
  /** Directories that are hidden where something else would show them. */
  hidden: readonly string[];
}

const ARGUMENTS = 'arguments';
const FILTER = 'filter';
const VARIABLES = 'variables';
const PROFILE = 'profile.sb';
/** The largest file that is copied into a sandbox. */
const MOST_COPIED_BYTES = 64 * 1024 * 1024;

/**
 * Makes the directories and files of a sandbox. No program may run in it meanwhile. Returns the words before a command line
 * that start it there, with `input.env` as their environment.
 */
export function prepareSandbox(input: SandboxInput, tools: SandboxTools): string[] {
  mkdirSync(input.directory, { recursive: true, mode: 0o700 });
  return tools.kind === 'bubblewrap' ? prepareBubblewrap(input, tools) : prepareSeatbelt(input, tools.program);
}

/** Here a program has no files of its own under the paths of others, but a directory for temporary ones. */
function prepareSeatbelt(input: SandboxInput, program: string): string[] {
  const { directory, env, needs, network } = input;
  const temporary = join(directory, 'tmp');
  makeOwn(directory, 'tmp');
  const own = ownPlaces(directory, env, needs.own ?? []);
  const home = homeIn(env) ?? '/var/empty';
  write(directory, PROFILE, seatbeltProfile({ mounts: mountsOf(input, []), own, home, temporary, network }));
  writeVariables(input, { TMPDIR: temporary });
  return seatbeltWords(program, join(directory, PROFILE), join(directory, VARIABLES));
}

function prepareBubblewrap(input: SandboxInput, tools: Bubblewrap): string[] {
  const { directory, env, needs, network, cwd } = input;
  const own = ownPlaces(directory, env, needs.own ?? []);
  for (const outside of new Set(own.map((place) => place.outside))) makeOwn(directory, basename(outside));
  // Of a reader, too: another agent may write there.
  const { mounts, known } = makeMountPoints(inOrder(mountsOf(input, own)), [cwd]);
  for (const path of needs.copied ?? []) copyInto(path, own);
  exchangeFiles(
    directory,
    (needs.exchanged ?? []).flatMap((theirs) => exchangedIn(theirs, own)),
  );
  recordPlaces(directory, own);
  const nestsAsRoot = needs.nests === true && process.getuid?.() === 0;
  write(directory, ARGUMENTS, `${bubblewrapArguments({ mounts, cwd, network, nestsAsRoot }).join('\0')}\0`);
  write(directory, FILTER, systemCallFilter(process.arch, { nests: needs.nests === true }));
  writeVariables(input, { TMPDIR: '/tmp', TMUX_TMPDIR: undefined, XDG_RUNTIME_DIR: undefined });
  return startWords({
    bubblewrap: tools.bubblewrap,
    perl: tools.perl,
    argumentsFile: join(directory, ARGUMENTS),
    filterFile: join(directory, FILTER),
    variablesFile: join(directory, VARIABLES),
    closesAbstractSockets: network && tools.closesAbstractSockets,
    known,
    written: mounts.flatMap((mount) => writtenBy(mount, cwd)),
  });
}

/** The places that a mount makes writable. In the worktree, an agent makes the links. */
function writtenBy({ path, ...mount }: Mount, cwd: string): Written[] {
  if (mount.how !== 'write' && mount.how !== 'empty') return [];
  const paths = isAtOrBelow(path, cwd) ? [path] : [...new Set([path, realPathOf(path) ?? path])];
  return paths.map((each) => ({ path: each, isTree: mount.how === 'write' && mount.from === undefined }));
}

/** The guard makes these changes right before the program starts: `NAME=value`, or `NAME` to remove a variable. */
function writeVariables({ directory, env, inside }: SandboxInput, more: Env): void {
  const wanted: Env = { ...inside, ...more };
  const names = [...new Set([...Object.keys(env), ...Object.keys(wanted)])].filter(
    (name) => env[name] !== wanted[name],
  );
  const changes = names.map((name) => (wanted[name] === undefined ? name : `${name}=${wanted[name]}`));
  write(directory, VARIABLES, changes.map((change) => `${change}\0`).join(''));
}

function mountsOf(input: SandboxInput, own: readonly OwnPlace[]): Mount[] {
  const { env, programs, needs, places, hidden, cwd, home = homeIn(env) } = input;
  const system = systemPlaces();
  // A tool in a place that is shown already would only keep it from being written.
  const there = [...system, ...places].filter(({ how }) => how !== 'empty');
  const tools = toolPlaces({ env, home, programs, hidden }).filter(
    ({ path }) => !there.some((each) => isAtOrBelow(path, each.path)),
  );
  const caches = home === undefined ? [] : OWN_CACHES.map((name) => join(home, name));
  const mounts: Mount[] = [
    ...system,
    ...own.map(({ inside, outside }): Mount => ({ path: inside, how: 'write', from: outside })),
    ...tools,
    ...secretsOfTools(home, tools),
    ...cachesIn(tools, caches, own),
    ...paths(needs.read).map((path): Mount => ({ path, how: 'read' })),
    ...paths(needs.shared).map((path): Mount => ({ path, how: 'write' })),
    ...places,
  ];
  const real = (path: string) => realPathOf(path) ?? path;
  const shown = withHidden(mounts, hidden, real);
  // In its worktree and in its own directories, the program opens sockets itself.
  const isVisible = (path: string) => {
    const place = around(path, shown);
    return place?.how === 'read' || (place?.how === 'write' && place.from === undefined && place.path !== cwd);
  };
  return [
    ...shown,
    ...shownAt(shown, openSockets(), real)
      .filter(isVisible)
      .map((path): Mount => ({ path, how: 'nothing' })),
  ];
}

/** A cache inside of a directory that is only read. */
function cachesIn(tools: readonly Mount[], caches: readonly string[], own: readonly OwnPlace[]): Mount[] {
  const inTools = caches.filter((path) => tools.some((tool) => isAtOrBelow(path, tool.path)));
  return inTools.flatMap((path): Mount[] => {
    const at = placeOutside(path, own);
    if (!at || !factsOf(path)?.isDirectory()) return [];
    makeOwn(at.root, at.path);
    return [{ path, how: 'write', from: join(at.root, at.path) }];
  });
}

function paths(list: readonly string[] = []): string[] {
  return [...new Set(list)].filter((path) => isAbsolute(path) && factsOf(path) !== undefined);
}

function makeOwn(directory: string, name: string): void {
  const made = makeInside(directory, name);
  if (!made.ok) throw unusable(join(directory, name), made.fault);
}

function write(directory: string, name: string, content: string | Uint8Array): void {
  const written = writeInside(directory, name, content);
  if (!written.ok) throw unusable(join(directory, name), written.fault);
}

function exchangedIn(theirs: string, own: readonly OwnPlace[]): Exchanged[] {
  const at = placeOutside(theirs, own);
  return at ? [{ theirs, ...at }] : [];
}

/** Outside, the own directory with this path, and the path below it. */
function placeOutside(path: string, own: readonly OwnPlace[]): { root: string; path: string } | undefined {
  const place = placeOf(path, own);
  return place && { root: place.outside, path: path.slice(place.inside.length + 1) };
}

function copyInto(path: string, own: readonly OwnPlace[]): void {
  const read = readRegular(path, MOST_COPIED_BYTES, { follow: true });
  if (!read.ok) return;
  const at = placeOutside(path, own);
  if (at) write(at.root, at.path, read.bytes);
}

function unusable(path: string, fault: string): DevflowError {
  return new DevflowError('path_unsafe', `The sandbox could not be prepared: ${path} cannot be written (${fault}).`);
}
