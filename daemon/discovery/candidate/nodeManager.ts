import { directoryOf, inDirectory, upwards } from './paths.ts';
import type { ReadFile } from './reader.ts';

type Name = 'npm' | 'pnpm' | 'yarn' | 'bun';

export interface NodeManager {
  name: Name;
  /** The lock file that fixes the versions, also one of a directory above. */
  lock: string | undefined;
  /** The lock file or the field is in this directory, or there is none anywhere. */
  isOwner: boolean;
  install: string[];
  /** The words that run a script. */
  run(script: string): string[];
}

const LOCKS: readonly (readonly [file: string, name: Name])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** The field `packageManager` counts first, then the nearest lock file, then npm. */
export function nodeManager({ path, paths }: ReadFile, field: unknown): NodeManager {
  const named = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(typeof field === 'string' ? field : '');
  const directory = directoryOf(path);
  const locks = upwards(directory).flatMap((each) =>
    LOCKS.filter(([, name]) => named === null || name === named[1]).map(
      ([file, name]) => [inDirectory(each, file), name] as const,
    ),
  );
  const [lock, fromLock] = locks.find(([file]) => paths.has(file)) ?? [];
  const name = (named?.[1] as Name | undefined) ?? fromLock ?? 'npm';
  const isModernYarn =
    Number(named?.[2] ?? 1) >= 2 || upwards(directory).some((each) => paths.has(inDirectory(each, '.yarnrc.yml')));
  return {
    name,
    lock,
    isOwner: lock === undefined ? named !== null || directory === '.' : directoryOf(lock) === directory,
    install: installOf(name, lock !== undefined, isModernYarn),
    run: (script) => (script === 'test' && name !== 'bun' ? [name, 'test'] : [name, 'run', script]),
  };
}

function installOf(name: Name, isLocked: boolean, isModernYarn: boolean): string[] {
  if (name === 'npm') return ['npm', isLocked ? 'ci' : 'install'];
  if (!isLocked) return [name, 'install'];
  return [name, 'install', name === 'yarn' && isModernYarn ? '--immutable' : '--frozen-lockfile'];
}
