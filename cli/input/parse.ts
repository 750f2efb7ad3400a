import type { Backend } from '../../schemas/enums.ts';
import { CATALOGUE, DevflowError } from '../../schemas/errors.ts';
import { BACKENDS } from '../../schemas/names.ts';

/** The values of repeatable `--bind role=persona` options as a map. */
export function parsePairs(option: string, values: readonly string[] = []): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const text of values) {
    const at = text.indexOf('=');
    const [role, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    if (at < 1 || role === '' || value === '') throw usage(`${option} ${text} is not of the form role=value`);
    if (Object.hasOwn(pairs, role)) throw usage(`${option} names the role ${role} twice`);
    pairs[role] = value;
  }
  return pairs;
}

export function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw usage(`${option} ${text} is not a whole number`);
  return Number(text);
}

export function uuid(option: string, text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw usage(`${option} ${text} is not a UUID`);
}

export function usage(message: string, recoveryHint?: string): DevflowError {
  return new DevflowError('usage', message, { recoveryHint });
}

/** The values of repeatable `--backend role=backend` options. Throws usage for a backend that does not exist. */
export function parseBackends(given: readonly string[] | undefined): Record<string, Backend> {
  const pairs = parsePairs('--backend', given);
  for (const [role, name] of Object.entries(pairs)) {
    if ((BACKENDS as readonly string[]).includes(name)) continue;
    throw usage(`--backend ${role}=${name}: there is no backend ${name}`, `Choose one of ${BACKENDS.join(', ')}.`);
  }
  return pairs as Record<string, Backend>;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** The longest timer of Node. */
const LONGEST_MS = 2 ** 31 - 1;

/** A duration such as `90s`, `30m` or `2h`, in milliseconds. */
export function parseDuration(option: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms === 0) throw usage(`${option} ${text} is not a duration such as 90s, 30m or 2h`);
  if (ms > LONGEST_MS) throw usage(`${option} ${text} is longer than 24 days`);
  return ms;
}

const LONG_UNITS: Readonly<Record<string, number>> = { ...UNITS, d: 86_400_000, w: 604_800_000 };

/** A time since something, such as `12h`, `7d` or `4w`, in milliseconds. No timer waits for it. */
export function parseAge(option: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([smhdw])$/.exec(text) ?? [];
  if (unit === '') throw usage(`${option} ${text} is not a time such as 12h, 7d or 4w`);
  return Number(count) * (LONG_UNITS[unit] ?? 0);
}

/** The value of `--timeout`, as the person wrote it and in milliseconds. */
export function waitLimit(option: string, text: string): { text: string; ms: number } {
  return { text, ms: parseDuration(option, text) };
}

interface GraphOptions {
  json?: boolean;
  graph?: boolean;
  dot?: boolean;
  mermaid?: boolean;
}

/** The program for which a graph is written; undefined for people. */
export function graphFormat(options: GraphOptions): 'dot' | 'mermaid' | undefined {
  const chosen = (['json', 'graph', 'dot', 'mermaid'] as const).filter((name) => options[name]);
  if (chosen.length > 1) throw usage(`${chosen.map((name) => `--${name}`).join(' and ')} cannot be used together`);
  const [only] = chosen;
  return only === 'dot' || only === 'mermaid' ? only : undefined;
}

/** Tells a person who named no repository how to name one. A hint about the repository itself stays. */
export function withRepositoryHint(error: unknown, how: string): unknown {
  if (!(error instanceof DevflowError) || error.recoveryHint !== CATALOGUE.repo_invalid.hint) return error;
  const recoveryHint = `Run the command in a git repository, or name one: ${how}.`;
  return new DevflowError(error.code, error.message, { recoveryHint, data: error.data, cause: error });
}
