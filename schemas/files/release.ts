import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './paths.ts';

/** The build replaces this name with a hash of the daemon's sources. It is undefined if the sources run unbuilt. */
declare const __DEVFLOW_BUILD__: string | undefined;

/** Which devflow a program is. Two builds of one version may differ, for example in a git clone. */
export interface Release {
  version: string;
  build?: string;
}

export const BUILD = typeof __DEVFLOW_BUILD__ === 'string' ? __DEVFLOW_BUILD__ : undefined;

/** The version of this installation. */
export function version(): string {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).version;
}

/** Undefined if both are the same, as far as they say. */
export function differingReleases(theirs: Release, ours: Release): { theirs: string; ours: string } | undefined {
  if (theirs.version !== ours.version) return { theirs: theirs.version, ours: ours.version };
  // Older daemons name no build.
  if (ours.build === undefined || theirs.build === ours.build) return undefined;
  return { theirs: named(theirs), ours: named(ours) };
}

/** True if theirs is the newer version. Builds of one version have no order. */
export function isNewer(theirs: Release, ours: Release): boolean {
  const numbers = (text: string) => text.split(/[.-]/).map(Number);
  const [a, b] = [numbers(theirs.version), numbers(ours.version)];
  const at = a.findIndex((number, nth) => number !== b[nth]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

function named({ version, build = 'unknown' }: Release): string {
  return `${version} (build ${build})`;
}
