/** The value of a field of the pointer, before anybody knows its kind. */
export interface Scalar {
  text: string;
  isQuoted: boolean;
  /** Why it cannot be read: the end of a sentence. */
  fault?: string;
}

/** Reads a value that stands on one line, plain or in quotes. `keepsHash` is for free text, in which ` #` is no comment. */
export function readScalar(rest: string, keepsHash = false): Scalar {
  const quote = rest[0];
  if (quote === '"' || quote === "'") return readQuoted(rest, quote);
  if (keepsHash) return { text: rest, isQuoted: false };
  if (rest.startsWith('#')) return { text: '', isQuoted: false };
  const ends = [rest.indexOf(' #'), rest.indexOf('\t#')].filter((at) => at >= 0);
  return { text: ends.length === 0 ? rest : rest.slice(0, Math.min(...ends)).trimEnd(), isQuoted: false };
}

function readQuoted(rest: string, quote: string): Scalar {
  const parts: string[] = [];
  let at = 1;
  while (at < rest.length) {
    const char = rest[at] as string;
    if (quote === '"' && char === '\\') {
      const escaped = readEscape(rest, at + 1);
      parts.push(escaped.text);
      at = escaped.next;
    } else if (char !== quote) {
      parts.push(char);
      at += 1;
    } else if (quote === "'" && rest[at + 1] === quote) {
      parts.push(quote);
      at += 2;
    } else {
      const after = rest.slice(at + 1).trim();
      const isEnd = after === '' || after.startsWith('#');
      return { text: parts.join(''), isQuoted: true, ...(isEnd ? {} : { fault: 'goes on after its closing quote' }) };
    }
  }
  return { text: parts.join(''), isQuoted: true, fault: 'has no closing quote' };
}

/** An escape of YAML, from the character after the backslash. An escape that YAML does not know stays as it is. */
function readEscape(rest: string, at: number): { text: string; next: number } {
  const char = rest[at] ?? '';
  const known = ESCAPES[char];
  if (known !== undefined) return { text: known, next: at + 1 };
  const digits = CODES[char] ?? 0;
  const code = rest.slice(at + 1, at + 1 + digits);
  const point = Number.parseInt(code, 16);
  if (digits === 0 || code.length < digits || !/^[0-9a-fA-F]+$/.test(code) || point > 0x10ffff) {
    return { text: `\\${char}`, next: at + 1 };
  }
  return { text: String.fromCodePoint(point), next: at + 1 + digits };
}

const CODES: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

/** Some readers of YAML take these for the end of a line, or refuse them. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text in quotes, on one line, as YAML and JSON both read it. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
