/**
 * Makes text of agents, repositories and people safe to read. A sign replaces each invisible character, and each one
 * that moves the cursor or changes the reading direction. It omits nothing.
 *
 * `line` is one line: names, table cells, sentences. `text` keeps newlines: documents. `code` keeps newlines and also
 * splits emoji: diffs and other subjects of a decision.
 */
export function visible(text: string, as: 'line' | 'text' | 'code' = 'line'): string {
  if (as === 'line') return visibleLine(text, true).replaceAll('\n', '␊');
  const lines = text.split('\n');
  return lines.map((line) => visibleLine(line, as === 'text')).join('\n');
}

function visibleLine(text: string, keepsEmoji: boolean): string {
  if (COMMON.test(text)) return text;
  if (!keepsEmoji || !JOINED.test(text)) return text.replace(unseen(), sign);
  return text.replace(emojiOrUnseen(), (found: string, emoji?: string) => emoji ?? sign(found));
}

/** JSON of the same value, with invisible characters as `\u` escapes. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(unseen(), (text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${hex(text.charCodeAt(at))}`).join(''),
  );
}

/** Common visible characters. This check saves nine tenths of the time for most text. `bin/devflow` lists the same as bytes. */
const COMMON =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u27ff\u3041-\u3096\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** True if the text has only common visible characters, which `visible` leaves as they are. */
export function isCommon(text: string): boolean {
  return COMMON.test(text);
}

/**
 * Controls, format characters (bidi, zero width, tags), other default-ignorable ones (variation selectors, fillers), and
 * blanks except the space. Also lone surrogates and unassigned code points. Also marks without a letter and the seventh mark
 * on a letter, because terminals drop them.
 */
const UNSEEN_PARTS = [
  String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\n\x20]]`,
  String.raw`(?<![[\p{L}\p{N}\p{P}\p{S}\p{Co}]--\p{Default_Ignorable_Code_Point}][\p{M}--\p{Default_Ignorable_Code_Point}]{0,5})\p{M}`,
].join('|');
const unseen = made(UNSEEN_PARTS);
/** An emoji of several code points is one visible picture. */
const emojiOrUnseen = made(String.raw`(\p{RGI_Emoji})|${UNSEEN_PARTS}`);
/** All emoji, of one or several code points. */
export const emoji = made(String.raw`\p{RGI_Emoji}`);
const JOINED = /[\u200d\ufe0f\u{e0020}-\u{e007f}]/u;

/** Compiles an expression on first use, because the one for emoji takes 40 ms. */
function made(source: string): () => RegExp {
  let expression: RegExp | undefined;
  return () => {
    expression ??= new RegExp(source, 'gv');
    return expression;
  };
}

function sign(found: string): string {
  const point = found.codePointAt(0) ?? 0;
  if (found === '\t') return '␉   ';
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return '␡';
  return `<U+${hex(point)}>`;
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(4, '0');
}

/** Quotes any text as one word for a shell. It writes invisible characters as escapes in `$'…'`. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('=')) return text;
  if (visible(text) === text) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${[...text].map(escaped).join('')}'`;
}

function escaped(letter: string): string {
  if (letter === "'" || letter === '\\') return `\\${letter}`;
  if (visible(letter) === letter) return letter;
  // Octal with three digits a byte, so that the next letter is not read as part of it.
  return [...new TextEncoder().encode(letter)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
