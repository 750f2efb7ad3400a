import { visible } from '../../../schemas/visible.ts';

/** A text of a repository in one line, cut to what a person reads. */
export function shownText(text: string, most: number): string {
  const line = visible(text.replaceAll(/\s+/g, ' ').trim().toWellFormed());
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}
