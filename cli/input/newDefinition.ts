import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { SLUG } from '../../schemas/names.ts';
import { shellWord } from '../../schemas/text/visible.ts';
import type { Io } from '../io/io.ts';
import { visible } from '../print/text.ts';
import { type DraftKind, draftPlaces, nextVersion } from './drafts.ts';
import { usage } from './parse.ts';

/** The file of a new definition; no path for standard output. */
interface Target {
  version: number;
  path?: string;
  isDraft: boolean;
}

/** Chooses the version and the file, among the drafts by default. Throws usage for a name that cannot be used. */
export async function newDefinition(io: Io, kind: DraftKind, name: string, out: string | undefined): Promise<Target> {
  if (!SLUG.test(name))
    throw usage(`${name} cannot be a name`, 'Use lower-case letters, digits, - and _ (at most 64).');
  if (existsSync(join(packageRoot(), 'schemas', `${kind}s`, `${name}@1.yaml`))) {
    throw usage(`${name}@1 is built in`, 'Choose another name.');
  }
  const version = await nextVersion(io, kind, name);
  if (out === '-') return { version, isDraft: false };
  if (out !== undefined) return { version, path: resolve(io.cwd, out), isDraft: false };
  return { version, path: join(draftPlaces(io, kind).drafts, `${name}@${version}.yaml`), isDraft: true };
}

/** Writes a new definition, and says what to do next. Never overwrites a file. */
export function writeDefinition(io: Io, kind: DraftKind, name: string, { path, isDraft }: Target, text: string): void {
  if (path === undefined) {
    io.out(text);
    return;
  }
  writeNew(path, text);
  const about = isDraft ? name : visible(shellWord(path));
  io.out(`Created ${visible(path)}${isDraft ? ', a draft' : ''}. Change it, then run devflow ${kind} lint ${about}.\n`);
  io.out(`When it is right: devflow ${kind} publish ${about}. From then on this version does not change.\n`);
}

/** Writes a file that does not exist yet, and the directories above it. */
function writeNew(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new DevflowError('file_exists', `${path} exists already, and devflow does not overwrite it`, { cause });
    }
    throw new DevflowError('usage', `${path} cannot be written: ${(cause as Error).message}`, {
      cause,
      recoveryHint: 'Give a place where you may write: --out <file>.',
    });
  }
}
