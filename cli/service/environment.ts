import { resolve } from 'node:path';
import type { Env } from '../../schemas/files/paths.ts';
import { absoluteSearchPath } from '../../schemas/process/environment.ts';

/**
 * Where devflow, its programs and its tmux server are, and the language. Settings and keys stay out: everybody who may read
 * the file of the service would see them.
 */
const KEPT = [
  'DEVFLOW_HOME',
  'DEVFLOW_NODE',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'TMUX_TMPDIR',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: they would end a line of the file
const CONTROL = /[\u0000-\u001f\u007f]/;

/** The variables of this shell that a service gets. `more` are those that its manager does not set itself. */
export function serviceEnvironment(env: Env, more: readonly string[] = []): [name: string, value: string][] {
  const path: [string, string] = ['PATH', absoluteSearchPath(env.PATH ?? '')];
  const home = env.DEVFLOW_HOME ? resolve(env.DEVFLOW_HOME) : '';
  const kept = [...KEPT, ...more].map((name): [string, string] => [
    name,
    name === 'DEVFLOW_HOME' ? home : (env[name] ?? ''),
  ]);
  return [path, ...kept].filter(([, value]) => value !== '' && !CONTROL.test(value));
}

/** Settings that count in this shell and not in a service. */
export function settingsLeftOut(env: Env): string[] {
  const names = Object.keys(env).filter((name) => /^DEVFLOW_(?!INTERNAL_)/.test(name) && env[name] !== '');
  return names.filter((name) => !KEPT.includes(name)).sort();
}
