import { recordOf } from '../candidate/reader.ts';

/** The values of expressions of a workflow on this machine, such as `matrix.os`. */
export type Values = Readonly<Record<string, string>>;

const OPENS = '${{';
const CLOSES = '}}';
/** No text of a person is longer. It is filled in for each combination. */
export const MOST_CHARACTERS = 64 * 1024;
const MOST_COMBINATIONS = 30;
/** The limit of a matrix, and of one combination. A person names a few. */
const MOST_VALUES = 50;
const HERE: Values = { 'runner.os': 'Linux', 'github.workspace': '.' };

/** The combinations of a matrix, without those for other systems; one empty one without a matrix that devflow can read. */
export function combinationsOf(job: Readonly<Record<string, unknown>>): Values[] {
  const { include, exclude, ...axes } = recordOf(recordOf(job.strategy).matrix);
  let found: Record<string, string>[] = [{}];
  for (const [key, values] of Object.entries(axes).slice(0, MOST_VALUES)) {
    const entries = Array.isArray(values)
      ? values.slice(0, MOST_COMBINATIONS).map((value) => valuesIn([[key, value]]))
      : [{}];
    found = found.flatMap((each) => entries.map((entry) => ({ ...each, ...entry }))).slice(0, MOST_COMBINATIONS);
  }
  for (const each of entriesOf(exclude)) found = found.filter((own) => !agrees(own, each));
  for (const each of entriesOf(include)) {
    const same = found.filter((own) => Object.keys(own).length > 0 && agrees(own, each, true));
    for (const own of same) Object.assign(own, each);
    if (same.length === 0) found = [...found.filter((own) => Object.keys(own).length > 0), each];
  }
  const here = found.filter((values) => !/^(?:windows|macos)/i.test(fill(String(job['runs-on'] ?? ''), values) ?? ''));
  return (here.length > 0 ? here : found.slice(0, 1)).slice(0, MOST_COMBINATIONS).map((each) => ({ ...HERE, ...each }));
}

function entriesOf(list: unknown): Record<string, string>[] {
  return (Array.isArray(list) ? list : [])
    .slice(0, MOST_COMBINATIONS)
    .map((each) => valuesIn(Object.entries(recordOf(each))));
}

function valuesIn(entries: readonly (readonly [string, unknown])[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const [key, value] of entries) {
    for (const [name, text] of flat(key, value)) {
      if (values.size === MOST_VALUES) return Object.fromEntries(values);
      values.set(name, text);
    }
  }
  return Object.fromEntries(values);
}

/** `matrix.os`, and `matrix.target.name` of a value that is a map. */
function* flat(key: string, value: unknown): Generator<[string, string]> {
  const fields = Object.entries(recordOf(value));
  if (fields.length === 0) yield [`matrix.${key}`, String(value ?? '')];
  for (const [inner, each] of fields) yield* flat(`${key}.${inner}`, each);
}

function agrees(own: Values, other: Values, isLoose = false): boolean {
  return Object.entries(other).every(([key, value]) => (isLoose && own[key] === undefined) || own[key] === value);
}

/** Replaces each expression by its value. Undefined if one belongs to the service, or if the text is too long. */
export function fill(text: string, values: Values): string | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  let filled = '';
  let from = 0;
  for (;;) {
    const at = text.indexOf(OPENS, from);
    const end = at < 0 ? -1 : text.indexOf(CLOSES, at + OPENS.length);
    if (end < 0) return filled + text.slice(from);
    const value = expressionValue(text.slice(at + OPENS.length, end), values);
    if (value === undefined) return undefined;
    filled += text.slice(from, at) + value;
    if (filled.length > MOST_CHARACTERS) return undefined;
    from = end + CLOSES.length;
  }
}

/** The first alternative that is not empty. */
function expressionValue(expression: string, values: Values): string | undefined {
  for (const each of expression.split('||')) {
    const value = termValue(each.trim(), values);
    if (value !== '') return value;
  }
  return '';
}

function termValue(term: string, values: Values): string | undefined {
  const literal = /^'([^']*)'$/.exec(term)?.[1];
  const isMatrix = /^matrix\.[\w.-]+$/.test(term) && Object.keys(values).some((key) => key.startsWith('matrix.'));
  // A combination without the key has an empty text there.
  return literal ?? (Object.hasOwn(values, term) ? values[term] : isMatrix ? '' : undefined);
}

/** True if a condition holds in an ordinary run here; undefined where devflow cannot say. */
export function holds(condition: unknown, values: Values): boolean | undefined {
  if (condition === undefined || condition === null || condition === true) return true;
  const text = String(condition)
    .replace(/^\s*\$\{\{|\}\}\s*$/g, '')
    .trim();
  if (text.includes('||')) {
    const any = text.split('||').map((each) => holds(each, values));
    return any.includes(true) ? true : any.every((each) => each === false) ? false : undefined;
  }
  const all = text.split('&&').map((term) => termHolds(term.trim(), values));
  return all.includes(false) ? false : all.every((each) => each === true) ? true : undefined;
}

function termHolds(term: string, values: Values): boolean | undefined {
  if (/^(?:always\(\)|success\(\)|!\s*cancelled\(\)|!\s*failure\(\)|true)$/.test(term)) return true;
  if (/^(?:failure\(\)|cancelled\(\)|false)$/.test(term)) return false;
  const [, name = '', how, wanted = ''] = /^([\w.-]+)\s*(==|!=)\s*'([^']*)'$/.exec(term) ?? [];
  const value = how === undefined ? undefined : expressionValue(name, values);
  return value === undefined ? undefined : (value.toLowerCase() === wanted.toLowerCase()) === (how === '==');
}
