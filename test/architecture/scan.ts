import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** A path from the root for a file of ours; a package's name, or `node:x`, for the rest. */
  to: string;
  ours: boolean;
  /** Gone after compilation, so no dependency at run time. */
  typeOnly: boolean;
}

export interface Source {
  path: string;
  lines: number;
  text: string;
  imports: Import[];
}

/** Top-level statements begin at the start of a line, because of the formatter. So no string is taken for one. */
const STATEMENT = /^(?:import|export)\s(?<clause>[^'";]*?)\bfrom\s*['"](?<from>[^'"]+)['"]/gm;
const SIDE_EFFECT = /^import\s*['"](?<from>[^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"](?<from>[^'"]+)['"]\s*,?\s*\)/g;

/**
 * Every TypeScript file below the folders, by its path from `root`. It takes 0.5 s. dependency-cruiser 18 takes 6 s, needs swc
 * because it cannot load TypeScript 7, and counts the folders above as part of a circle.
 */
export function scan(root: string, folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) => globSync(folder.endsWith('.ts') ? folder : `${folder}/**/*.ts`, { cwd: root }))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, lines: text.split('\n').length - 1, imports: readImports(path, text) };
    });
}

export function readImports(path: string, text: string): Import[] {
  const code = withoutComments(text);
  const statements = [...code.matchAll(STATEMENT)].map((match) => {
    const { clause = '', from = '' } = match.groups ?? {};
    return target(path, from, isTypeOnly(clause));
  });
  const others = [...code.matchAll(SIDE_EFFECT), ...code.matchAll(DYNAMIC)].map((match) =>
    target(path, match.groups?.from ?? '', false),
  );
  return [...statements, ...others];
}

/** Only whole-line comments, which could hold something like an import at the start of a line. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm, '');
}

function isTypeOnly(clause: string): boolean {
  if (/^type\s/.test(clause)) return true;
  const names = /^\{([^}]*)\}\s*$/
    .exec(clause)?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '');
  return names !== undefined && names.length > 0 && names.every((name) => /^\s*type\s/.test(name));
}

function target(path: string, from: string, typeOnly: boolean): Import {
  if (from.startsWith('.')) return { to: normalize(join(dirname(path), from)), ours: true, typeOnly };
  if (from.startsWith('node:')) return { to: from, ours: false, typeOnly };
  const name = from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
  return { to: builtinModules.includes(name) ? `node:${name}` : name, ours: false, typeOnly };
}

/** Each cycle of imports as the files in it. Imports of types count too, because a reader follows them as well. */
export function findCycles(sources: readonly Source[]): string[][] {
  const edges = new Map(
    sources.map(({ path, imports }) => [path, imports.filter(({ ours }) => ours).map(({ to }) => to)]),
  );
  const done = new Set<string>();
  const cycles = new Map<string, string[]>();
  const visit = (path: string, trail: string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      const cycle = trail.slice(at);
      cycles.set([...cycle].sort().join(' '), cycle);
      return;
    }
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return [...cycles.values()];
}

/** The rooms as if each were a file: every folder, and every file of `ownRooms`. */
export function asRooms(sources: readonly Source[], ownRooms: readonly string[] = []): Source[] {
  const roomOf = (path: string) => (ownRooms.includes(path) ? path : dirname(path));
  const rooms = new Map<string, Source>();
  for (const { path, imports } of sources) {
    const room = rooms.get(roomOf(path)) ?? { path: roomOf(path), lines: 0, text: '', imports: [] };
    const others = imports.filter(({ ours, to }) => ours && roomOf(to) !== room.path);
    room.imports.push(...others.map((one) => ({ ...one, to: roomOf(one.to) })));
    rooms.set(room.path, room);
  }
  return [...rooms.values()];
}
