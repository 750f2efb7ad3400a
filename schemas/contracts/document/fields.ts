import { instantOf, isDate, isTime } from './calendar.ts';
import type { RawValue } from './frontmatter.ts';

/** The kinds of values that documents have. */
export type Kind =
  | 'text'
  | 'line'
  | 'slug'
  | 'whole'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'instant'
  | 'texts'
  | 'list'
  | 'map';

/** A field of a document. The check, the JSON Schema and the documentation come from the same table. */
export interface Field {
  name: string;
  kind: Kind;
  isRequired: boolean;
  /** The only values. */
  values?: readonly string[];
  least?: number;
  most?: number;
  pattern?: RegExp;
  /** True if a text may not be empty. Only the check asks for it: a published JSON Schema never changes. */
  isFilled?: true;
  mayBeNull?: boolean;
  /** A text that may stand for the value. */
  orText?: string;
  /** For who writes the document. */
  about?: string;
  /** The content of a list or a map. A check of its own looks at it; the JSON Schema describes it. */
  holds?: Holds;
}

export type Holds =
  /** A list of texts. */
  | { texts: Pick<Field, 'values' | 'pattern'> }
  /** A map with these fields, or a list of such maps. */
  | { fields: readonly Field[] }
  /** A map whose names match a pattern; each entry has these fields. */
  | { entries: readonly Field[]; names: RegExp };

export interface FieldFault {
  field: string;
  what: 'missing' | 'invalid';
  message: string;
  line: number | null;
}

/** The faults of an object's fields. Unknown fields are tolerated. */
export function checkFields(fields: readonly Field[], object: Readonly<Record<string, unknown>>): FieldFault[] {
  return fields.flatMap((field): FieldFault[] => {
    const { name } = field;
    const value = ownValue(object, name);
    if (value === undefined) return field.isRequired ? [missing(name)] : [];
    const fault = faultOf(field, value);
    return fault === undefined ? [] : [{ field: name, what: 'invalid', message: `${name} ${fault}.`, line: null }];
  });
}

/** The same for frontmatter, whose values have no kind of their own. */
export function checkFrontmatter(fields: readonly Field[], given: ReadonlyMap<string, RawValue>): FieldFault[] {
  return fields.flatMap((field): FieldFault[] => {
    const raw = given.get(field.name);
    if (!raw || (raw.kind === 'scalar' && raw.raw === '' && !raw.isQuoted)) {
      return field.isRequired ? [missing(field.name)] : [];
    }
    const fault = faultOf(field, typedValue(field.kind, raw));
    if (fault === undefined) return [];
    return [{ field: field.name, what: 'invalid', message: `${field.name} ${fault}.`, line: raw.line }];
  });
}

/** The value of a frontmatter field as its kind has it. Anything of another kind stays a text. */
export function typedValue(kind: Kind, raw: RawValue): unknown {
  if (raw.kind === 'list') return raw.items;
  const { raw: text, isQuoted } = raw;
  if (isQuoted) return text;
  if ((kind === 'whole' || kind === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (kind === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (text === 'null' || text === '~') return null;
  return text;
}

function missing(name: string): FieldFault {
  return { field: name, what: 'missing', message: `${name} is missing.`, line: null };
}

/** The fault of a value: the end of a sentence that begins with its name. */
function faultOf(field: Field, value: unknown): string | undefined {
  if ((value === null && field.mayBeNull) || (field.orText !== undefined && value === field.orText)) return undefined;
  const wrong = KINDS[field.kind](value);
  if (wrong !== undefined) return wrong;
  const { values, least, most, pattern, isFilled } = field;
  if (isFilled && typeof value === 'string' && value.trim() === '') return 'is empty';
  if (values && !values.includes(value as string)) return `is none of ${values.join(', ')}`;
  if (pattern && !pattern.test(value as string)) return 'does not have the form that it must have';
  if (typeof value === 'number' && least !== undefined && value < least) return `is less than ${least}`;
  if (typeof value === 'number' && most !== undefined && value > most) return `is more than ${most}`;
  return undefined;
}

/** Longer ones are no names of directories. */
export const LONGEST_SLUG = 200;

const KINDS: Readonly<Record<Kind, (value: unknown) => string | undefined>> = {
  text: (value) => (typeof value === 'string' ? undefined : 'is no text'),
  line: (value) => (typeof value === 'string' && /^[^\r\n]+$/.test(value) ? undefined : 'is no text of one line'),
  slug: (value) =>
    typeof value === 'string' && value.length <= LONGEST_SLUG && isKebabCase(value)
      ? undefined
      : 'is no slug (a-z, 0-9 and -)',
  whole: (value) => (Number.isSafeInteger(value) ? undefined : 'is no whole number'),
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? undefined : 'is no number'),
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false'),
  date: (value) => (typeof value === 'string' && isDate(value) ? undefined : 'is no date YYYY-MM-DD'),
  instant: (value) => (instantOf(value) !== undefined ? undefined : 'is no time such as 2026-01-22T10:00:00Z'),
  time: (value) => (typeof value === 'string' && isTime(value) ? undefined : 'is no time such as 2026-01-22T10:00:00Z'),
  texts: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string') ? undefined : 'is no list of texts',
  list: (value) => (Array.isArray(value) ? undefined : 'is no list'),
  map: (value) => (isMap(value) ? undefined : 'is no object'),
};

/** A field of the object of a file itself: `__proto__` and `constructor` are names like any other. */
export function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** For the JSON Schema: to match a long text, it needs a deep stack. */
export const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Words joined by single hyphens: `auto-fix-gate`. */
export function isKebabCase(text: string): boolean {
  return /^[a-z0-9-]+$/.test(text) && !text.startsWith('-') && !text.endsWith('-') && !text.includes('--');
}
