import type { RepositoryView } from '../../../schemas/rpc/views/repository.ts';

const FILE = 'devflow.yaml';

/** The settings of the repository, of which the checks are a guess and nothing is allowed yet. */
export const SETTINGS: RepositoryView = {
  repoPath: '/home/ada/greeting',
  name: 'greeting',
  baseBranch: 'main',
  baseCommit: '5f0c2a9be1d34c6f8a7b9c0d1e2f3a4b5c6d7e8f',
  hasFile: true,
  person: {
    path: '/home/ada/.config/devflow/repositories/greeting.yaml',
    exact: '/home/ada/.config/devflow/repositories/greeting-0c9f1e2a.yaml',
    exists: false,
  },
  rows: [
    { key: 'template', value: 'quick-change@1', from: FILE, line: 1 },
    { key: 'verify', value: [['npm', 'test']], from: 'guess', why: 'package.json:7' },
    { key: 'backends.implementer', value: 'claude', from: FILE, line: 2 },
    { key: 'worktree.copy', value: ['.env.local'], from: FILE, line: 4 },
    { key: 'worktree.setup', value: [['npm', 'ci']], from: 'guess', why: 'package-lock.json' },
    { key: 'worktree.again', value: ['package-lock.json'], from: 'guess', why: 'package-lock.json' },
    { key: 'worktree.ports', value: ['PORT'], from: FILE, line: 5 },
  ],
  consents: [
    {
      part: 'worktree',
      hash: 'a'.repeat(64),
      state: 'unknown',
      lines: [
        'copy .env.local (devflow.yaml:4)',
        'run npm ci (guess: package-lock.json)',
        'take a free port for PORT (devflow.yaml:5)',
      ],
      from: [FILE, 'guess'],
    },
    {
      part: 'verify',
      hash: 'b'.repeat(64),
      state: 'allowed',
      lines: ['check with npm test (guess: package.json:7)'],
      from: ['guess'],
    },
  ],
  setup: null,
};
