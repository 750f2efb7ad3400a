import { visible } from './visible.ts';

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
