import { cutTo } from '../../text/phrases.ts';

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
