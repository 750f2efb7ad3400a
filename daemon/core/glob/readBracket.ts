import { type CharSet, ONLY_SLASH, union } from './charSet.ts';
import { literal, type Part, type Read } from './part.ts';

/** With one of these inside, picomatch does not read `[x]` as the name `[x]` too. */
const SPECIAL = /[-*+?.^${}(|)[\]]/;

/** `[`, what is inside, `]`, and no repetition of it. */
const BRACKET = /\[([!^]?)([^\]\\]+)\](?!\+)/y;

/** A bracket such as `[a-z]` or `[id]`. Undefined if it is one that this code does not read. */
export function readBracket(text: string, at: number): Read | undefined {
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
