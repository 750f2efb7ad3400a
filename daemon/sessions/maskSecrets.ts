/** What looks like a key, most specific first. A false alarm costs a word of a transcript; a miss stores a secret. */
const PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['private key', /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g],
  ['bearer token', /\b(?<=bearer\s{1,8})[A-Za-z0-9._~+/-]{8,}=*/gi],
  ['github token', /\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})/g],
  ['aws key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ['api key', /\bsk-[A-Za-z0-9_-]{16,}/g],
  ['google key', /\bAIza[A-Za-z0-9_-]{30,}/g],
  ['json web token', /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+/g],
  ['password', /(?<=:\/\/[^\s:/@]{1,100}:)[^\s:/@]{1,200}(?=@)/g],
];

/** The text with every likely secret replaced by `[masked: <kind>]`. Pure. */
export function maskSecrets(text: string): string {
  return PATTERNS.reduce((masked, [name, pattern]) => masked.replaceAll(pattern, `[masked: ${name}]`), text);
}

/** The longest tail that is held back. A secret longer than this may be cut in two. */
const LONGEST_SECRET = 16_384;

/**
 * How much of the text can be masked now: up to a last word, or an unfinished key block, that may go on in what is
 * printed next. Output arrives cut at any place, and half a secret looks like none.
 */
export function safeLength(text: string): number {
  const from = Math.max(0, text.length - LONGEST_SECRET);
  return Math.max(from, Math.min(lastWord(text, from), openKeyBlock(text)));
}

/** Where the last word begins, together with a `Bearer` before it. By hand: as a pattern it takes quadratic time. */
function lastWord(text: string, from: number): number {
  let start = text.length;
  while (start > from && !/\s/.test(text[start - 1] as string)) start -= 1;
  const bearer = /\bbearer\s{1,8}$/i.exec(text.slice(Math.max(0, start - 20), start));
  return bearer ? start - bearer[0].length : start;
}

function openKeyBlock(text: string): number {
  const start = text.lastIndexOf('-----BEGIN ');
  if (start < 0 || /PRIVATE KEY-----[\s\S]*-----END [A-Z0-9 ]*PRIVATE KEY-----/.test(text.slice(start)))
    return text.length;
  return /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text.slice(start)) ? start : text.length;
}
