import { posix } from 'node:path';
import type { ProgramRights, RightsHook, RightsServer } from '../../schemas/repository/programRights.ts';
import { namedElsewhere, namedPaths, replacedInLine, wordPath } from './namedPaths.ts';

/** The paths of the repository that the hooks and servers of one program name. */
export interface NamedByRights {
  paths: ReadonlySet<string>;
  /** Hooks and servers that name one in a way that devflow cannot replace. They would run what an agent wrote. */
  unclear: ReadonlyMap<RightsHook | RightsServer, string>;
}

export function namedByRights({ hooks, servers }: ProgramRights, known: ReadonlySet<string>): NamedByRights {
  const paths = new Set<string>();
  const unclear = new Map<RightsHook | RightsServer, string>();
  const note = (of: RightsHook | RightsServer, named: { paths: readonly string[]; unclear: readonly string[] }) => {
    for (const path of named.paths) paths.add(path);
    if (named.unclear[0] !== undefined) unclear.set(of, named.unclear[0]);
  };
  for (const hook of hooks)
    note(hook, hook.args ? inWords([hook.command, ...hook.args], known) : inLine(hook.command, known));
  for (const server of servers) {
    note(server, inWords(wordsOf(server), known, directoryOf(server)));
    note(server, inWords(valuesOf(server), known, directoryOf(server)));
  }
  return { paths, unclear };
}

function inLine(line: string, known: ReadonlySet<string>) {
  const { found, unclear } = namedPaths(line, known);
  return { paths: found.map(({ path }) => path), unclear: [...unclear, ...namedElsewhere(line, known)] };
}

/** Words go to a program as they are, so a path must be a whole word. */
function inWords(words: readonly string[], known: ReadonlySet<string>, below?: string) {
  const found = words.map((word) => wordPath(word, known, below));
  const inside = words.flatMap((word, at) => {
    const named = found[at] === undefined ? namedPaths(word, known) : { found: [], unclear: [] };
    return [...named.found.map(({ path }) => path), ...named.unclear];
  });
  return { paths: found.filter((path) => path !== undefined), unclear: inside };
}

/** The same rights with the paths of the frozen files in place of those of the worktree. Pure. */
export function inFrozen(rights: ProgramRights, known: ReadonlySet<string>, directory: string): ProgramRights {
  const to = (path: string) => `${directory}/${path}`;
  const word = (each: string, below?: string) => {
    const path = wordPath(each, known, below);
    return path === undefined ? each : to(path);
  };
  const hooks = rights.hooks.map((hook) =>
    hook.args
      ? { ...hook, command: word(hook.command), args: hook.args.map((each) => word(each)) }
      : { ...hook, command: replacedInLine(hook.command, namedPaths(hook.command, known).found, to) },
  );
  const servers = rights.servers.map((server) => {
    const { command, args } = server.entry;
    const own = (each: unknown) => word(String(each), directoryOf(server));
    const line = Array.isArray(command)
      ? { command: command.map(own) }
      : {
          ...(command === undefined ? {} : { command: own(command) }),
          ...(Array.isArray(args) ? { args: args.map(own) } : {}),
        };
    const values = variablesOf(server).map(([key, table]) => [
      key,
      Object.fromEntries(Object.entries(table).map(([name, value]) => [name, own(value)])),
    ]);
    return { ...server, entry: { ...server.entry, ...line, ...Object.fromEntries(values) } };
  });
  return { ...rights, hooks, servers };
}

/** Where a server starts, from the root of the repository; '' for the root, and for a directory elsewhere. */
function directoryOf({ entry: { cwd } }: RightsServer): string {
  const directory = typeof cwd === 'string' ? posix.join(cwd) : '';
  return directory === '.' || directory.startsWith('/') || directory.startsWith('..')
    ? ''
    : directory.replace(/\/$/, '');
}

/** Its tables of variables, by their key. */
function variablesOf({ entry }: RightsServer): [key: string, values: Record<string, unknown>][] {
  return ['env', 'environment'].flatMap((key) => {
    const table = entry[key];
    return typeof table === 'object' && table !== null && !Array.isArray(table)
      ? [[key, table as Record<string, unknown>] as [string, Record<string, unknown>]]
      : [];
  });
}

function valuesOf(server: RightsServer): string[] {
  return variablesOf(server).flatMap(([, values]) => Object.values(values).map(String));
}

/** The words of a server's command line; none if it is an address. */
export function wordsOf({ entry: { command, args } }: RightsServer): string[] {
  const words = Array.isArray(command) ? command : command === undefined ? [] : [command];
  return [...words, ...(Array.isArray(args) ? args : [])].map(String);
}
