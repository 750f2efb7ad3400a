import type { z } from 'zod';

/** Messages of the parser of shapes begin so. Any other is written in the schema, for people. */
const FOREIGN = /^(?:Invalid|Too small|Too big|Unrecognized)/;
const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a map',
  record: 'a map',
  null: 'null',
};
const COUNTED: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' };

/** The fault of a value, in words for its author. */
export function issueText(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom' || !FOREIGN.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is missing' : `must be ${nameOf(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((each) => JSON.stringify(each)).join(', ')}`;
    case 'too_small':
      return limitText(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin);
    case 'too_big':
      return limitText(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin);
    case 'invalid_format':
      return 'has characters or a form that are not allowed here';
    default:
      return 'is not allowed here';
  }
}

function nameOf(expected: string): string {
  return NAMES[expected] ?? 'a value of another kind';
}

function limitText(how: string, limit: number | bigint, origin: string): string {
  const unit = COUNTED[origin];
  return unit === undefined ? `must be ${how} ${limit}` : `must have ${how} ${limit} ${unit}`;
}

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
