/** At most nine digits each, so that they are numbers. */
export const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

/**
 * The next version of a part. The first update in iteration n has 1.(n-1).0, the next ones count the last number. A version
 * never goes back.
 */
export function nextVersion(version: string | undefined, iteration: number): string {
  const own = [1, iteration - 1, 0] as const;
  if (version === undefined || isLess(numbersOf(version), own)) return own.join('.');
  const [major, minor, patch] = numbersOf(version);
  return `${major}.${minor}.${patch + 1}`;
}

/** True if a version is of a later iteration. */
export function isAhead(version: string, iteration: number): boolean {
  return !isLess(numbersOf(version), [1, iteration, 0]);
}

/** In which iteration a version was made. */
export function iterationOf(version: string): number {
  const [major, minor] = numbersOf(version);
  return major === 1 ? minor + 1 : 1;
}

function numbersOf(version: string): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return [major, minor, patch];
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const differs = a.findIndex((number, at) => number !== b[at]);
  return differs >= 0 && (a[differs] as number) < (b[differs] as number);
}
