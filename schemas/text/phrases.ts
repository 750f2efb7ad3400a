/** `1 file`, `2 files`. Give the plural if it is irregular or a verb follows: `1 file is`, `2 files are`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The first names of a list, for a sentence: `a, b and 3 more`. */
export function someOf(names: readonly string[], most = 5): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}

/** `a, b or c`. */
export function eitherOf(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}

/** The text, with at most so many characters: an ellipsis replaces the rest. */
export function cutTo(text: string, most: number): string {
  // A cut may leave half of a character, which no log keeps.
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`.toWellFormed();
}

/** The text without white space at its ends, and with one space for each white space inside. */
export function oneSpaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

const MOST_CHARACTERS = 80;

/** As much of a text as a message takes that somebody else wrote. */
export function shorten(text: string): string {
  return cutTo(text, MOST_CHARACTERS);
}

/** The first names of a list, for a message. */
export function shortList(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map(shorten).join(', ');
  return names.length <= most ? shown : `${shown} and ${names.length - most} more`;
}
