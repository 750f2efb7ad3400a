import { latin1Of } from '../repository/git/pathBytes.ts';
import { bracketEnd, inBracket } from './bracket.ts';

/** One line of an ignore file, as gitignore(5) describes it. Text is one character per byte. */
export interface IgnorePattern {
  negated: boolean;
  onlyDirectories: boolean;
  segments: readonly Segment[];
}

/** `**` stands for any number of names, a text for itself, parts for what `partsOf` reads; null fits no name. */
type Segment = '**' | { text: string } | { parts: readonly string[] } | null;

/** Reads lines of an ignore file; undefined for a line without a pattern. */
export function readPattern(line: string, { ignoreCase = false } = {}): IgnorePattern | undefined {
  const text = trimmed(latin1Of(ignoreCase ? line.toLowerCase() : line).replace(/\r$/, ''));
  if (text === '' || text.startsWith('#')) return undefined;
  const negated = text.startsWith('!');
  const body = negated ? text.slice(1) : text;
  const onlyDirectories = body.endsWith('/');
  const path = onlyDirectories ? body.slice(0, -1) : body;
  const names = path.replace(/^\//, '').split('/');
  if (names.some((name) => name === '')) return undefined;
  if (!path.includes('/')) names.unshift('**');
  // `a/**` is what is in `a`, and not `a`.
  if (names.at(-1) === '**') names.push('*');
  return { negated, onlyDirectories, segments: names.map(readSegment) };
}

function readSegment(name: string): Segment {
  if (name === '**') return name;
  if (!/[*?[\\]/.test(name)) return { text: name };
  const parts = partsOf(name);
  return parts === undefined ? null : { parts };
}

/** Spaces at the end count only after a backslash. */
function trimmed(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}

/**
 * True if a path is selected, by the last pattern that matches it or a directory above. As in git, nothing takes out what is
 * in a selected directory.
 */
export function isSelected(patterns: readonly IgnorePattern[], path: readonly string[], isDirectory: boolean): boolean {
  for (let depth = 1; depth <= path.length; depth++) {
    const part = path.slice(0, depth);
    const isPartDirectory = depth < path.length || isDirectory;
    const last = patterns.findLast(
      ({ onlyDirectories, segments }) => (isPartDirectory || !onlyDirectories) && matches(segments, part),
    );
    if (last && !last.negated) return true;
  }
  return false;
}

/** True if a pattern names its way into this directory. `**` at the beginning does not: it names every directory. */
export function leadsInto(patterns: readonly IgnorePattern[], directory: readonly string[]): boolean {
  return patterns.some(
    ({ negated, segments }) =>
      !negated && segments[0] !== '**' && segments.length > 1 && beginsWith(segments, directory),
  );
}

function beginsWith(segments: readonly Segment[], directory: readonly string[]): boolean {
  for (const [at, name] of directory.entries()) {
    const segment = segments[at];
    if (segment === '**') return true;
    if (segment === undefined || at === segments.length - 1 || !matchesName(segment, name)) return false;
  }
  return true;
}

/** Takes time in proportion to both lengths, whatever the pattern: it may be a stranger's. */
function matches(segments: readonly Segment[], path: readonly string[]): boolean {
  return fits(segments.length, path.length, {
    isStar: (at) => segments[at] === '**',
    fitsAt: (at, place) => matchesName(segments[at] as Segment, path[place] as string),
  });
}

function matchesName(segment: Segment, name: string): boolean {
  if (segment === null || segment === '**') return false;
  if ('text' in segment) return segment.text === name;
  const { parts } = segment;
  return fits(parts.length, name.length, {
    isStar: (at) => parts[at] === '*',
    fitsAt: (at, place) => fitsCharacter(parts[at] as string, name[place] as string),
  });
}

/** The pieces of a segment: `*`, `?`, `[…]`, and `=x` for a character. Undefined for one that matches nothing. */
function partsOf(segment: string): string[] | undefined {
  const parts: string[] = [];
  for (let at = 0; at < segment.length; at++) {
    const character = segment[at] as string;
    if (character === '*' || character === '?') {
      if (character === '?' || parts.at(-1) !== '*') parts.push(character);
    } else if (character === '[') {
      const end = bracketEnd(segment, at);
      if (end === undefined) return undefined;
      parts.push(segment.slice(at, end + 1));
      at = end;
    } else if (character === '\\') {
      at += 1;
      if (at === segment.length) return undefined;
      parts.push(`=${segment[at]}`);
    } else {
      parts.push(`=${character}`);
    }
  }
  return parts;
}

function fitsCharacter(part: string, character: string): boolean {
  if (part === '?') return true;
  return part.startsWith('[') ? inBracket(part, character) : part === `=${character}`;
}

/** Matches with one star to come back to: an earlier one never needs to take more. */
function fits(
  length: number,
  end: number,
  { isStar, fitsAt }: { isStar(at: number): boolean; fitsAt(at: number, place: number): boolean },
): boolean {
  let [at, place] = [0, 0];
  let back: { at: number; place: number } | undefined;
  while (place < end) {
    if (at < length && isStar(at)) {
      back = { at, place };
      at += 1;
    } else if (at < length && fitsAt(at, place)) {
      at += 1;
      place += 1;
    } else if (back) {
      back.place += 1;
      at = back.at + 1;
      place = back.place;
    } else {
      return false;
    }
  }
  while (at < length && isStar(at)) at += 1;
  return at === length;
}
