import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { writeInside } from '../../schemas/files/insideRoot.ts';
import { readRegularText } from '../../schemas/files/openRegular.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { orElse } from '../../schemas/orElse.ts';
import { isAtOrBelow } from './mounts.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A directory of which each sandbox has its own, and where its files are outside. */
export interface OwnPlace {
  inside: string;
  outside: string;
}

/** The files of a session's sandbox, below its directory. */
export const sandboxDirOf = (sessionDir: string): string => join(sessionDir, 'sandbox');

const Places = z.array(z.object({ inside: z.string(), outside: z.string() }));
const FILE = 'places.json';
const MOST_BYTES = 64 * 1024;

/** Directories for files that no other program should find. */
const TEMPORARY = ['/tmp', '/var/tmp'];
const USER_DIRECTORIES = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/** The person's home as a sandbox can replace it; undefined if the system would be below it. */
export function homeIn(env: Env): string | undefined {
  const home = env.HOME;
  return home !== undefined && isAbsolute(home) && !isAtOrBelow('/usr', home)
    ? home.replace(/(?<=.)\/+$/, '')
    : undefined;
}

/** The own directories of a sandbox whose files are below `directory`. `more`: further ones of its program. */
export function ownPlaces(directory: string, env: Env, more: readonly string[]): OwnPlace[] {
  const home = homeIn(env);
  const named = home === undefined ? [] : [{ inside: home, outside: join(directory, 'home') }];
  const temporary = TEMPORARY.map((inside) => ({ inside, outside: join(directory, 'tmp') }));
  const places = [...temporary, ...named];
  const others = [...USER_DIRECTORIES.flatMap((name) => env[name] ?? []), ...more].filter(isAbsolute);
  for (const inside of new Set(others)) {
    if (home !== undefined && isAtOrBelow(inside, home)) continue;
    const name = sha256hex(inside).slice(0, 12);
    places.push({ inside, outside: join(directory, `own-${name}`) });
  }
  return places;
}

/** For a later daemon, which must find what the program writes. */
export function recordPlaces(directory: string, places: readonly OwnPlace[]): void {
  writeInside(directory, FILE, JSON.stringify(places));
}

/** The own directories of the sandbox of a session; none if it has no sandbox. */
export function readPlaces(directory: string): OwnPlace[] {
  return orElse(() => Places.parse(JSON.parse(readRegularText(join(directory, FILE), MOST_BYTES) ?? '[]')), []);
}

/** The innermost own directory with this path. */
export function placeOf(path: string, places: readonly OwnPlace[]): OwnPlace | undefined {
  const fitting = places.filter(({ inside }) => isAtOrBelow(path, inside));
  return fitting.sort((a, b) => b.inside.length - a.inside.length)[0];
}

/** The path outside of what a program inside calls `path`. */
export function outsidePath(path: string, places: readonly OwnPlace[]): string {
  const place = placeOf(path, places);
  return place === undefined ? path : `${place.outside}${path.slice(place.inside.length)}`;
}

/** The environment of a program inside, with the paths that its own directories have outside. */
export function outsideEnvironment<E extends Env>(env: E, places: readonly OwnPlace[]): E {
  if (places.length === 0) return env;
  const outside = Object.entries(env).map(([name, value]) => [
    name,
    value !== undefined && isAbsolute(value) ? outsidePath(value, places) : value,
  ]);
  return Object.fromEntries(outside) as E;
}

/** Translates paths of a session's program to those outside of its sandbox, if it has one. Also for an adopted program. */
export function outsideOf(sessionDir: string) {
  const places = () => readPlaces(sandboxDirOf(sessionDir));
  return {
    path: (path: string) => outsidePath(path, places()),
    environment: <E extends Env>(env: E) => outsideEnvironment(env, places()),
  };
}
