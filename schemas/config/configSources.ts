import { parseEnv } from 'node:util';
import { keysAt } from '../definitions/schemaAt.ts';
import { problemSentence, readYaml } from '../definitions/yamlFile.ts';
import { DevflowError } from '../errors.ts';
import type { Env, Paths } from '../files/paths.ts';
import { nearest } from '../nearest.ts';
import type { SettingSource } from './config.ts';
import { Settings } from './config.ts';
import { FLAT_NAMES, isFlatName, isReservedName, readFlat } from './configNames.ts';
import { readSettingsFile } from './settingsFile.ts';

/** One value that a source sets, by dotted path. */
export interface Assignment {
  path: string;
  value: unknown;
  source: SettingSource;
}

const PREFIX = 'DEVFLOW_';

/** Every assignment, the weakest source first. Throws `config_invalid` for unknown keys and unreadable files. */
export function readAssignments(env: Env, paths: Paths): Assignment[] {
  return [
    ...fromYaml(paths.configFile),
    ...fromEnvFile(paths.envFile),
    ...fromEnvFile(paths.envLocalFile),
    ...fromEnvironment(env),
  ];
}

function fromEnvironment(env: Env): Assignment[] {
  return Object.entries(env).flatMap(([key, text]) => {
    if (!key.startsWith(PREFIX) || text === undefined || text === '' || isReservedName(key)) return [];
    const name = key.slice(PREFIX.length);
    if (!isFlatName(name)) {
      throw unknownKey('the process environment', key, `${PREFIX}${nearest(name, Object.keys(FLAT_NAMES))}`);
    }
    return [{ path: FLAT_NAMES[name].path, value: readFlat(name, text), source: { from: 'environment', key } }];
  });
}

function fromEnvFile(file: string): Assignment[] {
  const text = readOptional(file);
  if (text === undefined) return [];
  return Object.entries(parseEnv(text)).flatMap(([key, value]) => {
    if (!isFlatName(key)) throw unknownKey(file, key, nearest(key, Object.keys(FLAT_NAMES)));
    if (value === undefined || value === '') return [];
    return [{ path: FLAT_NAMES[key].path, value: readFlat(key, value), source: { from: file, key } }];
  });
}

function fromYaml(file: string): Assignment[] {
  if (readOptional(file) === undefined) return [];
  const result = readYaml(file);
  if (!result.ok) throw new DevflowError('config_invalid', result.problems.map(problemSentence).join('; '));
  const { value } = result.yaml;
  if (value === null || value === undefined) return [];
  if (!isPlainObject(value)) throw new DevflowError('config_invalid', `${file}: the whole file must be a map of keys`);
  return leaves(value, [], file);
}

/** The values of a nested map, one assignment each; an empty section (`tmux:` alone) sets nothing. */
function leaves(map: Record<string, unknown>, at: string[], file: string): Assignment[] {
  const known = keysAt(Settings, at);
  return Object.entries(map).flatMap(([key, value]) => {
    const path = [...at, key];
    const source = { from: file, key: path.join('.') };
    if (at.length === 0 && isFlatName(key)) return [{ path: FLAT_NAMES[key].path, value, source }];
    if (!known.includes(key)) throw unknownKey(file, source.key, nearest(key, known));
    const section = keysAt(Settings, path).length > 0;
    if (section && (value === null || value === undefined)) return [];
    if (section && isPlainObject(value)) return leaves(value, path, file);
    if (section) throw new DevflowError('config_invalid', `${file}: ${source.key} must be a map of keys.`);
    return [{ path: path.join('.'), value, source }];
  });
}

function unknownKey(file: string, key: string, meant: string | undefined): DevflowError {
  return new DevflowError('config_invalid', `${file}: unknown key ${key}; the nearest known one is ${meant}.`, {
    data: { file, key, nearest: meant },
  });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readOptional(file: string): string | undefined {
  const read = readSettingsFile(file);
  if (read.ok) return read.bytes.toString('utf8');
  if (read.missing || read.code === 'ENOTDIR') return undefined;
  throw new DevflowError('config_invalid', `${file}: ${read.fault}.`, {
    recoveryHint: 'Put a readable text file there, or remove it.',
    data: { file },
  });
}
