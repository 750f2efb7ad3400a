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
