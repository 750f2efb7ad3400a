import type { ProgramRights, RightsHook, RightsServer } from '../../schemas/repository/programRights.ts';
import { namedPaths, replacedInLine, wordPath } from './namedPaths.ts';

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
  for (const server of servers) note(server, inWords(wordsOf(server), known));
  return { paths, unclear };
}

function inLine(line: string, known: ReadonlySet<string>) {
  const { found, unclear } = namedPaths(line, known);
  return { paths: found.map(({ path }) => path), unclear };
}

/** Words go to a program as they are, so a path must be a whole word. */
function inWords(words: readonly string[], known: ReadonlySet<string>) {
  const found = words.map((word) => wordPath(word, known));
  const inside = words.flatMap((word, at) => {
    const named = found[at] === undefined ? namedPaths(word, known) : { found: [], unclear: [] };
    return [...named.found.map(({ path }) => path), ...named.unclear];
  });
  return { paths: found.filter((path) => path !== undefined), unclear: inside };
}

/** The same rights with the paths of the frozen files in place of those of the worktree. Pure. */
export function inFrozen(rights: ProgramRights, known: ReadonlySet<string>, directory: string): ProgramRights {
  const to = (path: string) => `${directory}/${path}`;
  const word = (each: string) => {
    const path = wordPath(each, known);
    return path === undefined ? each : to(path);
  };
  const hooks = rights.hooks.map((hook) =>
    hook.args
      ? { ...hook, command: word(hook.command), args: hook.args.map(word) }
      : { ...hook, command: replacedInLine(hook.command, namedPaths(hook.command, known).found, to) },
  );
  const servers = rights.servers.map(({ entry, ...server }) => {
    const { command, args } = entry;
    const own = Array.isArray(command)
      ? { command: command.map((each) => word(String(each))) }
      : {
          ...(command === undefined ? {} : { command: word(String(command)) }),
          ...(Array.isArray(args) ? { args: args.map((each) => word(String(each))) } : {}),
        };
    return { ...server, entry: { ...entry, ...own } };
  });
  return { ...rights, hooks, servers };
}

/** The words of a server's command line; none if it is an address. */
export function wordsOf({ entry: { command, args } }: RightsServer): string[] {
  const words = Array.isArray(command) ? command : command === undefined ? [] : [command];
  return [...words, ...(Array.isArray(args) ? args : [])].map(String);
}
