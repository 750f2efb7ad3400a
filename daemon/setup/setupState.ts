import { join } from 'node:path';
import { z } from 'zod';
import { orElse } from '../../schemas/orElse.ts';
import { readText } from '../repository/git/repositoryFiles.ts';
import { keepText } from '../repository/privateGit/keepFiles.ts';
import { keepBeside, readBeside } from '../repository/privateGit/keptBeside.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';

/** Something of the checkout that is in the worktree. */
export const PlacedPath = z.strictObject({
  path: z.string(),
  how: z.enum(['copied', 'cloned', 'linked']),
  files: z.number(),
  bytes: z.number(),
  /** True if the disk shares the bytes of both until one of them changes. */
  shared: z.boolean(),
  /** Anything but a file, link or directory, and what cannot be read. */
  skipped: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
});
export type PlacedPath = z.infer<typeof PlacedPath>;

/** The worktree before the commands of a set-up. Names have one character per byte. */
const Before = z.strictObject({
  id: z.string(),
  /** The commit of the branch. */
  tip: z.string(),
  /** The tracked files as they were, also those that an agent had changed. */
  tree: z.string(),
  /** Files that git did not know, and would have committed. Directories end with a slash. */
  untracked: z.array(z.string()),
});
export type Before = z.infer<typeof Before>;

/** The result of the commands of a set-up. Names are text. */
const Finished = z.strictObject({ id: z.string(), changed: z.array(z.string()), excluded: z.array(z.string()) });
export type Finished = z.infer<typeof Finished>;

/** The progress of a set-up. It lies in devflow's git directory of the worktree, and goes with that. */
const SetupState = z.strictObject({
  /** Written before the paths appear: each then appears whole. */
  placed: z.array(PlacedPath),
  /** The hash of the lock file for which a directory was cloned; null: a command made it another one. */
  clonedFor: z.record(z.string(), z.string().nullable()).default({}),
  before: Before.nullable(),
  finished: Finished.nullable(),
  ports: z.record(z.string(), z.number()),
  /** When each command began, by its id. */
  started: z.record(z.string(), z.string()),
  /** The inputs of the last set-up that succeeded. */
  done: z.string().nullable(),
});
export type SetupState = z.infer<typeof SetupState>;

const FILE = 'setup.json';
const NOTHING: SetupState = {
  placed: [],
  clonedFor: {},
  before: null,
  finished: null,
  ports: {},
  started: {},
  done: null,
};

/** A broken file counts as none: a set-up that is done again adopts what it finds. */
export async function readSetupState({ gitDir }: Pick<PrivateGit, 'gitDir'>): Promise<SetupState> {
  const text = await readText(join(gitDir, FILE));
  return text === undefined ? NOTHING : orElse(() => SetupState.parse(JSON.parse(text)), NOTHING);
}

/** The ports of a worktree, whether or not git has its entry. */
export function portsBeside(path: string): SetupState['ports'] {
  const kept = readBeside(path, FILE);
  return kept === undefined ? {} : orElse(() => SetupState.parse(JSON.parse(kept.toString())).ports, {});
}

export async function keepSetupState(
  privateGit: Pick<PrivateGit, 'gitDir' | 'path'>,
  change: Partial<SetupState>,
): Promise<SetupState> {
  const state = { ...(await readSetupState(privateGit)), ...change };
  await keepText(join(privateGit.gitDir, FILE), `${JSON.stringify(state)}\n`);
  // Variables of agents name the git directory, which may get another name. So it is then set up again.
  await keepBeside(privateGit.path, FILE, Buffer.from(`${JSON.stringify({ ...state, done: null })}\n`));
  return state;
}
