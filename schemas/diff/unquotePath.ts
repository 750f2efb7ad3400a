const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A path as git writes it in a patch: plain, or in quotes with C's escapes. Octal escapes are bytes of UTF-8. */
export function unquotePath(written: string): string {
  if (!written.startsWith('"')) return written;
  const body = written.endsWith('"') && written.length > 1 ? written.slice(1, -1) : written.slice(1);
  const parts = body.match(/\\[0-3][0-7]{2}|\\[\s\S]|[^\\]+/g) ?? [];
  return Buffer.concat(parts.map(bytesOf)).toString('utf8');
}

function bytesOf(part: string): Buffer {
  if (!part.startsWith('\\')) return Buffer.from(part);
  const code = part.length === 4 ? Number.parseInt(part.slice(1), 8) : ESCAPES[part.slice(1)];
  return code === undefined ? Buffer.from(part.slice(1)) : Buffer.from([code]);
}

/** Where a path in quotes ends, behind its last quote; the length of the text if it does not end. */
export function endOfQuoted(text: string): number {
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
