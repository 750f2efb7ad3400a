import { expect, test } from 'vitest';
import { maskSecrets, safeLength } from '../../../daemon/sessions/maskSecrets.ts';

// Put together here, so that no scanner takes this file for a leak.
const long = 'A1b2C3d4E5f6G7h8I9j0K1l2';
const pem = (end = true) =>
  `-----BEGIN RSA PRIVATE ${'KEY'}-----\nMIIEow\nabc\n${end ? `-----END RSA PRIVATE ${'KEY'}-----\n` : ''}`;

test.each([
  ['sk-', `key sk-ant-${long} end`, 'key [masked: api key] end'],
  ['ghp_', `x=ghp_${long}`, 'x=[masked: github token]'],
  ['github_pat_', `github_pat_${long}`, '[masked: github token]'],
  ['AKIA', `id AKIA${'ABCDEFGH12345678'}.`, 'id [masked: aws key].'],
  ['Bearer', `Authorization: Bearer ${long}==\n`, 'Authorization: Bearer [masked: bearer token]\n'],
  ['a url', `postgres://me:${'hunter2'}@localhost/x`, 'postgres://me:[masked: password]@localhost/x'],
  ['PEM', `a\n${pem()}b`, 'a\n[masked: private key]\nb'],
  ['an unfinished PEM', `a\n${pem(false)}`, 'a\n[masked: private key]'],
  ['nothing', 'sk-8 ask-me-anything-about-this risk-taking, Bearer of news', undefined],
])('%s', (_name, text, expected) => {
  expect(maskSecrets(text)).toBe(expected ?? text);
});

test.each([
  ['all of it', 'one two\n', 8],
  ['not the last word', 'one sk-abc', 4],
  ['not a Bearer without its token', 'x Bearer ', 2],
  ['not a Bearer with a part of it', 'x Bearer abc', 2],
  ['not an open key block', `ab\n${pem(false)}`, 3],
  ['a closed key block', pem(), pem().length],
])('safe: %s', (_name, text, expected) => {
  expect(safeLength(text)).toBe(expected);
});

test('an endless word is held back only so far', () => {
  expect(safeLength('x'.repeat(100_000))).toBe(100_000 - 16_384);
});
