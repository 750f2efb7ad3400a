import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type HandoverKind, pathIn } from '../../../schemas/contracts/handover/document/contract.ts';
import type { FileText } from '../../../schemas/contracts/report/tree.ts';
import { lookInside, readInside } from '../../../schemas/files/insideRoot.ts';
import { LARGEST_BYTES } from '../readTree.ts';

/** A file or directory that a person named. Below `root` no link is followed. */
export interface NamedPath {
  root: string;
  /** Below `root`. */
  path: string;
  /** Its name in findings: relative to the repository; empty for the repository itself. */
  shown: string;
  isInside: boolean;
}

/** Resolves a path that counts from the repository. A reader may name a file outside of it. */
export function namedPath(repo: string, given: string): NamedPath {
  const whole = resolve(repo, given);
  const below = relative(repo, whole);
  const isOutside = below === '..' || below.startsWith('../') || isAbsolute(below);
  if (below !== '' && !isOutside) return { root: repo, path: below, shown: below, isInside: true };
  const rest = { root: dirname(whole), path: basename(whole) || '.', isInside: !isOutside };
  return { ...rest, shown: below === '' ? '' : whole };
}

/** The path from the root of the file system. */
export function wholePath({ root, path }: Pick<NamedPath, 'root' | 'path'>): string {
  return join(root, path);
}

/** A handover of a project. */
export function below(project: NamedPath, kind: HandoverKind): NamedPath {
  return { ...project, path: pathIn(project.path, kind), shown: pathIn(project.shown, kind) };
}

/** Another file of the same directory. */
export function beside(place: NamedPath, name: string): NamedPath {
  const at = (path: string) => (dirname(path) === '.' ? name : join(dirname(path), name));
  return { ...place, path: at(place.path), shown: at(place.shown) };
}

export function readText({ root, path }: NamedPath): FileText {
  if (path === '.') return { ok: false, isMissing: false, reason: 'it is a directory' };
  const read = readInside(root, path, LARGEST_BYTES);
  if (read.ok) return { ok: true, text: read.bytes.toString('utf8') };
  return { ok: false, isMissing: read.missing, reason: read.fault };
}

export function isDirectory({ root, path }: NamedPath): boolean {
  if (path === '.') return true;
  const found = lookInside(root, path);
  return found.ok && found.facts.isDirectory();
}
