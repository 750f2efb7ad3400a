/** A JSON file as devflow writes it: two spaces, and a line break at its end. */
export function jsonDocument(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
