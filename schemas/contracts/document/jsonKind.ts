/** The kind of a JSON value where an object is wanted: the end of a sentence. */
export function notAnObject(value: unknown): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : KINDS[typeof value];
  return `${kind}, not an object`;
}

const KINDS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };
