import { lstatSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside, makeInside, visitInside, writeInside } from '../../schemas/files/insideRoot.ts';
import { around, isBelow, type Mount, sourceOf } from './mounts.ts';
import type { Known } from './startScript.ts';
import { factsOf } from './systemPlaces.ts';

/**
 * An agent may have left a link where something is to be mounted. So devflow makes each such place itself before the program
 * starts, and follows no link. `startScript.ts` compares inside what another agent could still replace.
 */
export function makeMountPoints(
  mounts: readonly Mount[],
  /** More directories that agents write to, from here or from another sandbox. */
  more: readonly string[],
): { mounts: Mount[]; known: Known[] } {
  const written = [...more, ...mounts.flatMap((mount) => (mount.how === 'write' ? (sourceOf(mount) ?? []) : []))];
  const made: Mount[] = [];
  const known: Known[] = [];
  for (const mount of mounts) {
    const outer = around(mount.path, made);
    const source = sourceOf(mount);
    const facts = source === undefined ? undefined : sourceFacts(source, written);
    if (source !== undefined && facts === undefined) continue;
    const isDirectory = facts?.isDirectory ?? mount.how === 'empty';
    if (outer?.how === 'write' && outer.from !== undefined) {
      ensurePoint(outer.from, relative(outer.path, mount.path), isDirectory);
    } else if (outer?.how === 'read' || outer?.how === 'write') {
      const [root, path] = [sourceOf(outer) ?? '', relative(outer.path, mount.path)];
      if (isShown(outer, mount) || !factsOf(join(root, path))) continue;
      // The target of the link is hidden itself, and a mount would follow the link.
      if (source === undefined && hasLink(root, path)) continue;
    }
    made.push(mount);
    const isAgents = outer?.how === 'write' || written.some((path) => isBelow(mount.path, path));
    if (isAgents && facts) known.push({ path: mount.path, ...facts });
  }
  return { mounts: made, known };
}

/** The outer mount shows it already, with the same right. */
function isShown(outer: Mount, mount: Mount): boolean {
  const isSame = (each: Mount) => sourceOf(each) === each.path;
  return outer.how === mount.how && isSame(outer) && isSame(mount);
}

/** Makes an empty file or directory, in place of whatever else is there. */
function ensurePoint(root: string, path: string, isDirectory: boolean): void {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count += 1)
    replaceUnless('directory', root, parts.slice(0, count).join('/'));
  replaceUnless(isDirectory ? 'directory' : 'file', root, path);
  const made = isDirectory
    ? makeInside(root, path)
    : factsOf(join(root, path))
      ? undefined
      : writeInside(root, path, '');
  if (made === undefined || made.ok) return;
  throw new DevflowError('path_unsafe', `The sandbox could not be prepared: ${join(root, path)} is not usable.`);
}

function replaceUnless(kind: 'directory' | 'file', root: string, path: string): void {
  const found = lookInside(root, path);
  if (!found.ok) return;
  if (kind === 'directory' ? found.facts.isDirectory() : found.facts.isFile()) return;
  visitInside(root, dirname(path), (directory) => {
    rmSync(join(directory, basename(path)), { recursive: true, force: true });
  });
}

type Facts = Pick<Known, 'dev' | 'ino'> & { isDirectory: boolean };

/**
 * The file or directory behind a path; undefined if there is none. Below a directory that agents write to, a link is none:
 * it could lead anywhere.
 */
function sourceFacts(source: string, written: readonly string[]): Facts | undefined {
  const root = written.filter((path) => isBelow(source, path)).sort((a, b) => a.length - b.length)[0];
  if (root === undefined) return factsAt(source, (path) => statSync(path, { bigint: true }));
  let facts: Facts | undefined;
  const path = relative(root, source);
  visitInside(root, dirname(path), (directory) => {
    facts = factsAt(join(directory, basename(path)), (at) => lstatSync(at, { bigint: true }));
  });
  return facts;
}

function factsAt(
  path: string,
  read: (path: string) => { dev: bigint; ino: bigint; isDirectory(): boolean; isSymbolicLink(): boolean },
): Facts | undefined {
  try {
    const facts = read(path);
    if (facts.isSymbolicLink()) return undefined;
    return { dev: String(facts.dev), ino: String(facts.ino), isDirectory: facts.isDirectory() };
  } catch {
    return undefined;
  }
}

function hasLink(root: string, path: string): boolean {
  const parts = path.split('/');
  return parts.some((_, at) => lstatSync(join(root, ...parts.slice(0, at + 1))).isSymbolicLink());
}
