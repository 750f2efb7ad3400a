import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '../../schemas/config/environment.ts';
import { VARIABLES } from '../../schemas/config/settings.ts';
import { packageRoot } from '../../schemas/files/paths.ts';

const ROOT = packageRoot();
const SOURCES = globSync(
  ['{cli,daemon,schemas,tui,tmux}/**/*.{ts,sh}', 'bin/devflow', 'devflow.tmux', 'build/build.ts', 'build/buildName.ts'],
  { cwd: ROOT },
).filter((file) => file !== 'schemas/config/environment.ts');
const OTHERS = Object.values(ENVIRONMENT).flatMap((groups) => groups.flatMap(({ names }) => names));
/** A shell sets the first, tmux the next two, and devflow itself the last two, for the command that measures. `DEVFLOW_BIN` is reserved. */
const NOT_READ = [
  ...['PWD', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'DEVFLOW_BIN'],
  ...['DEVFLOW_METRICS', 'DEVFLOW_SPLIT'],
];

describe('.env.example', () => {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const named = [...example.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
  const settings = [...VARIABLES.keys()];
  const read = new Set(SOURCES.flatMap((file) => variablesIn(readFileSync(join(ROOT, file), 'utf8'), file, OTHERS)));

  it('names every variable that the sources read', () => {
    const known = [...named, ...settings.map((name) => `DEVFLOW_${name}`), ...NOT_READ];
    expect([...read].filter((name) => !known.includes(name))).toEqual([]);
    expect(read.size).toBeGreaterThan(50);
  });

  it('names no other variable, and none twice', () => {
    expect(named.filter((name) => !read.has(name) && !settings.includes(name))).toEqual([]);
    expect(named).toEqual([...new Set(named)]);
    expect(named).toEqual(expect.arrayContaining(settings));
  });

  it('sets nothing when it is copied', () => {
    expect(parseEnv(example)).toEqual({});
  });
});

it('finds reads in all forms, and no writes', () => {
  const text = `
    const { ONE, TWO = '' } = process.env; use(env.THREE, io.env.FOUR?.trim()); env.FIVE = '1'; delete env.SIX;
    const NAME = 'DEVFLOW_SEVEN'; function f({ EIGHT = '' }: NodeJS.ProcessEnv) {} const list = ['HOME', 'NINE'];
    const signals = ['SIGINT', 'SIGTERM'];`;
  const found = variablesIn(text, 'a.ts', ['HOME']);
  expect(found.sort()).toEqual(['DEVFLOW_SEVEN', 'EIGHT', 'FOUR', 'HOME', 'NINE', 'ONE', 'THREE', 'TWO']);
  expect(variablesIn('home=$DEVFLOW_HOME:$HOME', 'a.sh', [])).toEqual(['DEVFLOW_HOME', 'HOME']);
});

/** In a list of names, one known variable makes the others variables too. */
function variablesIn(text: string, file: string, known: readonly string[]): string[] {
  if (!file.endsWith('.ts')) return [...text.matchAll(/\$\{?([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name);
  const dotted = [...text.matchAll(/(?<!delete )\benv\??\.([A-Z][A-Z0-9_]+)\b(?!\s*=[^=])/g)].map(
    ([, name = '']) => name,
  );
  const taken = [...text.matchAll(/\{([^{}]*)\}(?: = [\w.]*\benv\b|: NodeJS\.ProcessEnv)/g)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => /^\s*([A-Z][A-Z0-9_]+)/.exec(name)?.[1] ?? []),
  );
  const constants = [...text.matchAll(/= '(DEVFLOW_[A-Z0-9_]*[A-Z0-9])'/g)].map(([, name = '']) => name);
  const lists = [...text.matchAll(/\[((?:\s*'\w+',?)+)\s*\]/g)]
    .map(([, names = '']) => [...names.matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map(([, name = '']) => name))
    .filter((names) => names.some((name) => known.includes(name)));
  return [...dotted, ...taken, ...constants, ...lists.flat()];
}
