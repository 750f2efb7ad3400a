/** Why the text of a JSON Schema cannot be used. The words of the libraries are for programs. */
export function schemaFileFault(error: unknown): string {
  const said = error instanceof Error ? error.message : '';
  if (error instanceof SyntaxError) return jsonFault(error);
  const [, keyword] = /unknown keyword: "(.*)"/.exec(said) ?? [];
  if (keyword !== undefined) return `JSON Schema has no keyword ${keyword}`;
  const [, reference] = /can't resolve reference (\S+)/.exec(said) ?? [];
  if (reference !== undefined) return `the reference ${reference} leads nowhere`;
  const [, place] = /schema is invalid: data(\S*)/.exec(said) ?? [];
  if (place !== undefined) return `the value at ${place === '' ? '/' : place} is not allowed in a JSON Schema`;
  return 'it is no JSON Schema that devflow can use';
}

/** Where a text is no JSON, as far as the parser says. */
export function jsonFault({ message }: Error): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  if (line !== undefined) return `it is no JSON at line ${line}, column ${column}`;
  return /end of JSON input/.test(message) ? 'it is no JSON: its end is missing' : 'it is no JSON';
}
