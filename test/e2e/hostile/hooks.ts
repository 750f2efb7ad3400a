import { join } from 'node:path';
import type { Place, Scene, Way } from './place.ts';

const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-index-change'];

const hook = (name: string, where: string, dir: (place: Place) => string): Way => ({
  name: `${name} in ${where}`,
  plant: (place, program) => void program('exit 0', join(dir(place), name)),
});

export const repositoryHooks: Scene = {
  name: 'hooks of the repository',
  staysInRepo: true,
  ways: [
    {
      name: 'pre-auto-gc in .git/hooks',
      plant(place, program) {
        // More packs than the limit, so that a commit starts a collection.
        for (const branch of ['one', 'two']) {
          const tree = place.git(place.repo, 'rev-parse', 'HEAD^{tree}');
          const commit = place.git(place.repo, 'commit-tree', tree, '-m', branch);
          place.git(place.repo, 'branch', branch, commit);
          place.git(place.repo, 'repack', '-q', '-d');
        }
        place.config(place.settings, 'gc.autoPackLimit', '1');
        program('exit 1', join(place.repo, '.git', 'hooks', 'pre-auto-gc'));
      },
    },
    ...[...HOOKS, 'reference-transaction', 'post-checkout'].map((name) =>
      hook(name, '.git/hooks', ({ repo }) => join(repo, '.git', 'hooks')),
    ),
  ],
};

export const hooksPath: Scene = {
  name: 'core.hooksPath into the worktree',
  ways: [...HOOKS, 'reference-transaction'].map((name) => ({
    name: `${name} in core.hooksPath`,
    plant(place, program) {
      program('exit 0', join(place.worktree, '.hooks', name));
      place.config(place.settings, 'core.hooksPath', '.hooks');
    },
  })),
};
