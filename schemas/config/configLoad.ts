import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { descriptionAt } from '../definitions/schemaAt.ts';
import { DevflowError } from '../errors.ts';
import { homeOf } from '../files/home.ts';
import { type Env, PASSABLE, type Paths, resolvePaths } from '../files/paths.ts';
import { assertKnownUser, assertUsablePlaces } from '../files/usablePlaces.ts';
import { sha256hex } from '../hash.ts';
import { availableBackends } from './backendBinaries.ts';
import type { Config, SettingSource } from './config.ts';
import { readAssignments } from './configSources.ts';
import { temporalContradiction } from './configTemporal.ts';
import { tmuxContradiction, USERS_SOCKET_NAME } from './configTmux.ts';
import type { DefaultPlaces } from './setting.ts';
import { defaultSettings, Settings, VARIABLES } from './settings.ts';

/**
 * The configuration of this process. Reads devflow's files, looks up the agents' binaries, and makes WORKSPACE_ROOT. Throws
 * `config_invalid`, which names the file, the key, the value and what is allowed, or `workspace_permissions`.
 */
export function loadConfig(env: Env = process.env, paths: Paths = resolvePaths(env)): Config {
  return configWith(makeWorkspace, env, paths);
}

/** Like `loadConfig`, but it creates nothing, and WORKSPACE_ROOT need not exist. */
export function readConfig(env: Env = process.env, paths: Paths = resolvePaths(env)): Config {
  return configWith(realPlace, env, paths);
}

function configWith(workspaceOf: (directory: string) => string, env: Env, paths: Paths): Config {
  assertUsablePlaces(env);
  const { settings, sources } = mergeSettings(env, paths);
  assertUsablePlaces({}, settings.workspaceRoot);
  if (settings.database.mode === 'embedded') assertKnownUser();
  const { backends, ...rest } = settings;
  return deepFreeze({
    ...rest,
    workspaceRoot: workspaceOf(settings.workspaceRoot),
    backends: availableBackends(backends, env.PATH ?? ''),
    sources,
    unprefixed: [...VARIABLES.keys()].filter((name) => env[name] !== undefined),
  });
}

/** Settings whose values are shown nowhere. */
const SECRETS = new Set(['temporal.apiKey', 'notify.webhook.url', 'notify.webhook.secret']);

interface Merged {
  settings: Settings;
  sources: Record<string, SettingSource>;
}

function mergeSettings(env: Env, paths: Paths): Merged {
  const draft: Record<string, unknown> = { ...defaultSettings(defaultPlaces(env, paths)) };
  const sources: Record<string, SettingSource> = {};
  for (const path of leafPaths(draft)) sources[path] = { from: 'default', key: path };
  for (const { path, value, source } of readAssignments(env, paths)) {
    setIn(draft, path.split('.'), path === 'workspaceRoot' ? untilde(value, env) : value);
    sources[path] = source;
  }
  // A URL without a mode means that database.
  if (sources['database.url'] && sources['database.mode']?.from === 'default') {
    setIn(draft, ['database', 'mode'], 'external');
    sources['database.mode'] = sources['database.url'];
  }
  // The server that plain `tmux` uses. The other default is the name of devflow's own server.
  const isTheirs = getIn(draft, ['tmux', 'server']) === 'user';
  if (isTheirs && sources['tmux.socketName']?.from === 'default')
    setIn(draft, ['tmux', 'socketName'], USERS_SOCKET_NAME);
  return { settings: checked(draft, sources), sources };
}

/** Each DEVFLOW_HOME has its own tmux server, daemon and database. */
export function defaultPlaces(env: Env, paths: Pick<Paths, 'configDir' | 'dataDir'>): DefaultPlaces {
  const suffix = env.DEVFLOW_HOME ? `-${sha256hex(paths.configDir).slice(0, 8)}` : '';
  return { workspaceRoot: join(paths.dataDir, 'workspaces'), tmuxSocketName: `devflow${suffix}` };
}

function checked(draft: unknown, sources: Merged['sources']): Settings {
  // Parsed once in a process, so compiling the parser would take longer than it saves.
  const result = Settings.safeParse(draft, { jitless: true });
  if (!result.success) throw wrongValue(result.error.issues[0] as { path: PropertyKey[] }, draft, sources);
  const { mode, url } = result.data.database;
  if (mode === 'external' && !url) {
    const place = placeOf(sources['database.mode']);
    throw new DevflowError('config_invalid', `${place} is external, but DATABASE_URL is not set.`);
  }
  const placeOfKey = (key: string) => placeOf(sources[key]);
  const contradiction =
    temporalContradiction(result.data, placeOfKey) ?? tmuxContradiction(result.data.tmux, placeOfKey, sources);
  if (contradiction) throw new DevflowError('config_invalid', contradiction);
  return result.data;
}

function wrongValue(issue: { path: PropertyKey[] }, draft: unknown, sources: Merged['sources']): DevflowError {
  // The issue may be inside a value, such as one item of `args`. Its source is the source of the whole value.
  let length = issue.path.length;
  while (length > 0 && !sources[issue.path.slice(0, length).join('.')]) length -= 1;
  const path = issue.path.slice(0, length);
  const source = sources[path.join('.')];
  const allowed = descriptionAt(Settings, path) ?? 'a map of keys';
  const value = SECRETS.has(path.join('.'))
    ? 'not of the right form'
    : withoutPassword(JSON.stringify(getIn(draft, path)) ?? 'missing');
  return new DevflowError('config_invalid', `${placeOf(source)} is ${value}, but must be ${allowed}.`, {
    data: { file: source?.from, key: source?.key },
  });
}

function placeOf(source: SettingSource | undefined): string {
  if (!source) return 'the configuration';
  return `${source.from === 'environment' ? 'the process environment' : source.from}: ${source.key}`;
}

/** Hides a database password, because configuration errors reach logs and screens. */
function withoutPassword(text: string): string {
  return text.replace(/(\/\/[^:@/"]*):[^@"]*@/, '$1:***@');
}

function makeWorkspace(directory: string): string {
  try {
    // PASSABLE, because the database may be below one of its parents.
    mkdirSync(dirname(directory), { recursive: true, mode: PASSABLE });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return realpathSync(directory);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new DevflowError('workspace_permissions', `WORKSPACE_ROOT ${directory} cannot be created or read (${why}).`, {
      cause,
    });
  }
}

/** The canonical path of the directory, even if it does not exist yet. */
function realPlace(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    const parent = dirname(directory);
    return parent === directory ? directory : join(realPlace(parent), basename(directory));
  }
}

function untilde(value: unknown, env: Env): unknown {
  return typeof value === 'string' && value.startsWith('~/') ? join(homeOf(env), value.slice(2)) : value;
}

function leafPaths(value: object, at = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.keys(inner).length > 0
      ? leafPaths(inner, `${at}${key}.`)
      : [`${at}${key}`],
  );
}

function setIn(target: Record<string, unknown>, path: string[], value: unknown): void {
  const [head, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) target[head] = value;
  else setIn(target[head] as Record<string, unknown>, rest, value);
}

function getIn(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
