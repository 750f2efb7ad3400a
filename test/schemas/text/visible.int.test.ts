import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord, visible } from '../../../schemas/text/visible.ts';

const HOSTILE = [
  ...['plain', '', 'a b', "it's", '$(touch x)', '`x`', 'a;b', '~', '=ls', '-x', '*', '!1', '#c', 'a\\b', '"', '{a,b}'],
  ...[
    'new\nline',
    "tab\t'quote'",
    '\u001b[31mred',
    'left\u202eright',
    'zero\u200bwidth',
    'back\\\u0001slash',
    '\u001b1',
  ],
];

it.each(HOSTILE)('is one word for a shell, and hides nothing: %j', (text) => {
  const word = shellWord(text);
  expect(visible(word)).toBe(word);
  expect(execFileSync('bash', ['-c', `printf '%s|' ${word}`], { encoding: 'utf8' })).toBe(`${text}|`);
});
