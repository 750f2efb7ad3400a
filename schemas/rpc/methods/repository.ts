import { z } from 'zod';
import { ConsentPart } from '../../repository/consent.ts';
import { defineAct, defineRead } from '../contract.ts';
import { GitRef, PathText } from '../views/refs.ts';
import { CheckedSettings, RepositoryView, TriedSetup } from '../views/repository.ts';

const Repository = {
  repo: PathText.describe('directory of the repository'),
  base: GitRef.optional().describe(
    'base branch, or a commit id; absent: the branch of the settings, else the one checked out',
  ),
  host: z.string().min(1).optional().describe('the host of the directory; absent: the one that is asked'),
};
const Hashes = z
  .array(z.string())
  .optional()
  .describe('the hashes of what the person read; absent: everything as it is now');

const Part = ConsentPart.optional().describe(
  'only this part: worktree (the set-up), verify (the checks), agents, sandbox, wrap or template',
);

const answeredBy = { hostOf: 'host', elsewhere: 'ask' } as const;
const errors = ['repo_invalid', 'branch_missing', 'settings_invalid', 'consents_unusable', 'git_failed'] as const;

export const repositoryShow = defineRead({
  name: 'repository.show',
  summary: "Show the settings of a repository: what holds, from which file, and what needs a person's consent",
  params: z.strictObject(Repository),
  result: RepositoryView,
  answeredBy,
  withoutDaemon: true,
  errors,
});

export const repositoryCheck = defineRead({
  name: 'repository.check',
  summary: "Check devflow.yaml of a repository, and the person's own file for it",
  params: z.strictObject(Repository),
  result: z.object({ files: z.array(CheckedSettings) }),
  answeredBy,
  withoutDaemon: true,
  errors: ['repo_invalid', 'branch_missing', 'git_failed'],
});

export const repositoryAllow = defineAct({
  name: 'repository.allow',
  summary: 'Allow what the settings of a repository run, exactly as it is now',
  params: z.strictObject({ ...Repository, hashes: Hashes, part: Part }),
  result: RepositoryView,
  answeredBy,
  withoutDaemon: true,
  errors: [...errors, 'settings_changed'],
});

export const repositoryForbid = defineAct({
  name: 'repository.forbid',
  summary: 'Forbid what the settings of a repository would run; devflow does not ask about it again',
  params: z.strictObject({ ...Repository, hashes: Hashes, part: Part }),
  result: RepositoryView,
  answeredBy,
  withoutDaemon: true,
  errors: [...errors, 'settings_changed'],
});

export const repositoryInit = defineAct({
  name: 'repository.init',
  summary: 'Write a commented devflow.yaml that says what devflow guesses, and try it in a scratch worktree',
  params: z.strictObject({
    ...Repository,
    hashes: Hashes,
    write: z.boolean().default(true).describe('false: only show the text, and try'),
    try: z.boolean().default(false).describe('set up a scratch worktree and run the checks there'),
  }),
  result: z.object({
    /** The file in the checkout. */
    path: z.string(),
    text: z.string(),
    written: z.boolean(),
    /** Null unless it was tried. */
    tried: TriedSetup.nullable(),
  }),
  answeredBy,
  errors: [...errors, 'settings_changed', 'file_exists', 'command_failed', 'file_system_failed', 'sandbox_unavailable'],
});
