import type { Profile } from '../tmux/profile/profile.ts';

type Tried = Pick<Profile, 'tried'>;

/** A sentence without a full stop if the version was not tried; undefined also if the program names no version. */
export function untriedNote({ tried }: Tried, versionOutput: string | undefined): string | undefined {
  const [version] = /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(versionOutput ?? '') ?? [];
  if (version === undefined || tried.includes(version)) return undefined;
  return `${version} was not tried with devflow; newest tried: ${newestTried({ tried })}`;
}

export function newestTried({ tried }: Tried): string {
  return tried.at(-1) ?? tried[0];
}
