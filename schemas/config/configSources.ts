import { parseEnv } from 'node:util';
import { z } from 'zod';
import { innermost, keysAt } from '../definitions/schemaAt.ts';
import { problemSentence, readYaml } from '../definitions/yamlFile.ts';
import { DevflowError } from '../errors.ts';
import { readSettingsFile } from '../files/openRegular.ts';
import type { Env, Paths } from '../files/paths.ts';
import { nearest } from '../text/nearest.ts';
import type { SettingSource } from './config.ts';
import type { DeclaredSetting } from './setting.ts';
import { Settings, VARIABLES } from './settings.ts';

/** One value that a source sets. */
export interface Assignment {
  path: string;
  value: unknown;
  source: SettingSource;
}

const PREFIX = 'DEVFLOW_';

/** Variables with this prefix that are no settings (`environment.ts`). */
const RESERVED = /^DEVFLOW_(?:(?:HOME|AGENT|FAULT|NODE|BIN)$|(?:AGENT_|INTERNAL_|RUN|SESSION|TEST_))/;

/** All assignments, from the weakest source to the strongest. Throws `config_invalid` for unknown keys and unreadable files. */
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
    if (!key.startsWith(PREFIX) || text === undefined || text === '' || RESERVED.test(key)) return [];
    const name = key.slice(PREFIX.length);
    const setting = VARIABLES.get(name);
    if (!setting) throw unknownKey('the process environment', key, `${PREFIX}${nearest(name, VARIABLES.keys())}`);
    return [{ path: setting.path, value: settingValue(setting, text), source: { from: 'environment', key } }];
  });
}

function fromEnvFile(file: string): Assignment[] {
  const text = readOptional(file);
  if (text === undefined) return [];
  return Object.entries(parseEnv(text)).flatMap(([key, value]) => {
    const setting = VARIABLES.get(key);
    if (!setting) throw unknownKey(file, key, nearest(key, VARIABLES.keys()));
    if (value === undefined || value === '') return [];
    return [{ path: setting.path, value: settingValue(setting, value), source: { from: file, key } }];
  });
}

function fromYaml(file: string): Assignment[] {
  if (readOptional(file) === undefined) return [];
  const result = readYaml(file);
  if (!result.ok) throw new DevflowError('config_invalid', result.problems.map(problemSentence).join('; '));
  const { value } = result.yaml;
  if (value === null || value === undefined) return [];
  if (!isPlainObject(value)) throw new DevflowError('config_invalid', `${file} must be a map of keys.`);
  return leaves(value, [], file);
}

/** The value that a text means. A text of the wrong form stays a text, so that the schema refuses it with a sentence. */
function settingValue({ schema }: DeclaredSetting, text: string): unknown {
  const type = innermost(schema);
  if (text === 'null' && schema instanceof z.ZodNullable) return null;
  if (type instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return ({ true: true, '1': true, false: false, '0': false } as const)[text] ?? text;
  return text;
}

/** The values of a nested map, one assignment each. An empty section (`tmux:` alone) sets nothing. */
function leaves(map: Record<string, unknown>, at: string[], file: string): Assignment[] {
  const known = keysAt(Settings, at);
  return Object.entries(map).flatMap(([key, value]) => {
    const path = [...at, key];
    const source = { from: file, key: path.join('.') };
    const flat = at.length === 0 ? VARIABLES.get(key) : undefined;
    if (flat) return [{ path: flat.path, value, source }];
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
