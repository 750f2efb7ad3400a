import { type CharSet, ONLY_SLASH, union } from './charSet.ts';
import { literal, type Part, QUESTION_MARK, type Read, STAR } from './part.ts';

type Reader = (text: string, at: number) => Read | undefined;

/** Not before a parenthesis, which makes an extended glob. More than two stars are read in an odd way. */
const STARS = /\*{1,2}(?![*(])/y;
/** `(auth)` or `(a|b)`, which picomatch takes for a group of a regular expression. */
const GROUP = /\(([\w. -]+(?:\|[\w. -]+)*)\)(?![*?+])/y;
/** `{{name}}`: without a comma or a range, braces stand for themselves. */
const BRACES = /(\{+)(?:(?!\.\.)[\w .:-])*(\}+)(?!\+)/y;
/** Before a letter a backslash makes a class of a regular expression; twice the same is read in an odd way. */
const ESCAPE = /\\([*?.]|([^\w/\\])(?!\2))/y;
/** Characters without a meaning of their own, or none in this place. */
const TEXT = /[!+@](?!\()|[^!?*+@[\](){}|"\\/]+|[\]/]/y;

const READERS: Readonly<Record<string, Reader>> = {
  '*': readAs(STARS, () => STAR),
  '?': readAs(/\?(?!\()/y, () => QUESTION_MARK),
  '[': readBracket,
  '(': readAs(GROUP, (_, inside = '') => ({ is: 'oneOf', options: inside.split('|').map(literal) })),
  '{': readAs(BRACES, (whole, opening, closing) => (opening?.length === closing?.length ? literal(whole) : undefined)),
  '\\': readAs(ESCAPE, (_, escaped = '') => literal(escaped)),
};

const readText = readAs(TEXT, literal);

/** The next part of a pattern, but for `**`. Undefined if this code does not know how picomatch reads it. */
export function readPart(text: string, at: number): Read | undefined {
  const reader = READERS[text[at] as string] ?? readText;
  return reader(text, at);
}

function readAs(pattern: RegExp, partOf: (whole: string, ...groups: string[]) => Part | undefined): Reader {
  return (text, at) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    const part = found && partOf(found[0], ...found.slice(1));
    return part ? { part, next: at + found[0].length } : undefined;
  };
}

/** With one of these inside, picomatch does not read `[x]` as the name `[x]` too. */
const SPECIAL = /[-*+?.^${}(|)[\]]/;

/** `[`, what is inside, `]`, and no repetition of it. */
const BRACKET = /\[([!^]?)([^\]\\]+)\](?!\+)/y;

/** Reads a bracket such as `[a-z]` or `[id]`. Undefined for a form that this code does not know. */
function readBracket(text: string, at: number): Read | undefined {
  if (!text.includes(']', at)) return text[at + 1] === '+' ? undefined : { part: literal('['), next: at + 1 };
  BRACKET.lastIndex = at;
  const [whole, sign = '', inside = ''] = BRACKET.exec(text) ?? [];
  const isNamedClass = inside.includes('[') && inside.includes(':');
  return whole === undefined || isNamedClass ? undefined : { part: partOf(sign, inside), next: at + whole.length };
}

function partOf(sign: string, inside: string): Part {
  const set = setOf(inside);
  if (!set) return { is: 'unit', set: [] };
  if (sign !== '') return { is: 'unitExcept', set: union([...set, ...ONLY_SLASH]) };
  if (SPECIAL.test(inside)) return { is: 'unit', set };
  return { is: 'oneOf', options: [literal(`[${inside}]`), { is: 'unit', set }] };
}

/** The characters of `a-z_`. Undefined for `z-a`, which is no regular expression: the whole pattern matches nothing. */
function setOf(inside: string): CharSet | undefined {
  const ranges: [number, number][] = [];
  for (let at = 0; at < inside.length; at += 1) {
    const from = inside.charCodeAt(at);
    const isRange = inside[at + 1] === '-' && at + 2 < inside.length;
    const to = isRange ? inside.charCodeAt(at + 2) : from;
    if (from > to) return undefined;
    ranges.push([from, to]);
    if (isRange) at += 2;
  }
  return union(ranges);
}
