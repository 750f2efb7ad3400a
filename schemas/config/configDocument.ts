import { descriptionAt, keysAt } from '../definitions/schemaAt.ts';
import { defaultSettings, Settings } from './config.ts';
import { defaultPlaces } from './configLoad.ts';
import { FLAT_NAMES, type FlatName } from './configNames.ts';
import { PURPOSES, SECTIONS, type SettingPath } from './configPurposes.ts';

export interface SettingRow {
  /** `backends.<id>.…` stands for all backends. */
  readonly path: SettingPath;
  readonly names: readonly FlatName[];
  /** As one writes it in config.yaml; undefined for none. */
  readonly byDefault: string | undefined;
  /** The default in words, where it is a time. */
  readonly inWords: string | undefined;
  readonly allowed: string;
  readonly purpose: string;
}

export interface SettingTable {
  readonly title: string;
  readonly about: string;
  readonly rows: readonly SettingRow[];
}

/** All settings there are, for docs/config.md: section by section, then those of none. */
export function settingTables(): SettingTable[] {
  const isSection = (key: string): key is keyof typeof SECTIONS => keysAt(Settings, [key]).length > 0;
  const keys = keysAt(Settings, []);
  return [
    ...keys.filter(isSection).map((key) => ({ title: key, about: SECTIONS[key], rows: rows(leaves([key])) })),
    {
      title: 'The rest',
      about: 'At the top level of `config.yaml`.',
      rows: rows(keys.filter((key) => !isSection(key))),
    },
  ];
}

function leaves(at: string[]): string[] {
  const keys = keysAt(Settings, at);
  return keys.length === 0 ? [at.join('.')] : keys.flatMap((key) => leaves([...at, key]));
}

function rows(paths: readonly string[]): SettingRow[] {
  const alike = Map.groupBy(paths, (path) => path.replace(/^backends\.[^.]+/, 'backends.<id>') as SettingPath);
  return [...alike].map(([path, all]) => row(path, all as [string, ...string[]]));
}

function row(path: SettingPath, all: readonly [string, ...string[]]): SettingRow {
  const value = defaultOf(all[0]);
  return {
    path,
    names: (Object.keys(FLAT_NAMES) as FlatName[]).filter((name) => all.includes(FLAT_NAMES[name].path)),
    byDefault: typeof value === 'string' ? value : JSON.stringify(value),
    inWords: path.endsWith('Ms') && typeof value === 'number' ? timeInWords(value) : undefined,
    allowed: descriptionAt(Settings, all[0].split('.')) ?? '',
    purpose: PURPOSES[path],
  };
}

/** The same on every machine: directories by the names that the document gives them. */
function defaultOf(path: string): unknown {
  const settings = defaultSettings(defaultPlaces({}, { configDir: '<config>', dataDir: '<data>' }));
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], settings);
}

const UNITS = { hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 };

/** In the largest unit of which it is a whole number. */
export function timeInWords(ms: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, size]) => ms >= size && ms % size === 0) ?? ['millisecond', 1];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(ms / size);
}

/** A config.yaml to begin from; a test loads it. */
export const EXAMPLE = `# config.yaml: only what is to be other than the default
maxConcurrentRuns: 2
backends:
  gemini:
    enabled: false
  claude:
    env:
      ANTHROPIC_BASE_URL: https://models.example.org
recovery:
  artifactTimeoutMs: 3600000            # an hour
notify:
  command: [notify-send, --app-name=devflow]
  tmux: message
`;
