/** What the build makes of this name: a hash of the daemon's sources. Nothing is built where the sources run themselves. */
declare const __DEVFLOW_BUILD__: string | undefined;

/** Of a program of devflow. Two of one version may differ, in a clone that was built anew. */
export interface Release {
  version: string;
  build?: string;
}

export const BUILD = typeof __DEVFLOW_BUILD__ === 'string' ? __DEVFLOW_BUILD__ : undefined;

/** Undefined where both are the same, as far as they tell. */
export function differingReleases(theirs: Release, ours: Release): { theirs: string; ours: string } | undefined {
  if (theirs.version !== ours.version) return { theirs: theirs.version, ours: ours.version };
  // A daemon from before builds had names says none.
  if (ours.build === undefined || theirs.build === ours.build) return undefined;
  return { theirs: named(theirs), ours: named(ours) };
}

/** Whether theirs is the newer version; of two builds of one version nobody knows. */
export function isNewer(theirs: Release, ours: Release): boolean {
  const numbers = (text: string) => text.split(/[.-]/).map(Number);
  const [a, b] = [numbers(theirs.version), numbers(ours.version)];
  const at = a.findIndex((number, nth) => number !== b[nth]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

function named({ version, build = 'unknown' }: Release): string {
  return `${version} (build ${build})`;
}
