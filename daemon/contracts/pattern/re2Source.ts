/** The first and the last code of each range. */
type Ranges = readonly (readonly [first: number, last: number])[];

/** A member of a character class: one character, or the characters of an escape such as `\d`. */
type Member = { code: number; isDash: boolean } | { ranges: Ranges };

const LAST_CODE = 0x10ffff;
const SPACES: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const DIGITS: Ranges = [[0x30, 0x39]];
const WORDS: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const NEW_LINES: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
/** RE2 has other sets for `\s` and `.`. */
const SETS: Readonly<Record<string, Ranges>> = {
  d: DIGITS,
  D: complementOf(DIGITS),
  w: WORDS,
  W: complementOf(WORDS),
  s: SPACES,
  S: complementOf(SPACES),
};
const ANY = complementOf(NEW_LINES);
const CONTROLS: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d };

const ESCAPE = [
  /\\(?<set>[dDwWsS])/,
  /\\(?:u(?<hex4>[0-9A-Fa-f]{4})|x(?<hex2>[0-9A-Fa-f]{2})|c(?<control>[A-Za-z])|(?<zero>0)(?![0-9])|(?<escaped>[\s\S]))/,
];
const PART = oneOf([
  /(?<edge>\\[bB])/,
  ...ESCAPE,
  /\[(?<not>\^?)(?<members>(?:\\[\s\S]|[^\]\\])*)\]/,
  /(?<group>\((?!\?)|\(\?:|\(\?<[^=!][^>]*>)/,
  /(?<operator>[|)^$]|[*+?]\??|\{\d+(?:,\d*)?\}\??)/,
  /(?<any>\.)/,
  /(?<letter>[\s\S])/,
]);
const MEMBER = oneOf([...ESCAPE, /(?<letter>[\s\S])/]);

/**
 * A pattern of JavaScript (without flags) in the syntax of RE2, with the same meaning. Undefined if it needs more than linear time:
 * lookaround and backreferences. It has to compile in JavaScript. In one thing it differs: a character above U+FFFF counts once.
 */
export function re2Source(pattern: string): string | undefined {
  if (!pattern.isWellFormed()) return undefined;
  let source = '';
  for (const { groups = {} } of pattern.matchAll(PART)) {
    const part = partSource(groups);
    if (part === undefined) return undefined;
    source += part;
  }
  return source;
}

type Groups = Readonly<Record<string, string | undefined>>;

function partSource(groups: Groups): string | undefined {
  const { edge, operator, group, any, members, not, letter } = groups;
  if (group !== undefined) return '(?:';
  if (any !== undefined) return classSource(ANY);
  if (members !== undefined) {
    const ranges = rangesOf(members);
    return ranges && classSource(ranges, not);
  }
  // All groups that RE2 can match were recognized above.
  if (letter === '(') return undefined;
  if (edge ?? operator) return edge ?? operator;
  const member = memberOf(groups, 'pattern');
  if (member === undefined) return undefined;
  return 'code' in member ? codeSource(member.code) : classSource(member.ranges);
}

/** The characters of a class. */
function rangesOf(members: string): Ranges | undefined {
  const read: Member[] = [];
  for (const { groups = {} } of members.matchAll(MEMBER)) {
    const member = memberOf(groups, 'class');
    if (member === undefined) return undefined;
    read.push(member);
  }
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < read.length; at += 1) {
    const [first, dash, last] = read.slice(at, at + 3) as [Member, Member?, Member?];
    if (dash && 'code' in dash && dash.isDash && last) {
      // With a set on one side, the dash stands for itself.
      if ('code' in first && 'code' in last) ranges.push([first.code, last.code]);
      else ranges.push(...[first, dash, last].flatMap(charactersOf));
      at += 2;
    } else ranges.push(...charactersOf(first));
  }
  return ranges;
}

function charactersOf(member: Member): Ranges {
  return 'code' in member ? [[member.code, member.code]] : member.ranges;
}

function memberOf(groups: Groups, place: 'pattern' | 'class'): Member | undefined {
  const { set, letter } = groups;
  const ranges = SETS[set ?? ''];
  if (ranges) return { ranges };
  const code = letter === undefined ? escapedCode(groups, place) : letter.codePointAt(0);
  return code === undefined || isSurrogate(code) ? undefined : { code, isDash: letter === '-' };
}

function escapedCode(
  { hex4, hex2, control, zero, escaped = '' }: Groups,
  place: 'pattern' | 'class',
): number | undefined {
  const hex = hex4 ?? hex2;
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (control !== undefined) return control.charCodeAt(0) % 32;
  if (zero !== undefined) return 0;
  if (place === 'class' && escaped === 'b') return 0x08;
  // Numbers and names of groups, octal numbers, and a \c that stands for itself.
  return /^[0-9kc]/.test(escaped) ? undefined : (CONTROLS[escaped] ?? escaped.codePointAt(0));
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function complementOf(ranges: Ranges): Ranges {
  const starts = [0, ...ranges.map(([, last]) => last + 1)];
  const ends = [...ranges.map(([first]) => first - 1), LAST_CODE];
  return starts.map((start, at) => [start, ends[at] as number] as const).filter(([start, end]) => start <= end);
}

function classSource(ranges: Ranges, not = ''): string {
  if (ranges.length === 0) return classSource([[0, LAST_CODE]], not === '' ? '^' : '');
  return `[${not}${ranges.map(([first, last]) => `${codeSource(first)}-${codeSource(last)}`).join('')}]`;
}

function codeSource(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

function oneOf(parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('|'), 'gu');
}
