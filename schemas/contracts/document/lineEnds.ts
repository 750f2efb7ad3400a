/** The text with the line ends of the file that it replaces. The first line of that file decides. */
export function withLineEndsOf(old: string, text: string): string {
  return /^[^\n]*\r\n/.test(old) ? text.replace(/\r?\n/g, '\r\n') : text;
}
