/** Major and minor: devflow's limits name no more. */
export type Version = readonly [major: number, minor: number];

/** The first number with a dot in it, as in `tmux 3.3a`, `git version 2.39.5` and `v22.1.0`. */
export function readVersion(text: string): Version | undefined {
  const found = /(\d+)\.(\d+)/.exec(text);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

export function isBelow([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}
