/**
 * One path of a sandbox. `read` and `write` show a path of the machine, by default the same one. `empty` is a directory and
 * `nothing` a file with nothing in it. `link` is a symbolic link.
 */
export type Mount = { readonly path: string } & (
  | { readonly how: 'read' | 'write'; readonly from?: string }
  | { readonly how: 'empty' | 'nothing' }
  | { readonly how: 'link'; readonly to: string }
);

export const isBelow = (path: string, directory: string): boolean =>
  path.startsWith(directory === '/' ? '/' : `${directory}/`);
export const isAtOrBelow = (path: string, directory: string): boolean => path === directory || isBelow(path, directory);

/** Outer paths first: a later mount lies over an earlier one. Of two mounts of one path the last counts. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...last.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path));
}

function depthOf(path: string): number {
  return path.split('/').length;
}

/** The mount in which this path lies, the innermost of those that the list has. */
export function around(path: string, mounts: readonly Mount[]): Mount | undefined {
  return inOrder(mounts).findLast((mount) => isBelow(path, mount.path));
}

/** Where these paths of the machine are seen inside, also by a link to them or above them. `real`: what a path leads to. */
export function shownAt(
  mounts: readonly Mount[],
  paths: readonly string[],
  real: (path: string) => string = (path) => path,
): string[] {
  const wanted = [...new Set(paths.flatMap((path) => [path, real(path)]))];
  const shown = mounts.flatMap((mount) => {
    if ((mount.how !== 'read' && mount.how !== 'write') || mount.from !== undefined) return [];
    const roots = [...new Set([mount.path, real(mount.path)])];
    return roots.flatMap((root) =>
      wanted.filter((path) => isAtOrBelow(path, root)).map((path) => mount.path + path.slice(root.length)),
    );
  });
  return [...new Set(shown)];
}

/** Hides these paths where another mount would show them. Paths below them that have a mount of their own stay. */
export function withHidden(
  mounts: readonly Mount[],
  hidden: readonly string[],
  real: (path: string) => string = (path) => path,
): Mount[] {
  return [...mounts, ...shownAt(mounts, hidden, real).map((path): Mount => ({ path, how: 'empty' }))];
}

/** The paths of the machine that a program inside can see at `path`; undefined for none. */
export function sourceOf(mount: Mount): string | undefined {
  return mount.how === 'read' || mount.how === 'write' ? (mount.from ?? mount.path) : undefined;
}
