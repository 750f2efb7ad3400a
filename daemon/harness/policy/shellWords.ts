import type { Word } from './finding.ts';
import { skipArithmetic, skipBackticks, skipBraces, skipParens } from './shellSpans.ts';
import { ShellUnreadable } from './shellUnreadable.ts';

/** A word with the scripts of the substitutions inside it. */
export interface ScannedWord extends Word {
  scripts: string[];
  /** Some part was quoted, so it is no reserved word and no here-document body is expanded for it. */
  quoted: boolean;
}

const TWO_WORDS = /['"\\]|[A-Za-z]\s+-*[A-Za-z]/;
const END_OF_WORD = /[\s;&|<>()]/;

/**
 * Reads one shell word at `start`: quotes, escapes, `$'…'`, expansions and substitutions. `end` is the index after it.
 * Throws ShellUnreadable on what has no certain reading (an open quote, brace expansion).
 */
export function scanWord(source: string, start: number): { word: ScannedWord; end: number } {
  const word: ScannedWord = { text: '', dynamic: false, leading: false, scripts: [], quoted: false };
  let i = start;
  while (i < source.length && !END_OF_WORD.test(source[i] as string)) {
    const c = source[i] as string;
    if (c === '\\') i = scanEscape(source, i, word);
    else if (c === "'") i = scanSingle(source, i, word);
    else if (c === '"') i = scanDouble(source, i + 1, word);
    else if (c === '$' && source[i + 1] === "'") i = scanAnsi(source, i + 2, word);
    else if (c === '$' && source[i + 1] === '"') i = scanDouble(source, i + 2, word);
    else if (c === '$' || c === '`') i = scanExpansion(source, i, word);
    else {
      if (c === '{') refuseBraceExpansion(source, i);
      word.text += c;
      i += 1;
    }
  }
  return { word, end: i };
}

function scanEscape(source: string, at: number, word: ScannedWord): number {
  if (at + 1 >= source.length) throw new ShellUnreadable('it ends in a backslash');
  if (source[at + 1] !== '\n') {
    word.text += source[at + 1];
    word.quoted = true;
  }
  return at + 2;
}

function scanSingle(source: string, at: number, word: ScannedWord): number {
  const close = source.indexOf("'", at + 1);
  if (close < 0) throw new ShellUnreadable('a single quote is left open');
  word.text += source.slice(at + 1, close);
  word.quoted = true;
  return close + 1;
}

function scanDouble(source: string, from: number, word: ScannedWord): number {
  word.quoted = true;
  let i = from;
  while (source[i] !== '"') {
    const c = source[i];
    if (c === undefined) throw new ShellUnreadable('a double quote is left open');
    if (c === '\\' && /["$`\\\n]/.test(source[i + 1] ?? '')) {
      if (source[i + 1] !== '\n') word.text += source[i + 1];
      i += 2;
    } else if (c === '$' || c === '`') i = scanExpansion(source, i, word);
    else {
      word.text += c;
      i += 1;
    }
  }
  return i + 1;
}

const ANSI: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', f: '\f', v: '\v' };
const NUMERIC = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/;

function scanAnsi(source: string, from: number, word: ScannedWord): number {
  word.quoted = true;
  let i = from;
  while (source[i] !== "'") {
    const c = source[i];
    if (c === undefined) throw new ShellUnreadable('a single quote is left open');
    if (c !== '\\') {
      word.text += c;
      i += 1;
      continue;
    }
    const number = NUMERIC.exec(source.slice(i + 1, i + 10));
    if (number) {
      const hex = number[1] ?? number[2] ?? number[3];
      word.text += String.fromCodePoint(
        Math.min(hex ? Number.parseInt(hex, 16) : Number.parseInt(number[4] ?? '0', 8), 0x10ffff),
      );
      i += 1 + number[0].length;
    } else {
      const escaped = source[i + 1] ?? '';
      if (escaped === 'c') throw new ShellUnreadable('it spells a control character');
      word.text += ANSI[escaped] ?? escaped;
      i += 2;
    }
  }
  return i + 1;
}

/** `$x`, `${…}`, `$(…)`, `$((…))` or backticks. The raw text stays in the word, so that `$HOME/.ssh` is still seen. */
export function scanExpansion(source: string, at: number, word: ScannedWord): number {
  const end = endOfExpansion(source, at, word);
  if (end === at + 1 && source[at] === '$') {
    word.text += '$';
    return end;
  }
  if (word.text === '') word.leading = true;
  word.dynamic = true;
  word.text += source.slice(at, end);
  return end;
}

function endOfExpansion(source: string, at: number, word: ScannedWord): number {
  if (source[at] === '`') {
    const { script, end } = skipBackticks(source, at);
    word.scripts.push(script);
    return end;
  }
  if (source.startsWith('$((', at)) {
    const end = skipArithmetic(source, at);
    if (end !== undefined) {
      const inner = source.slice(at + 3, end - 2);
      // Two words in a row are no arithmetic, and zsh then runs them as a command.
      if (TWO_WORDS.test(inner)) word.scripts.push(inner);
      return end;
    }
  }
  if (source.startsWith('$(', at)) {
    const end = skipParens(source, at + 2);
    word.scripts.push(source.slice(at + 2, end - 1));
    return end;
  }
  if (source.startsWith('${', at)) return skipBraces(source, at);
  const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(source.slice(at, at + 200));
  return at + (name?.[0].length ?? 1);
}

function refuseBraceExpansion(source: string, at: number): void {
  if (/^\{[^\s{}]*(?:,|\.\.)[^\s{}]*/.test(source.slice(at, at + 500)))
    throw new ShellUnreadable('it uses brace expansion');
}
