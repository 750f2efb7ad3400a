import { normalize } from 'node:path';
import type { Sandbox } from '../../schemas/sandbox.ts';
import { isAtOrBelow, type Mount } from './mounts.ts';
import { realPathOf } from './systemPlaces.ts';

/** The places that a person added to the sandbox. Missing paths are left out, and those in the directories of devflow. */
export function wishedPlaces({ read = [], write = [] }: Sandbox, hidden: readonly string[]): Mount[] {
  const own = hidden.map((path) => realPathOf(path) ?? path);
  const isOwn = (path: string) => own.some((each) => isAtOrBelow(realPathOf(path) ?? path, each));
  return [...placesOf(read, 'read'), ...placesOf(write, 'write')].filter(({ path }) => !isOwn(path));
}

/** Other parts of devflow compare paths as texts. */
function placesOf(paths: readonly string[], how: 'read' | 'write'): Mount[] {
  return paths.map((path) => ({ path: normalize(path).replace(/(?<=.)\/+$/, ''), how }));
}
