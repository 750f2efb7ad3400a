import { ShellUnreadable } from './shellUnreadable.ts';

/**
 * Index after the `)` that closes a substitution whose content starts at `from`. Quotes and nested parentheses count;
 * an unbalanced `)` of a `case` pattern does not, and such a script is refused where the words are read.
 */
export function skipParens(source: string, from: number): number {
  let depth = 1;
  let i = from;
  while (i < source.length) {
    const c = source[i];
    if (c === '\\') i += 1;
    else if (c === "'" || c === '"') i = skipQuoted(source, i) - 1;
    else if (c === '(') depth += 1;
    else if (c === ')' && --depth === 0) return i + 1;
    i += 1;
  }
  throw new ShellUnreadable('a parenthesis is left open');
}

/** Index after the quoted span at `at`, whatever its content. */
function skipQuoted(source: string, at: number): number {
  const quote = source[at];
  let i = at + 1;
  while (i < source.length) {
    if (source[i] === '\\' && quote === '"') i += 1;
    else if (quote === '"' && source.startsWith('$(', i)) i = skipParens(source, i + 2) - 1;
    else if (source[i] === quote) return i + 1;
    i += 1;
  }
  throw new ShellUnreadable('a quote is left open');
}

/** The script between backticks at `at`, with the escapes that belong to the backticks removed. */
export function skipBackticks(source: string, at: number): { script: string; end: number } {
  let script = '';
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === '`') return { script, end: i + 1 };
    if (source[i] === '\\' && /[`\\$]/.test(source[i + 1] ?? '')) i += 1;
    script += source[i];
  }
  throw new ShellUnreadable('a backtick is left open');
}

/** Index after `${…}`. A substitution in a default value could run anything under any quoting, so it is refused. */
export function skipBraces(source: string, at: number): number {
  const close = source.indexOf('}', at);
  if (close < 0) throw new ShellUnreadable('a brace is left open');
  const inner = source.slice(at + 2, close);
  if (/[$`'"\\{]/.test(inner)) throw new ShellUnreadable('it nests expansions');
  return close + 1;
}

/** Index after `$((…))`, or undefined when it is a `$(` with a subshell. */
export function skipArithmetic(source: string, at: number): number | undefined {
  const end = skipParens(source, at + 2);
  if (source[end - 2] !== ')') return undefined;
  if (/[$`]\(|`/.test(source.slice(at + 3, end - 2))) throw new ShellUnreadable('it nests expansions');
  // `$((cmd))` is arithmetic to a shell; `$((cmd) )` is not and ends differently.
  return skipParens(source, at + 3) + 1 === end ? end : undefined;
}
