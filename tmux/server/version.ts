/**
 * The version of `tmux -V` or `#{version}`. A build of OpenBSD has that system's number, which says nothing about tmux.
 */
export type TmuxVersion =
  | {
      readonly kind: 'release';
      readonly major: number;
      readonly minor: number;
      readonly patch: string;
      readonly text: string;
    }
  | { readonly kind: 'next'; readonly major: number; readonly minor: number; readonly text: string }
  | { readonly kind: 'openbsd'; readonly major: number; readonly minor: number; readonly text: string }
  | { readonly kind: 'unknown'; readonly text: string };

/**
 * Never throws: an unreadable version (`master`) is `unknown`. Accepts `3.3a`, `tmux 3.5`, `next-3.6`, `openbsd-7.4`,
 * `3.5-rc2`.
 */
export function parseVersion(output: string): TmuxVersion {
  const text = output.trim().replace(/^tmux\s+/, '');
  const match = /^(next-|openbsd-)?(\d+)\.(\d+)([a-z]?)(?:-rc\d*)?$/.exec(text);
  if (match === null) return { kind: 'unknown', text };
  const [, prefix, major, minor, patch = ''] = match;
  const numbers = { major: Number(major), minor: Number(minor), text };
  if (prefix === 'openbsd-') return { kind: 'openbsd', ...numbers };
  if (prefix === 'next-') return { kind: 'next', ...numbers };
  return { kind: 'release', ...numbers, patch };
}
