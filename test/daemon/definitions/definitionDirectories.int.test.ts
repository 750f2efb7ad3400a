import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { definitionDirectories } from '../../../daemon/definitions/definitionDirectories.ts';
import { type Config, givenConfig } from './givenConfig.ts';

/** The names that matter in each directory, relative to the root of the test. */
function found({ root, paths }: Config): Record<string, string[] | 'all'> {
  const entries = [...definitionDirectories(paths).directories].map(([directory, names]) => [
    directory.slice(root.length + 1),
    names === 'all' ? names : [...names].sort(),
  ]);
  return Object.fromEntries(entries);
}

it('waits in the configuration directory for directories that are missing', () => {
  expect(found(givenConfig())).toEqual({ home: ['artifacts', 'personas', 'templates'] });
});

it('waits above a configuration directory that is missing', () => {
  const config = givenConfig();
  rmSync(config.paths.configDir, { recursive: true });
  expect(found(config)).toEqual({ '': ['home'] });
});

it('has every directory of definitions, and the domains of artifact schemas', () => {
  const config = givenConfig();
  config.write('templates/a@1.yaml', '');
  config.write('artifacts/mine/thing@1.json', '{}');
  config.write('artifacts/fixtures/mine/thing@1/ok.json', '{}');
  expect(found(config)).toEqual({
    home: ['artifacts', 'personas', 'templates'],
    'home/templates': 'all',
    'home/artifacts': 'all',
    'home/artifacts/mine': 'all',
  });
});

it('has the place of a link, and of what it leads to', () => {
  const config = givenConfig();
  const { root, paths } = config;
  mkdirSync(join(root, 'dots'));
  symlinkSync(join(root, 'dots'), paths.userTemplates);
  symlinkSync(join(root, 'elsewhere/a@1.yaml'), join(root, 'dots/a@1.yaml'));
  mkdirSync(join(root, 'elsewhere'));
  expect(found(config)).toEqual({
    '': ['dots'],
    home: ['artifacts', 'personas', 'templates'],
    dots: 'all',
    elsewhere: ['a@1.yaml'],
  });
});

it('waits for what a link leads to, and ends at a circle of links', () => {
  const config = givenConfig();
  const { root, paths } = config;
  symlinkSync(join(root, 'missing/templates'), paths.userTemplates);
  symlinkSync(paths.userPersonas, paths.userPersonas);
  expect(found(config)).toEqual({ '': ['missing'], home: ['artifacts', 'personas', 'templates'] });
});

it('has the place of a configuration directory that is a link', () => {
  const config = givenConfig();
  const { configDir } = config.paths;
  rmSync(configDir, { recursive: true });
  mkdirSync(join(config.root, 'dots'));
  symlinkSync(join(dirname(configDir), 'dots'), configDir);
  expect(found(config)).toEqual({ '': ['dots', 'home'], dots: ['artifacts', 'personas', 'templates'] });
});

it('names the directories that are too many to watch', () => {
  const config = givenConfig();
  for (let nth = 0; nth < 210; nth += 1) config.write(`artifacts/d${nth}/thing@1.json`, '{}');
  const { directories, beyond } = definitionDirectories(config.paths);
  expect(directories.size).toBe(200);
  expect(beyond.size).toBe(12);
});
