import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { IDLE_FILTER, type Place, type Scene, type Way } from './place.ts';

type Settings = Record<string, string>;

/** A repository with one commit, one changed file, and the settings of an attacker. Returns git's directory of it. */
export function makeNested(place: Place, dir: string, settings: Settings = {}, files: Settings = {}): string {
  cpSync(templateOf(place), dir, { recursive: true });
  for (const [key, value] of Object.entries(settings)) place.config(join(dir, '.git', 'config'), key, value);
  for (const [name, text] of Object.entries({ 'a.txt': 'two\n', ...files })) place.write(join(dir, name), text);
  return join(dir, '.git');
}

function templateOf(place: Place): string {
  const dir = join(place.outside, 'template');
  if (existsSync(dir)) return dir;
  mkdirSync(dir, { recursive: true });
  place.git(dir, 'init', '-q', '-b', 'main', '--template=');
  place.write(join(dir, 'a.txt'), 'one\n');
  place.git(dir, 'add', '-A');
  place.git(dir, 'commit', '-q', '-m', 'Planted');
  return dir;
}

const fsmonitorIn = (name: string, dir: string): Way => ({
  name: `core.fsmonitor of ${name}`,
  plant: (place, program) => {
    makeNested(place, join(place.worktree, dir), { 'core.fsmonitor': program('exit 1') });
  },
});

const inVendor = (
  name: string,
  make: (place: Place, dir: string, program: (body?: string) => string) => void,
): Way => ({
  name: `${name} of a nested repository`,
  plant: (place, program) => make(place, join(place.worktree, 'vendor', name.replace(/\W+/g, '-')), program),
});

/** Nothing but files in the worktree: what a role that only writes files can do. */
export const nestedRepositories: Scene = {
  name: 'nested repositories',
  prepare(place) {
    // A submodule of the base commit: devflow must not descend into it either.
    const made = makeNested(place, join(place.outside, 'made'));
    const commit = place.git(join(made, '..'), 'rev-parse', 'HEAD');
    place.git(place.repo, 'update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
    place.write(join(place.repo, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n');
    mkdirSync(join(place.repo, 'sub'));
    place.git(place.repo, 'add', '.gitmodules');
    place.git(place.repo, 'commit', '-q', '-m', 'A submodule');
  },
  ways: [
    {
      name: 'core.fsmonitor of a repository below .devflow',
      plant(place, program) {
        rmSync(join(place.worktree, '.devflow', '.gitignore'), { force: true });
        makeNested(place, join(place.worktree, '.devflow', 'tool'), { 'core.fsmonitor': program('exit 1') });
      },
    },
    fsmonitorIn('a repository in a directory', 'lib/one'),
    fsmonitorIn('a repository with a newline in its name', 'lib/a\nb'),
    fsmonitorIn('a repository that is named like an option', '--output=x'),
    fsmonitorIn('a repository with a name that is not ASCII', 'lib/ü "quoted"'),
    fsmonitorIn('a submodule of the base commit', 'sub'),
    {
      name: 'core.fsmonitor of a repository in a nested repository',
      plant(place, program) {
        const outer = join(place.worktree, 'lib', 'outer');
        makeNested(place, outer);
        makeNested(place, join(outer, 'inner'), { 'core.fsmonitor': program('exit 1') });
        place.git(outer, 'add', 'inner');
        place.git(outer, 'commit', '-q', '-m', 'Inner');
      },
    },
    {
      name: 'core.fsmonitor of a repository behind a .git file',
      plant(place, program) {
        const dir = join(place.worktree, 'lib', 'linked');
        renameSync(
          makeNested(place, dir, { 'core.fsmonitor': program('exit 1') }),
          join(place.worktree, 'lib', 'hidden'),
        );
        place.write(join(dir, '.git'), 'gitdir: ../hidden\n');
      },
    },
    inVendor('filter.clean', (place, dir, program) =>
      makeNested(place, dir, { 'filter.evil.clean': program('cat') }, { '.gitattributes': '* filter=evil\n' }),
    ),
    inVendor('filter.process', (place, dir, program) =>
      makeNested(place, dir, { 'filter.evil.process': program(IDLE_FILTER) }, { '.gitattributes': '* filter=evil\n' }),
    ),
    inVendor('include.path', (place, dir, program) => {
      place.write(join(dir, 'more'), `[core]\n\tfsmonitor = ${program('exit 1')}\n`);
      makeNested(place, dir, { 'include.path': '../more' });
    }),
    inVendor('config.worktree', (place, dir, program) => {
      makeNested(place, dir, { 'extensions.worktreeConfig': 'true' });
      place.write(join(dir, '.git', 'config.worktree'), `[core]\n\tfsmonitor = ${program('exit 1')}\n`);
    }),
    {
      name: 'post-index-change of a nested repository',
      plant(place, program) {
        const git = makeNested(place, join(place.worktree, 'vendor', 'hooks'));
        place.write(join(git, '..', 'a.txt'), 'one\n');
        program('exit 0', join(git, 'hooks', 'post-index-change'));
      },
    },
    {
      name: 'core.hooksPath of a nested repository',
      plant(place, program) {
        const dir = join(place.worktree, 'vendor', 'hooksPath');
        makeNested(place, dir, { 'core.hooksPath': '.hooks' });
        place.write(join(dir, 'a.txt'), 'one\n');
        program('exit 0', join(dir, '.hooks', 'post-index-change'));
      },
    },
  ],
};

/** Settings of the repository that lead plain git into a submodule, and what waits for it there. */
export const submoduleSettings: Scene = {
  name: 'settings about submodules',
  prepare: nestedRepositories.prepare,
  staysInRepo: true,
  ways: [
    {
      name: 'diff.external of a submodule by diff.submodule=diff',
      plant(place, program) {
        const dir = join(place.worktree, 'sub');
        const settings = { 'diff.submodule': 'diff', 'diff.ignoreSubmodules': 'none', 'submodule.recurse': 'true' };
        for (const [key, value] of Object.entries(settings)) place.config(place.settings, key, value);
        makeNested(place, dir, { 'diff.external': program() });
        place.git(dir, 'commit', '-q', '-a', '-m', 'Moved');
      },
    },
    {
      name: 'submodule.sub.update=!command',
      plant(place, program) {
        place.config(place.settings, 'submodule.sub.url', join(place.outside, 'made'));
        place.config(place.settings, 'submodule.sub.update', `!${program()}`);
      },
    },
    {
      name: 'diff.external',
      plant: (place, program) => place.config(place.settings, 'diff.external', program()),
    },
  ],
  commands: [['submodule', 'update', '--init', '--force']],
};
