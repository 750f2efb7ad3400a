import type { ExchangeState } from '../run/exchangeState.ts';

/** A file that says when it changed, and its text at a time. */
export interface Timed {
  path: string;
  at(time: string): string;
}

/** The files with a group that changes together, if one of them changed. */
export function withTimed(files: ExchangeState['files'], group: readonly Timed[], now: string): ExchangeState['files'] {
  const isSame = group.every(({ path, at }) => {
    const text = files[path];
    return text !== undefined && at(timeIn(text)) === text;
  });
  return isSame ? files : { ...files, ...Object.fromEntries(group.map(({ path, at }) => [path, at(now)])) };
}

/** The time that a text of devflow's says. */
function timeIn(text: string): string {
  return /"?(?:updated_at|produced_at)"?: "([^"]*)"/.exec(text)?.[1] ?? '';
}
