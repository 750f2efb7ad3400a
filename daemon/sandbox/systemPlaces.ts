import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '../../schemas/orElse.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';
import { isBelow, type Mount } from './mounts.ts';

/** Directories with programs, libraries and their settings. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt'],
  ...['/nix/store', '/nix/var/nix/profiles', '/run/current-system', '/home/linuxbrew/.linuxbrew', '/snap'],
  ...['/var/lib/gems', '/var/lib/ghc', '/var/lib/texmf', '/var/cache/fontconfig'],
  // Limits of processors and memory.
  ...['/sys/devices/system/cpu', '/sys/fs/cgroup'],
];

/** Root would still be root for these files. So what it may write is only read, and what only it may read is hidden. */
const KERNEL = ['/proc/sys', '/proc/bus', '/proc/fs', '/proc/irq', '/proc/sysrq-trigger', '/proc/mtrr'];
const KERNEL_HIDDEN = [
  ...[
    '/proc/acpi',
    '/proc/asound',
    '/proc/kcore',
    '/proc/keys',
    '/proc/key-users',
    '/proc/latency_stats',
    '/proc/scsi',
  ],
  ...['/proc/sched_debug', '/proc/timer_list', '/proc/kallsyms', '/proc/kpagecount', '/proc/kpageflags'],
];

/** A name server of the system may have its address in a file there. */
const RESOLVER = '/etc/resolv.conf';

const MOST_ENTRIES = 20_000;

/** The system, for reading. Files that only their owner may read are hidden, because root would be that owner inside, too. */
export function systemPlaces(): Mount[] {
  const shown = SYSTEM.flatMap((path): Mount[] => {
    const facts = factsOf(path);
    if (!facts) return [];
    return [facts.isSymbolicLink() ? { path, how: 'link', to: readlinkSync(path) } : { path, how: 'read' }];
  });
  const mounts = [...shown, ...resolver(), ...kernel()];
  if (process.getuid?.() !== 0) return mounts;
  const now = steadyNow();
  if (secrets === undefined || now - secrets.foundAt > FOUND_FOR_MS)
    secrets = { foundAt: now, mounts: OF_THE_MACHINE.flatMap(([root, deep]) => secretsBelow(root, deep)) };
  return [...mounts, ...secrets.mounts];
}

/** Directories with settings of the machine and its programs, and the depth of the search. */
const OF_THE_MACHINE = [
  ['/etc', 6],
  ['/opt', 3],
  ['/usr/local', 3],
] as const;
/** They take tens of milliseconds to find. */
const FOUND_FOR_MS = 10 * 60_000;
let secrets: { foundAt: number; mounts: Mount[] } | undefined;

function kernel(): Mount[] {
  const read = KERNEL.filter(factsOf).map((path): Mount => ({ path, how: 'read' }));
  const hidden = KERNEL_HIDDEN.flatMap((path): Mount[] => {
    const facts = factsOf(path);
    return facts ? [{ path, how: facts.isDirectory() ? 'empty' : 'nothing' }] : [];
  });
  return [...read, ...hidden];
}

function resolver(): Mount[] {
  const path = realPathOf(RESOLVER);
  return path === undefined || isBelow(path, '/etc') ? [] : [{ path, how: 'read' }];
}

/** Files and directories that other users may not read. */
export function secretsBelow(root: string, deep: number): Mount[] {
  const found: Mount[] = [];
  const directories = [{ path: root, depth: 1 }];
  let left = MOST_ENTRIES;
  for (const { path: directory, depth } of directories) {
    for (const name of namesIn(directory)) {
      const path = join(directory, name);
      const facts = factsOf(path);
      left -= 1;
      if (!facts || left < 0) continue;
      const isOpen = (facts.mode & 0o004) !== 0;
      if (facts.isDirectory() && !isOpen) found.push({ path, how: 'empty' });
      else if (facts.isFile() && !isOpen) found.push({ path, how: 'nothing' });
      else if (facts.isDirectory() && depth < deep) directories.push({ path, depth: depth + 1 });
    }
  }
  return found;
}

/**
 * Sockets in directories that are shown. A directory that is only read does not close them, so each is covered. A socket
 * that somebody opens later stays reachable. So does one with a relative name: the system does not tell its place.
 */
export function openSockets(): string[] {
  const lines = orElse(() => readFileSync('/proc/net/unix', 'utf8'), '').split('\n');
  const paths = lines.map((line) => /^\S+ \S+ \S+ (?:\S+ +){4}(\/.*)$/.exec(line)?.[1]);
  return [...new Set(paths.filter((path) => path !== undefined))].filter((path) => factsOf(path)?.isSocket());
}

export function factsOf(path: string): Stats | undefined {
  return orElse(() => lstatSync(path));
}

export function realPathOf(path: string): string | undefined {
  return orElse(() => realpathSync.native(path));
}

/** None in a directory that is missing, or that may not be read. */
export function namesIn(directory: string): string[] {
  return orElse(() => readdirSync(directory), []);
}
