/** The text, with at most so many characters: an ellipsis replaces the rest. */
export function cutTo(text: string, most: number): string {
  // A cut may leave half of a character, which no log keeps.
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`.toWellFormed();
}
