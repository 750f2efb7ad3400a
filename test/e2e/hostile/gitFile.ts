import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeNested } from './nested.ts';
import type { Place, Scene, Way } from './place.ts';

/** A repository with everything in it that git runs while it looks at files and commits them. */
function ways(what: string, makeIt: (place: Place) => string): Way[] {
  let git = '';
  return [
    {
      name: `core.fsmonitor of ${what}`,
      plant(place, program) {
        git = makeIt(place);
        place.append(join(git, 'config'), `[core]\n\tfsmonitor = ${program('exit 1')}\n`);
      },
    },
    {
      name: `clean filter of ${what}`,
      plant(place, program) {
        place.append(join(git, 'config'), `[filter "planted"]\n\tclean = ${program('cat')}\n`);
        place.write(join(git, 'info', 'attributes'), '* filter=planted\n');
      },
    },
    ...['post-index-change', 'pre-commit'].map((name) => ({
      name: `${name} of ${what}`,
      plant: (_: Place, program: (body: string, path: string) => string) =>
        void program('exit 0', join(git, 'hooks', name)),
    })),
  ];
}

const evilIn = (place: Place, name: string) => makeNested(place, join(place.worktree, '.devflow', name));

const evil = ({ worktree }: Place) => [join(worktree, '.devflow', 'evil', '.git')];
const around = ({ worktree }: Place) => [join(dirname(worktree), '.git')];

/** The repository that a worktree belongs to is said by files that an agent can write. */
export const gitFiles: Scene[] = [
  {
    name: '.git of the worktree names another repository',
    others: evil,
    ways: ways('a repository that .git names', (place) => {
      const git = evilIn(place, 'evil');
      place.write(join(place.worktree, '.git'), `gitdir: ${git}\n`);
      return git;
    }),
  },
  {
    name: '.git of the worktree is a directory',
    others: ({ worktree }) => [`${worktree}.git.aside-1`, join(worktree, '.git')],
    ways: ways('a .git directory', (place) => {
      const git = join(place.worktree, '.git');
      rmSync(git);
      renameSync(evilIn(place, 'evil'), git);
      return git;
    }),
  },
  {
    name: '.git of the worktree is a link',
    others: evil,
    ways: ways('a linked .git', (place) => {
      const git = evilIn(place, 'evil');
      rmSync(join(place.worktree, '.git'));
      symlinkSync(git, join(place.worktree, '.git'));
      return git;
    }),
  },
  {
    name: '.git of the worktree is gone and the worktree looks like a bare repository',
    others: ({ worktree }) => [worktree],
    ways: ways('a bare repository in the worktree', (place) => {
      rmSync(join(place.worktree, '.git'));
      const git = evilIn(place, 'evil');
      for (const name of ['HEAD', 'config', 'objects', 'refs', 'index']) {
        cpSync(join(git, name), join(place.worktree, name), { recursive: true });
      }
      const file = join(place.worktree, 'config');
      const bare = readFileSync(file, 'utf8').replace('bare = false', `bare = false\n\tworktree = ${place.worktree}`);
      place.write(file, bare);
      return place.worktree;
    }),
  },
  {
    name: 'commondir of the worktree names another repository',
    others: evil,
    ways: ways('a repository that commondir names', (place) => {
      const git = evilIn(place, 'evil');
      place.write(join(place.gitDir, 'commondir'), `${git}\n`);
      return git;
    }),
  },
  {
    name: '.git of the worktree is gone, inside of another repository',
    others: around,
    ways: ways('a surrounding repository without .git', (place) => {
      rmSync(join(place.worktree, '.git'));
      return makeNested(place, dirname(place.worktree));
    }),
  },
  {
    name: 'the worktree is empty, inside of another repository',
    others: around,
    ways: ways('a surrounding repository without worktree', (place) => {
      rmSync(place.worktree, { recursive: true });
      mkdirSync(place.worktree);
      return makeNested(place, dirname(place.worktree));
    }),
  },
  {
    name: 'gitdir of the worktree names another directory',
    others: ({ outside }) => [join(outside, 'precious', '.git')],
    ways: [],
    tamper(place) {
      const git = makeNested(place, join(place.outside, 'precious'));
      place.write(join(place.gitDir, 'gitdir'), `${git}\n`);
    },
  },
];
