import { chooseFiles } from '../../../../daemon/harness/discovery/chooseFiles.ts';
import { type ReadFacts, readFacts } from '../../../../daemon/harness/discovery/readFacts.ts';

/** What devflow reads from a commit with these files. */
export function readRepository(files: Record<string, string>): ReadFacts {
  const paths = new Set(Object.keys(files));
  const { chosen, uncovered } = chooseFiles(paths);
  return readFacts(paths, new Map(chosen.map((path) => [path, files[path] ?? ''])), uncovered);
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
