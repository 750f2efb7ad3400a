import { expect, test } from 'vitest';
import { splitPlaceholders } from '../../../schemas/definitions/placeholders.ts';

test.each<[string, string[], string[]]>([
  ['', [], ['']],
  ['no braces', [], ['no braces']],
  ['a {{b}} c {{d:e}}', ['b', 'd:e'], ['a ', ' c ', '']],
  ['{{}}', [''], ['', '']],
  ['{{{a}}}', ['{a'], ['', '}']],
  ['{{a}b}} {{c}}', ['c'], ['{{a}b}} ', '']],
  ['{{a {{b}}', ['a {{b'], ['', '']],
  ['}}{{a}}', ['a'], ['}}', '']],
  ['{{a\nb}}', ['a\nb'], ['', '']],
  ['{ {a}} {{b', [], ['{ {a}} {{b']],
])('%j has the placeholders %j', (text, names, around) => {
  expect(splitPlaceholders(text)).toEqual({ names, around });
  // As prompts are filled.
  expect([...text.matchAll(/\{\{([^}]*)\}\}/g)].map(([, name]) => name)).toEqual(names);
});
