import { visible } from './visible.ts';

/** One word for a shell, whatever is in it. A character that cannot be seen is written as an escape of `$'…'`. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('=')) return text;
  if (visible(text) === text) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${[...text].map(escaped).join('')}'`;
}

function escaped(letter: string): string {
  if (letter === "'" || letter === '\\') return `\\${letter}`;
  if (visible(letter) === letter) return letter;
  // Octal, three digits a byte: the next letter is never taken for a part of it.
  return [...new TextEncoder().encode(letter)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
