import { beginningOfKnown, coverKnown } from './knownSecrets.ts';

/** The start of a word, also right after a colour: its last letter would count as part of the word. */
const WORD = String.raw`(?:\b|(?<=\x1b\[[0-9;]{0,16}m))`;

/**
 * Patterns of keys, most specific first. A false alarm costs a word of a transcript; a miss stores a secret. A pattern
 * runs only if one of its `signs` is in the text: plain output is then ten times cheaper.
 */
const PATTERNS: readonly (readonly [name: string, signs: readonly string[], pattern: RegExp])[] = [
  [
    'private key',
    ['PRIVATE KEY-----'],
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:[\s\S]{0,16000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|[A-Za-z0-9+/=\s:,\\-]{0,16000})/g,
  ],
  ['bearer token', ['earer', 'EARER'], /(?<=\bbearer\s{1,8})[A-Za-z0-9._~+/-]{8,}=*/gi],
  [
    'github token',
    ['ghp_', 'gho_', 'ghu_', 'ghr_', 'ghs_', 'github_pat_'],
    new RegExp(`${WORD}(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})`, 'g'),
  ],
  ['aws key', ['AKIA', 'ASIA'], new RegExp(String.raw`${WORD}(?:AKIA|ASIA)[A-Z0-9]{16}\b`, 'g')],
  ['slack token', ['xox'], new RegExp(`${WORD}xox[abeoprs]-[A-Za-z0-9-]{10,}`, 'g')],
  ['api key', ['sk-'], new RegExp(`${WORD}sk-[A-Za-z0-9_-]{16,}`, 'g')],
  ['google key', ['AIza'], new RegExp(`${WORD}AIza[A-Za-z0-9_-]{30,}`, 'g')],
  [
    'json web token',
    ['eyJ'],
    new RegExp(String.raw`${WORD}eyJ[A-Za-z0-9_-]{10,2048}\.[A-Za-z0-9_-]{10,2048}\.[A-Za-z0-9_-]+`, 'g'),
  ],
  ['password', ['://'], /(?<=:\/\/[^\s:/@]{0,100}:)[^\s:/@]{1,200}(?=@)/g],
];

/**
 * Covers every likely secret with `[masked: <kind>]***`, or with stars if that does not fit. It covers character for
 * character and keeps line breaks of a key block. So positions and all other text stay. Pure but for the values that
 * `knowSecrets` got.
 */
export function maskSecrets(text: string): string {
  const known = coverKnown(text, (secret) => cover(secret, 'setting'));
  return PATTERNS.reduce((masked, [name, signs, pattern]) => {
    if (!signs.some((sign) => masked.includes(sign))) return masked;
    return masked.replaceAll(pattern, (secret) => cover(secret, name));
  }, known);
}

function cover(secret: string, name: string): string {
  const label = `[masked: ${name}]`;
  const stars = secret.replaceAll(/[^\r\n]/g, '*');
  return (/^\**/.exec(stars)?.[0].length as number) >= label.length ? label + stars.slice(label.length) : stars;
}

/** The longest tail that is held back, and how much earlier output is scanned again with what follows. */
export const LONGEST_SECRET = 16_384;

/**
 * The length of text that can be masked now: up to a last word or an unfinished key block. Both may continue in the
 * next output. Output is cut anywhere, and half a secret looks like none.
 */
export function safeLength(text: string): number {
  const from = Math.max(0, text.length - LONGEST_SECRET);
  const known = text.length - beginningOfKnown(text.slice(from));
  return Math.max(from, Math.min(lastWord(text, from), openKeyBlock(text, from), known));
}

/** True if a secret may have begun that is still too short to recognize. */
export function mayBeginSecret(tail: string): boolean {
  if (beginningOfKnown(tail) > 0) return true;
  return /-----BEGIN |bearer\s{1,8}|gh[pousr]_|github_pat_|AKIA|ASIA|xox[abeoprs]-|sk-|AIza|eyJ|:\/\/[^\s/@]*:/i.test(
    tail,
  );
}

/** Where the last word begins, with a `Bearer` before it. A regular expression would take quadratic time. */
function lastWord(text: string, from: number): number {
  let start = text.length;
  // Not \s: a non-ASCII character comes as single bytes, and one of them counts as a space.
  while (start > from && !' \t\r\n\v\f'.includes(text[start - 1] as string)) start -= 1;
  const bearer = /\bbearer\s{1,8}$/i.exec(text.slice(Math.max(0, start - 20), start));
  return bearer ? start - bearer[0].length : start;
}

function openKeyBlock(text: string, from: number): number {
  const start = text.lastIndexOf('-----BEGIN ');
  if (start < from) return text.length;
  const block = text.slice(start);
  if (!/^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/.test(block)) return text.length;
  return /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/.test(block) ? text.length : start;
}
