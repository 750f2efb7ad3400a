import { z } from 'zod';
import { defined } from '../defined.ts';
import { innermost } from '../definitions/schemaAt.ts';
import { hash } from '../hash.ts';
import { SANDBOX_LEVELS } from '../names.ts';
import { type SandboxSetting, sandboxWish } from '../sandbox.ts';
import { RepositorySettings } from './settings.ts';

/** Settings of one source. */
export interface SettingsLayer {
  /** A file's path, or `guess`. */
  from: string;
  /** True for what the person wrote. The rest needs consent. */
  isPersons: boolean;
  /** True if it may open the sandbox, once a person allows that. */
  mayOpen?: boolean;
  settings: RepositorySettings;
  /** The line of a setting. */
  lineOf?(path: readonly string[]): number | undefined;
  /** The reason for a guess. */
  whyOf?(path: readonly string[]): string | undefined;
}

/** The source of a value. */
export interface Origin {
  from: string;
  isPersons: boolean;
  line?: number;
  why?: string;
}

export interface MergedSettings {
  settings: RepositorySettings;
  /** By dotted key: `worktree.setup`, `backends.implementer`. */
  origins: ReadonlyMap<string, Origin>;
  /** The sandbox without consent to what opens it; absent: nothing needs that. */
  closed?: { sandbox: SandboxSetting | undefined };
}

/**
 * Joins settings key by key, the weakest source first. A list replaces the list of a weaker source. Only the person makes the
 * sandbox weaker.
 */
export function mergeSettings(layers: readonly SettingsLayer[]): MergedSettings {
  const settings: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  let closed: MergedSettings['closed'];
  for (const layer of layers) {
    for (const { path, value } of leavesOf(layer.settings)) {
      const key = path.join('.');
      if (key === 'sandbox' && !layer.isPersons) {
        const before = settings.sandbox as SandboxSetting | undefined;
        const stronger = strongerSandbox(before, value as SandboxSetting);
        const floor = stronger ?? before;
        const isChanged = !isSameSandbox(floor, value as SandboxSetting);
        if (layer.mayOpen && isChanged) {
          if (!isWithin(value as SandboxSetting, floor)) closed = { sandbox: floor };
          settings.sandbox = value;
        } else if (stronger === undefined) continue;
        else settings.sandbox = stronger;
      } else setIn(settings, path, value);
      origins.set(key, originOf(layer, path));
    }
  }
  return { settings: settings as RepositorySettings, origins, ...(closed && { closed }) };
}

function isSameSandbox(...both: (SandboxSetting | undefined)[]): boolean {
  return new Set(both.map((each) => hash(sandboxWish(each) ?? null))).size === 1;
}

/** True if the sandbox shows and permits nothing that this one does not. */
function isWithin(inner: SandboxSetting, outer: SandboxSetting | undefined): boolean {
  const [within, around] = [inner, outer].map(sandboxWish);
  if (around === undefined) return true;
  if (within === undefined) return false;
  const isPart = (key: 'read' | 'write') => (within[key] ?? []).every((path) => around[key]?.includes(path));
  const isCut = within.network === 'off' || around.network !== 'off';
  const isClosed = SANDBOX_LEVELS.indexOf(within.level) >= SANDBOX_LEVELS.indexOf(around.level);
  return isClosed && isCut && isPart('read') && isPart('write');
}

function originOf({ from, isPersons, lineOf, whyOf }: SettingsLayer, path: readonly string[]): Origin {
  return { from, isPersons, ...defined({ line: lineOf?.(path), why: whyOf?.(path) }) };
}

/**
 * The stronger sandbox that a repository asks for; undefined: it asks for none. The person alone says what is visible
 * inside.
 */
function strongerSandbox(now: SandboxSetting | undefined, wanted: SandboxSetting): SandboxSetting | undefined {
  const [before, after] = [now ?? 'off', wanted].map((each) => (typeof each === 'string' ? { level: each } : each)) as [
    Exclude<SandboxSetting, string>,
    Exclude<SandboxSetting, string>,
  ];
  const rank = (each: typeof before) => ['off', ...SANDBOX_LEVELS].indexOf(each.level);
  const isCut = after.network === 'off' && before.network !== 'off';
  if (rank(after) <= rank(before) && !isCut) return undefined;
  const level = rank(after) > rank(before) ? after.level : before.level;
  const cut = { ...before, level, ...(isCut && { network: 'off' as const }) };
  return Object.keys(cut).length === 1 ? level : cut;
}

interface Leaf {
  path: string[];
  value: unknown;
}

/** The values that replace each other whole, in the order of the schema. */
export function leavesOf(settings: RepositorySettings): Leaf[] {
  return leavesIn(RepositorySettings, settings, []);
}

function leavesIn(schema: z.core.$ZodType, value: unknown, path: string[]): Leaf[] {
  if (value === undefined) return [];
  const inner = innermost(schema);
  const given = value as Record<string, unknown>;
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([key, each]) =>
      leavesIn(each as z.ZodType, given[key], [...path, key]),
    );
  if (inner instanceof z.ZodRecord)
    return Object.entries(given).map(([key, each]) => ({ path: [...path, key], value: each }));
  return [{ path, value }];
}

function setIn(target: Record<string, unknown>, [head = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    Object.defineProperty(target, head, { value, enumerable: true, writable: true, configurable: true });
    return;
  }
  if (!Object.hasOwn(target, head)) target[head] = {};
  setIn(target[head] as Record<string, unknown>, rest, value);
}
