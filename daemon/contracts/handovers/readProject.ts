import { joined } from '../../../schemas/contracts/handover/document/contract.ts';
import { wantedOf } from '../../../schemas/contracts/handover/projectFiles.ts';
import type { TreeSnapshot, Wanted } from '../../../schemas/contracts/report/tree.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { contractNotFound } from '../contractPorts.ts';
import { readTree } from '../readTree.ts';
import { isDirectory, type NamedPath, namedPath } from './namedPath.ts';

/** The directory of a project. Throws `contract_not_found` if there is none. */
export function requireProject(repo: string, project: string): NamedPath {
  const place = namedPath(repo, project);
  if (place.path !== '.' && isDirectory(place)) return place;
  throw contractNotFound('project', `There is no project ${project} in ${repo}.`);
}

/** The same for who writes: only below the repository, which `--repo` names. */
export function requireOwnProject(repo: string, project: string): NamedPath {
  const place = namedPath(repo, project);
  if (!place.isInside) {
    throw new DevflowError(
      'usage',
      `${project} is outside of the repository ${repo}. Name its repository with --repo.`,
    );
  }
  return requireProject(repo, project);
}

/** Reads a project for a check. The paths are those that findings name. */
export function readProject(place: NamedPath, now: number): TreeSnapshot {
  return readPlace(place, wantedOf, now);
}

/** A tree below a place, named as findings name it. */
export function readPlace(
  { root, path, shown }: NamedPath,
  wanted: (path: string) => Wanted[],
  now: number,
): TreeSnapshot {
  const { entries } = readTree(root, wanted(path), now);
  if (path === shown) return { now, entries };
  const rename = (each: string) => (each === path ? shown : joined(shown, each.slice(path.length + 1)));
  return {
    now,
    entries: new Map([...entries].map(([each, entry]) => [rename(each), { ...entry, path: rename(each) }])),
  };
}
