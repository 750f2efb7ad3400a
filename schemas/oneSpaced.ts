/** The text without white space at its ends, and with one space for each white space inside. */
export function oneSpaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
