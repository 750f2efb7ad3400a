import { type Problem, parseYaml, problemAt, problemsOf, textTooLarge } from '../definitions/yamlFile.ts';
import { NOT_UTF8, utf8Text } from '../files/openRegular.ts';
import { RepositorySettings } from './settings.ts';

export interface ReadSettings {
  settings: RepositorySettings;
  /** The line of a setting, from 1. */
  lineOf(path: readonly string[]): number | undefined;
}

export type SettingsResult = ({ ok: true } & ReadSettings) | { ok: false; problems: Problem[] };

/** The text of the file, or its fault. The same for a checkout, a commit and the person's own file. */
export function textOfSettings(bytes: Buffer): { ok: true; text: string } | { ok: false; fault: string } {
  const text = utf8Text(bytes);
  return text === undefined ? { ok: false, fault: NOT_UTF8 } : { ok: true, text };
}

/**
 * Reads the text of a settings file. `file` is its name in problems. `isPersons`: the person wrote it. `isShared`: for every
 * repository of a name. Never throws.
 */
export function parseSettings(
  file: string,
  text: string,
  { isPersons = false, isShared = false } = {},
): SettingsResult {
  const large = textTooLarge(text);
  if (large !== undefined) return { ok: false, problems: [{ file, path: '', message: large }] };
  const read = parseYaml(file, text);
  if (!read.ok) return read;
  const { yaml } = read;
  const parsed = RepositorySettings.safeParse(withoutEmpty(yaml.value ?? {}));
  if (!parsed.success) {
    const problems = problemsOf(parsed.error, RepositorySettings, yaml);
    return { ok: false, problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
  }
  const refused = [
    ...(isPersons ? [] : openings(parsed.data).map((path) => ({ path, message: OPENS }))),
    ...(isPersons && !isShared
      ? []
      : rules(parsed.data).map((path) => ({ path, message: isPersons ? SHARED : DECIDES }))),
  ];
  const problems = refused.map((each) => problemAt({ ...each, code: 'wrong_shape' }, yaml));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, settings: parsed.data, lineOf: (path) => yaml.placeOf(path)?.line };
}

const OPENS = 'opens the sandbox, which only your own file for the repository may do';

/** Keys of the sandbox that a repository may not set. */
function openings({ sandbox }: RepositorySettings): string[][] {
  if (typeof sandbox !== 'object') return [];
  return (['read', 'write'] as const).filter((key) => sandbox[key] !== undefined).map((key) => ['sandbox', key]);
}

const DECIDES = 'decides at gates, which only you may do: in config.yaml, or in your own file for the repository';
const SHARED =
  'decides at gates, and this file counts in every repository of this name; put it into config.yaml, or into the file for this repository alone (devflow repository show names it)';

function rules({ gates }: RepositorySettings): string[][] {
  return gates?.auto === undefined ? [] : [['gates', 'auto']];
}

/** An empty section (`worktree:` alone) sets nothing. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}
