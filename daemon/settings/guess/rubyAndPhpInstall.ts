import { orElse } from '../../../schemas/orElse.ts';
import { inDirectory } from '../../discovery/candidate/paths.ts';
import { recordOf } from '../../discovery/candidate/reader.ts';
import type { Ecosystem } from './install.ts';

/** Ruby keeps gems beside each other for all projects, so there is nothing to clone. */
export const rubyInstall: Ecosystem = {
  manifests: ['Gemfile'],
  installOf(directory, { paths }) {
    const lock = inDirectory(directory, 'Gemfile.lock');
    const gemfile = inDirectory(directory, 'Gemfile');
    if (directory !== '.' && !paths.has(lock)) return undefined;
    const because = paths.has(lock) ? lock : gemfile;
    return {
      commands: [['bundle', 'install', ...(directory === '.' ? [] : ['--gemfile', gemfile])]],
      because: [because],
      again: [because],
    };
  },
};

export const phpInstall: Ecosystem = {
  manifests: ['composer.json'],
  installOf(directory, { paths, texts }) {
    const lock = inDirectory(directory, 'composer.lock');
    const manifest = inDirectory(directory, 'composer.json');
    const isLocked = paths.has(lock);
    if (directory !== '.' && !isLocked) return undefined;
    const because = isLocked ? lock : manifest;
    const content = orElse(() => JSON.parse(texts.get(manifest) ?? ''));
    const isUsual = recordOf(recordOf(content).config)['vendor-dir'] === undefined;
    return {
      commands: [
        ['composer', 'install', '--no-interaction', ...(directory === '.' ? [] : [`--working-dir=${directory}`])],
      ],
      because: [because],
      again: [because],
      ...(isLocked && isUsual && { installed: { lock, directories: [inDirectory(directory, 'vendor')] } }),
    };
  },
};
