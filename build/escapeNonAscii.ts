/**
 * The same JavaScript with escapes for all characters beyond ASCII. V8 keeps a text with one character above U+00FF in
 * two bytes for each character. The escapes that esbuild leaves are those of regular expressions, so a backslash may
 * stand before one.
 */
export function escapeNonAscii(code: string): string {
  return code.replace(/(\\*)([\u0080-\uffff])/g, (_, slashes: string, one: string) => {
    const isEscaped = slashes.length % 2 === 1;
    return `${isEscaped ? slashes.slice(1) : slashes}\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
