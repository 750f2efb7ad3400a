import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeNested } from './nested.ts';
import { IDLE_FILTER, type Place, type Scene, type Way } from './place.ts';

const attributes = (place: Place, line: string) => place.append(join(place.worktree, '.gitattributes'), `${line}\n`);

const setting = (key: string, body?: string, more?: (place: Place) => void): Way => ({
  name: key,
  plant(place, program) {
    place.config(place.settings, key, program(body));
    more?.(place);
  },
});

/** A setting of a driver, and a file of the agent's that asks for it. */
const driver = (kind: 'filter' | 'diff', what: string, body?: string): Way => {
  const name = `by-${kind}-${what}`;
  return setting(`${kind}.${name}.${what}`, body, (place) => {
    attributes(place, `*.${name} ${kind}=${name}`);
    place.write(join(place.worktree, `x.${name}`), 'data\n');
  });
};

/** A commit with a signature, so that what checks it is run. */
function sign(place: Place): void {
  const text = place.git(place.worktree, 'cat-file', 'commit', 'HEAD');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----';
  const file = join(place.outside, 'signed');
  place.write(file, `${text.replace('\n\n', `\n${signature}\n\n`)}\n`);
  const commit = place.git(place.worktree, 'hash-object', '-t', 'commit', '-w', file);
  place.git(place.worktree, 'update-ref', 'HEAD', commit);
  place.config(place.settings, 'log.showSignature', 'true');
}

/** The repository's own settings, and attributes in the worktree that ask for what they name. */
export const repositorySettings: Scene = {
  name: 'settings of the repository',
  prepare(place) {
    // What the base commit brings is smudged when the next run makes its worktree.
    place.write(join(place.repo, '.gitattributes'), '*.smudged filter=smudged\n*.both filter=both\n');
    place.write(join(place.repo, 'x.smudged'), 'data\n');
    place.write(join(place.repo, 'x.both'), 'data\n');
    place.git(place.repo, 'add', '-A');
    place.git(place.repo, 'commit', '-q', '-m', 'Attributes');
  },
  staysInRepo: true,
  ways: [
    setting('core.fsmonitor', 'exit 1'),
    driver('filter', 'clean', 'cat'),
    driver('filter', 'process', IDLE_FILTER),
    setting('filter.smudged.smudge', 'cat'),
    setting('filter.both.process', IDLE_FILTER),
    driver('diff', 'textconv', 'cat "$1"'),
    driver('diff', 'command'),
    setting('core.editor', 'exit 1'),
    setting('gpg.program', 'exit 1', sign),
    setting('gpg.ssh.defaultKeyCommand', 'echo "key::ssh-ed25519 AAAA"', (place) => {
      place.config(place.settings, 'commit.gpgsign', 'true');
      place.config(place.settings, 'gpg.format', 'ssh');
    }),
    setting('gpg.ssh.program', 'exit 1'),
    setting('trailer.x.command'),
    setting('trailer.y.cmd'),
    {
      name: 'core.alternateRefsCommand',
      plant(place, program) {
        const other = makeNested(place, join(place.outside, 'other'));
        place.write(join(place.repo, '.git', 'objects', 'info', 'alternates'), `${join(other, 'objects')}\n`);
        place.config(place.settings, 'core.alternateRefsCommand', program());
        place.config(place.settings, 'remote.other.url', join(place.outside, 'other'));
      },
    },
  ],
  commands: [
    ['-c', 'commit.gpgsign=false', 'commit', '--amend', '--no-verify'],
    ['interpret-trailers', '--trailer', 'x=1', '--trailer', 'y=1'],
    ['fetch', 'other'],
  ],
};

/** Files that settings lead to: what is planted there is not in the repository's own config. */
export const settingsElsewhere: Scene = {
  name: 'settings in other files',
  staysInRepo: true,
  ways: [
    {
      name: 'include.path into the worktree',
      plant(place, program) {
        const file = join(place.worktree, '.settings');
        place.write(file, `[core]\n\tfsmonitor = ${program('exit 1')}\n`);
        place.config(place.settings, 'include.path', file);
      },
    },
    {
      name: 'includeIf.gitdir into the worktree',
      plant(place, program) {
        const file = join(place.worktree, '.more');
        place.write(file, `[diff]\n\texternal = ${program()}\n`);
        place.config(place.settings, 'includeIf.gitdir:**.path', file);
      },
    },
    {
      name: 'info/attributes of the repository',
      plant(place, program) {
        place.config(place.settings, 'filter.info.clean', program('cat'));
        place.write(join(place.repo, '.git', 'info', 'attributes'), '*.info filter=info\n');
        place.write(join(place.worktree, 'x.info'), 'data\n');
      },
    },
    {
      name: 'core.attributesFile',
      plant(place, program) {
        place.config(place.settings, 'filter.attr.clean', program('cat'));
        place.config(place.settings, 'core.attributesFile', join(place.worktree, '.attributes'));
        place.write(join(place.worktree, '.attributes'), '*.attr filter=attr\n');
        place.write(join(place.worktree, 'x.attr'), 'data\n');
      },
    },
    {
      name: '.gitattributes in a directory',
      plant(place, program) {
        place.config(place.settings, 'filter.deep.clean', program('cat'));
        place.write(join(place.worktree, 'deep', '.gitattributes'), '* filter=deep\n');
        place.write(join(place.worktree, 'deep', 'x'), 'data\n');
      },
    },
  ],
};

/** The worktree's own settings, which git reads after those of the repository. */
export const settingsOfWorktree: Scene = {
  name: 'settings of the worktree',
  ways: ['core.fsmonitor', 'diff.external'].map((key) => ({
    name: `${key} in config.worktree`,
    plant(place, program) {
      place.config(place.settings, 'extensions.worktreeConfig', 'true');
      place.config(join(place.gitDir, 'config.worktree'), key, program('exit 1'));
    },
  })),
};

/** A missing object makes git fetch it, from a remote and by a transport of the attacker's choice. */
export const lazyFetch: Scene = {
  name: 'a lazy fetch',
  ways: (
    [
      ['core.sshCommand', 'ssh://127.0.0.1/x', ['core.sshCommand']],
      ['the ext transport', 'ext::', []],
      ['remote.uploadpack', '.', ['remote.uploadpack.uploadpack']],
      ['core.gitProxy', 'git://127.0.0.1/x', ['core.gitProxy']],
    ] as const
  ).map(([name, url, keys]) => ({
    name: `${name} of a lazy fetch`,
    plant(place, program) {
      const path = program('exit 1');
      const remote = name.replace(/.*[ .]/, '');
      const config = (key: string, value: string) => place.config(place.settings, key, value);
      for (const key of keys) config(key, path);
      config('core.repositoryFormatVersion', '1');
      config('extensions.partialClone', remote);
      config('protocol.ext.allow', 'always');
      config(`remote.${remote}.promisor`, 'true');
      config(`remote.${remote}.url`, url === 'ext::' ? `ext::${path}` : url === '.' ? place.outside : url);
      place.write(join(place.worktree, 'README.md'), '# Changed\n');
      forget(place, 'README.md');
    },
  })),
};

/** Takes the object of a file of the base commit away. */
function forget(place: Place, file: string): void {
  const [, id = ''] = /blob (\S+)/.exec(place.git(place.repo, 'ls-tree', 'main', file)) ?? [];
  const objects = join(place.repo, '.git', 'objects', id.slice(0, 2));
  for (const name of readdirSync(objects)) if (name === id.slice(2)) rmSync(join(objects, name));
}
