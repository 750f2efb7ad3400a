import { chooseFiles } from '../../../daemon/discovery/chooseFiles.ts';
import { type ReadFacts, readFacts } from '../../../daemon/discovery/readFacts.ts';

/** What devflow reads from a commit with these files. */
export function readRepository(files: Record<string, string>): ReadFacts {
  const paths = new Set(Object.keys(files));
  const { chosen, uncovered } = chooseFiles(paths);
  const textsOf = (wanted: readonly string[]) => new Map(wanted.map((path) => [path, files[path] ?? '']));
  const { needs } = readFacts(paths, textsOf(chosen), uncovered);
  return readFacts(paths, textsOf([...chosen, ...needs]), uncovered);
}

/** One line a fact: rank, kind, directory, command, place. */
export function shortFacts(files: Record<string, string>): string[] {
  return readRepository(files).facts.map(
    ({ rank, kind, cwd, argv, from }) => `${rank} ${kind} ${cwd}: ${argv.join(' ')} (${from.path}:${from.line})`,
  );
}

export function gaps(files: Record<string, string>): string[] {
  return readRepository(files).uncovered.map(({ path, why }) => `${path}: ${why}`);
}
