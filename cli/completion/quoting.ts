/** A word as it stands in a command line, without its quotes. Nothing in it is expanded. */
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
 * A word for bash's line: bash puts it there as it is, and would run what it says. After an open quote bash closes the quote
 * itself. Undefined where the quote cannot hold it.
 */
export function bashWord(value: string, raw: string): string | undefined {
  const open = /^["']/.exec(raw)?.[0];
  if (open === "'") return value.includes("'") ? undefined : value;
  if (open === '"') return value.includes('!') ? undefined : value.replace(/["\\$`]/g, '\\$&');
  return value.replace(/[^\w@%+=:,./~-]/gu, '\\$&').replace(/^~/, '\\~');
}
