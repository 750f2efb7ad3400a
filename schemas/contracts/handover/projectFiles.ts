import type { Wanted } from '../report/tree.ts';
import { HANDOVER, HANDOVER_KINDS, joined, OLDER_PLACES, type OlderPlace, pathIn } from './document/contract.ts';

const OVERVIEWS = [HANDOVER.architecture.overview, ...HANDOVER.architecture.standIns];
const DIRECTORIES = new Set<string>([HANDOVER.files.research, HANDOVER.files.architecture]);
const FILES = new Set(HANDOVER_KINDS.map((kind) => HANDOVER.files[kind]).filter((name) => !DIRECTORIES.has(name)));
const NAME = /^\d{4}-\d{2}-\d{2}-[a-z0-9]+(-[a-z0-9]+)*$/;

/** The files that a check of one project reads. */
export function wantedOf(project: string): Wanted[] {
  const directory = (name: string) => ({
    path: joined(project, name),
    depth: 1,
    text: (path: string) => isText([name, ...namesBelow(joined(project, name), path)]),
  });
  return [
    ...(project === '' ? [] : [{ path: project }]),
    ...[...FILES].map((name) => ({ path: joined(project, name) })),
    ...[...DIRECTORIES].map(directory),
  ];
}

/** The files that a check of all projects of a repository reads. */
export const WANTED: readonly Wanted[] = [
  {
    path: HANDOVER.projects,
    depth: 3,
    text: (path) => isText(namesBelow(HANDOVER.projects, path).slice(1)),
    enters: (path) => isReadInProject(namesBelow(HANDOVER.projects, path).slice(1)),
  },
  ...OLDER_PLACES.map((place) => ({
    path: place.directory,
    depth: 1,
    text: (path: string) => isOlder(path, place),
  })),
];

/** A document at its place of before there were projects. */
export function isOlder(path: string, { directory, prefix, suffix }: OlderPlace): boolean {
  return path.startsWith(`${directory}/${prefix}`) && path.endsWith(suffix);
}

/** A directory with the name of a project, or with a handover in it. Other programs keep other directories there. */
export function isProject(path: string, has: (path: string) => boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NAME.test(name) || HANDOVER_KINDS.some((kind) => has(pathIn(path, kind)));
}

/** True if the text of a project's file is checked. The names lead from the project to the file. */
function isText([first = '', second, ...deeper]: readonly string[]): boolean {
  if (second === undefined) return FILES.has(first);
  if (deeper.length > 0) return false;
  if (first === HANDOVER.files.research) return second.endsWith('.md');
  return first === HANDOVER.files.architecture && OVERVIEWS.includes(second);
}

/** True for a project, and for a directory in it that the contract knows. Others keep what they like. */
function isReadInProject([first, ...deeper]: readonly string[]): boolean {
  return first === undefined || (deeper.length === 0 && DIRECTORIES.has(first));
}

function namesBelow(directory: string, path: string): string[] {
  return path.slice(directory.length + 1).split('/');
}
