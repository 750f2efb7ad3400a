import { inOrder, isBelow, type Mount } from './mounts.ts';
import type { OwnPlace } from './ownPlaces.ts';

export interface Seatbelt {
  mounts: readonly Mount[];
  /** Directories of which other sandboxes have their own. Here the program gets those of the person. */
  own: readonly OwnPlace[];
  home: string;
  /** The directory for temporary files. */
  temporary: string;
  network: boolean;
}

/**
 * A profile for `sandbox-exec` of macOS. Nobody has tried it. It cannot give a program other files under the same path. So
 * it forbids to write elsewhere, to read the rest of the home, and to signal others. The last rule that fits decides. Pure.
 */
export function seatbeltProfile({ mounts, own, home, temporary, network }: Seatbelt): string {
  const ordered = inOrder(mounts);
  const shown = ordered.filter((mount) => (mount.how === 'write' || mount.how === 'read') && mount.from === undefined);
  const written = shown.flatMap(({ path, how }) => (how === 'write' ? [path] : []));
  const kept = shown.filter(({ path, how }) => how === 'write' || written.some((each) => isBelow(path, each)));
  const states = own.flatMap(({ inside }) => (inside === home || inside.endsWith('/tmp') ? [] : [inside]));
  const places = ordered.filter(({ path, how }) => isBelow(path, home) || how === 'empty' || how === 'nothing');
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...kept.map(({ path, how }) => `(${how === 'write' ? 'allow' : 'deny'} file-write* (subpath ${quoted(path)}))`),
    ...allow('file-write*', [...states, temporary]),
    '(allow file-write* (regex #"^/dev/(null|zero|tty|ttys[0-9]+|ptmx|dtracehelper)$"))',
    `(deny file-read* (subpath ${quoted(home)}))`,
    // A path is found through the directories above it.
    `(allow file-read-metadata (subpath ${quoted(home)}))`,
    ...places.map(ruleOf),
    ...allow('file-read*', states),
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    '(deny process-info* (target others))',
    ...(network ? [] : ['(deny network*)']),
    '',
  ].join('\n');
}

function ruleOf(mount: Mount): string {
  const isShown = mount.how === 'read' || mount.how === 'write';
  return `(${isShown ? 'allow' : 'deny'} file-read* (subpath ${quoted(mount.path)}))`;
}

function allow(what: string, paths: readonly string[]): string[] {
  return paths.map((path) => `(allow ${what} (subpath ${quoted(path)}))`);
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
