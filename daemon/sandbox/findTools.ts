import { findOnPath } from '../../schemas/config/backendBinaries.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Sandbox } from '../../schemas/sandbox.ts';
import { isAtOrBelow } from './mounts.ts';
import type { SandboxTools } from './prepareSandbox.ts';
import { hasFilter } from './seccomp.ts';
import { realPathOf, systemPlaces } from './systemPlaces.ts';

/** `Sandbox.open` says this where the system cannot close them. */
export const ABSTRACT_SOCKETS = 'abstract sockets';
/** Seatbelt leaves these open, as far as anybody knows. */
export const OPEN_ON_MACOS = ['files outside of the home, for reading', 'sockets', "the program's own state"];

export const INSTALL =
  'Install bubblewrap and perl with the package manager of this machine (apt-get install bubblewrap perl).';

/** The programs that make a sandbox. Throws sandbox_unavailable. */
export function findTools(searchPath: string, { open = [] }: Pick<Sandbox, 'open'>): SandboxTools {
  const seatbelt = process.platform === 'darwin' ? findOnPath('sandbox-exec', '/usr/bin') : undefined;
  if (seatbelt !== undefined) return { kind: 'seatbelt', program: seatbelt };
  if (process.platform !== 'linux')
    throw unavailable(`there is none for ${process.platform}`, 'Start without a sandbox.');
  if (!hasFilter(process.arch)) throw unavailable(`there is none for ${process.arch}`, 'Start without a sandbox.');
  const [bubblewrap, perl] = [findOnPath('bwrap', searchPath), findPerl(searchPath)];
  if (bubblewrap === undefined) throw unavailable('bwrap is not on PATH', INSTALL);
  if (perl === undefined) throw unavailable('perl is not on PATH, in a directory of the system', INSTALL);
  return { kind: 'bubblewrap', bubblewrap, perl, closesAbstractSockets: !open.includes(ABSTRACT_SOCKETS) };
}

/** It runs inside, too, where the directories of a person may be missing. */
function findPerl(searchPath: string): string | undefined {
  const system = systemPlaces();
  const isOfSystem = (path: string) => system.some((each) => isAtOrBelow(realPathOf(path) ?? path, each.path));
  const directories = searchPath.split(':').filter((directory) => isOfSystem(directory));
  return findOnPath('perl', directories.join(':'));
}

export function unavailable(why: string, recoveryHint: string): DevflowError {
  return new DevflowError('sandbox_unavailable', `devflow cannot make a sandbox here: ${why}.`, { recoveryHint });
}
