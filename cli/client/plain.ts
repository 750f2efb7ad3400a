import { stripVTControlCharacters } from 'node:util';

/**
 * Text that an agent or a person wrote, made harmless for a terminal: no escape sequences, no control characters.
 * Newlines and tabs stay.
 */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return stripVTControlCharacters(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}
