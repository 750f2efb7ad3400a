import { defaultPlaces } from './configLoad.ts';
import { type DeclaredSetting, sectionAbout } from './setting.ts';
import { defaultSettings, SETTINGS, Settings } from './settings.ts';

export interface SettingRow {
  /** `backends.<id>.…` stands for all backends. */
  readonly path: string;
  readonly names: readonly string[];
  /** As written in config.yaml; undefined for no default. */
  readonly byDefault: string | undefined;
  /** The default in words, if it is a time. */
  readonly inWords: string | undefined;
  readonly allowed: string;
  readonly purpose: string;
}

export interface SettingTable {
  readonly title: string;
  readonly about: string;
  readonly rows: readonly SettingRow[];
}

/** All settings, for docs/config.md: section by section, and those without a section at the end. */
export function settingTables(): SettingTable[] {
  const sections = Object.entries(Settings.shape).flatMap(([title, schema]) => {
    const about = sectionAbout(schema);
    const settings = SETTINGS.filter(({ path }) => path.startsWith(`${title}.`));
    return about === undefined ? [] : [{ title, about, rows: rows(settings) }];
  });
  const others = SETTINGS.filter(({ path }) => !path.includes('.'));
  return [...sections, { title: 'The rest', about: 'At the top level of `config.yaml`.', rows: rows(others) }];
}

function rows(settings: readonly DeclaredSetting[]): SettingRow[] {
  const alike = Map.groupBy(settings, ({ path }) => path.replace(/^backends\.[^.]+/, 'backends.<id>'));
  return [...alike].map(([path, all]) => row(path, all as [DeclaredSetting, ...DeclaredSetting[]]));
}

function row(path: string, all: readonly [DeclaredSetting, ...DeclaredSetting[]]): SettingRow {
  const [{ allowed, purpose }] = all;
  const value = defaultOf(all[0].path);
  return {
    path,
    names: all.flatMap(({ variable }) => variable ?? []),
    byDefault: typeof value === 'string' ? value : JSON.stringify(value),
    inWords: path.endsWith('Ms') && typeof value === 'number' ? timeInWords(value) : undefined,
    allowed,
    purpose,
  };
}

/** The same on every machine: directories have the names that the document gives them. */
function defaultOf(path: string): unknown {
  const places = defaultPlaces({}, { configDir: '<config>', dataDir: '<data>' });
  const settings = defaultSettings(places);
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], settings);
}

const UNITS = { hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 };

/** A time in the largest unit that gives a whole number. */
export function timeInWords(ms: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, size]) => ms >= size && ms % size === 0) ?? ['millisecond', 1];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(ms / size);
}

/** An example of config.yaml. A test loads it. */
export const EXAMPLE = `# config.yaml: only what differs from the defaults
maxConcurrentRuns: 2
backends:
  gemini:
    enabled: false
  claude:
    env:
      ANTHROPIC_BASE_URL: https://models.example.org
recovery:
  artifactTimeoutMs: 3600000            # one hour
notify:
  command: [notify-send, --app-name=devflow]
  tmux: message
`;
