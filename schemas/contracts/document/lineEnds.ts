/** The text with the line ends of the file that it replaces, if the first line of that ends as on Windows. */
export function withLineEndsOf(old: string, text: string): string {
  return /^[^\n]*\r\n/.test(old) ? text.replace(/\r?\n/g, '\r\n') : text;
}
