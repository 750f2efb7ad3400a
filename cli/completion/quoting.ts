/** Removes the quotes of a word in a command line. Expands nothing. */
export function unquoted(raw: string): string {
  let text = '';
  let quote = '';
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw[at] as string;
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === '\\' && quote !== "'" && at + 1 < raw.length) {
      at += 1;
      const next = raw[at] as string;
      text += quote === '"' && !/["\\$`]/.test(next) ? `\\${next}` : next;
    } else text += char;
  }
  return text;
}

/**
 * Quotes a word for bash, which inserts it unchanged. After an open quote, bash adds the closing one. Undefined if that quote
 * cannot hold the word.
 */
export function bashWord(value: string, raw: string): string | undefined {
  const open = /^["']/.exec(raw)?.[0];
  if (open === "'") return value.includes("'") ? undefined : value;
  if (open === '"') return value.includes('!') ? undefined : value.replace(/["\\$`]/g, '\\$&');
  return value.replace(/[^\w@%+=:,./~-]/gu, '\\$&').replace(/^~/, '\\~');
}
